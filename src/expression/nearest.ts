// "Did you mean …": the nearest of the names that are allowed.

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
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= allowed && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      let cost = Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    before = last
    last = current
  }
  return last[to.length] ?? 0
}
