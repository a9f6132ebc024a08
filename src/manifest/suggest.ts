// "Did you mean": the nearest of the names that would have been right.

/**
 * The candidate nearest to `name`, or null when none is near enough.
 *
 * Near is an edit distance (insert, remove, replace, swap two neighbours; case counts half) of at most
 * a third of the longer length. Of equally near candidates the first wins.
 */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const longest = Math.max(name.length, candidate.length)
    if (candidate === name || longest > LONGEST_NAME) continue
    const limit = longest / 3
    if (Math.abs(name.length - candidate.length) > limit) continue
    const distance = editDistance(name, candidate)
    if (distance <= limit && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The hint for a name that is not one of `candidates`: the nearest, else the list, else nothing. */
export function suggestion(name: string, candidates: readonly string[]): string | null {
  const near = nearest(name, candidates)
  if (near !== null) return `did you mean "${near}"?`
  if (candidates.length === 0 || candidates.length > LONGEST_LIST) return null
  return `known: ${candidates.join(', ')}`
}

// Longer names are no typos of anything, and the distance costs the product of the lengths.
const LONGEST_NAME = 100
const LONGEST_LIST = 20

function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const a = left[row - 1] ?? ''
      const b = right[column - 1] ?? ''
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + difference(a, b),
      )
      if (row > 1 && column > 1 && a === right[column - 2] && b === left[row - 2]) {
        cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

function difference(a: string, b: string): number {
  if (a === b) return 0
  return a.toLowerCase() === b.toLowerCase() ? 0.5 : 1
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
