// "Did you mean …": the nearest of the names that are allowed.

/** `, did you mean "x"` with what is nearest and what ends the sentence, or nothing: for the end of a message. */
export function didYouMean(name: string, candidates: Iterable<string>, end: '' | '?' = ''): string {
  const near = nearest(name, candidates)
  return near === null ? '' : `, did you mean "${near}"${end}`
}

/**
 * The candidate with the smallest edit distance to `name`, or null when none is within a third of the longer one's length
 * (at least one edit). Case does not count as an edit.
 */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const length = Math.max(name.length, candidate.length)
    const allowed = Math.max(1, Math.floor(length / 3))
    if (Math.abs(name.length - candidate.length) > allowed || length > 100) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), allowed)
    if (distance <= allowed && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one text into the other, by code points; no
 * place is edited twice. Anything beyond `limit` is reported as `limit + 1`.
 */
export function editDistance(from: string, to: string, limit: number): number {
  const a = Array.from(from)
  const b = Array.from(to)
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      let cost = Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      current.push(cost)
      if (cost < least) least = cost
    }
    // A swap reaches back two rows, and the row before this one cannot be smaller than this one by more than one.
    if (least > limit + 1) return limit + 1
    before = last
    last = current
  }
  return Math.min(last[b.length] ?? 0, limit + 1)
}
