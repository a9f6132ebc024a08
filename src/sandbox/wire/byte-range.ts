// One byte range of a file, read from a Range header. Source: RFC 9110, section 14.

export type ByteRange =
  /** The header is absent, of another unit, malformed or names several ranges: the whole file is the answer. */
  | { readonly kind: 'whole' }
  /** `start` and `end` are positions of the first and the last byte. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

/** What a Range header asks of a file of `size` bytes. `bytes=-5` are the last five; an end beyond the file is cut. */
export function readByteRange(header: string | undefined, size: number): ByteRange {
  const found = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/.exec(header?.trim() ?? '')
  if (!found) return { kind: 'whole' }
  const [, first, last, suffix] = found
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' || last === undefined ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && last !== undefined && Number(last) < start) return { kind: 'whole' }
  return start >= size ? { kind: 'unsatisfiable' } : { kind: 'part', start, end }
}
