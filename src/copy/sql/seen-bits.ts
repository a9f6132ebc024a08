// Which records a run has seen: one bit per record number, in chunks.

/** Numbers per chunk. */
const SEEN_PER_CHUNK = 65_536
const BYTES_PER_CHUNK = SEEN_PER_CHUNK / 8

/** Chunks by number. */
export type SeenBits = ReadonlyMap<number, Uint8Array>

/** The numbers by the chunk they are in. */
export function seenByChunk(seqs: Iterable<number>): ReadonlyMap<number, readonly number[]> {
  return Map.groupBy(seqs, (seq) => Math.floor(seq / SEEN_PER_CHUNK))
}

/** A chunk with the bits of the numbers set; null when they all were. */
export function withSeen(chunk: Uint8Array | null, seqs: readonly number[]): Uint8Array | null {
  const bits = new Uint8Array(BYTES_PER_CHUNK)
  if (chunk !== null) bits.set(chunk)
  let changed = chunk === null
  for (const seq of seqs) {
    const place = seq % SEEN_PER_CHUNK
    const byte = bits[place >> 3] ?? 0
    const marked = byte | (1 << (place & 7))
    if (marked !== byte) changed = true
    bits[place >> 3] = marked
  }
  return changed ? bits : null
}

/** What is in either of two chunks; null when the first one has it all. */
export function withChunk(chunk: Uint8Array | null, more: Uint8Array): Uint8Array | null {
  if (chunk === null) return more
  const bits = chunk.map((byte, at) => byte | (more[at] ?? 0))
  return bits.some((byte, at) => byte !== chunk[at]) ? bits : null
}

/** The numbers from `from` on and before `before` that are in none of them. */
export function unseenBetween(
  seen: readonly SeenBits[],
  from: number,
  before: number,
): readonly number[] {
  const found: number[] = []
  for (let seq = from; seq < before;) {
    const place = seq % SEEN_PER_CHUNK
    const chunkNo = Math.floor(seq / SEEN_PER_CHUNK)
    let byte = 0
    for (const bits of seen) byte |= bits.get(chunkNo)?.[place >> 3] ?? 0
    // Eight at a time.
    const end = Math.min(before, seq + 8 - (place & 7))
    if (byte !== 0xff)
      for (let at = seq; at < end; at++) if ((byte & (1 << (at & 7))) === 0) found.push(at)
    seq = end
  }
  return found
}
