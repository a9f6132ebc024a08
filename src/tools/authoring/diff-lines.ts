// Which lines of a text are others than before, with a few around them.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Changes that are close together. */
export interface DiffPart {
  /** Line number in the new text, from 1. */
  readonly from: number
  readonly lines: readonly DiffLine[]
}

const AROUND = 3
/** Beyond so many changed lines all are shown as removed and added. */
const MAX_CHANGES = 1500

/** The changed parts, in order; empty: the texts are the same. */
export function diffLines(before: string, after: string): readonly DiffPart[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++
  const middle = changesOf(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  return partsOf([
    ...now.slice(0, head).map(same),
    ...middle,
    ...now.slice(now.length - tail).map(same),
  ])
}

function same(text: string): DiffLine {
  return { kind: 'same', text }
}

/** The shortest way from one list of lines to another (E. Myers, An O(ND) Difference Algorithm, 1986). */
function changesOf(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const furthest = new Map<number, number>([[1, 0]])
  const trace: ReadonlyMap<number, number>[] = []
  for (let steps = 0; steps <= Math.min(MAX_CHANGES, old.length + now.length); steps++) {
    trace.push(new Map(furthest))
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = startOn(furthest, diagonal, steps)
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++
      furthest.set(diagonal, x)
      if (x >= old.length && x - diagonal >= now.length) return walkBack(trace, old, now)
    }
  }
  return [
    ...old.map((text) => ({ kind: 'removed', text }) as const),
    ...now.map((text) => ({ kind: 'added', text }) as const),
  ]
}

function startOn(furthest: ReadonlyMap<number, number>, diagonal: number, steps: number): number {
  const [below = -1, above = -1] = [furthest.get(diagonal - 1), furthest.get(diagonal + 1)]
  const isDown = diagonal === -steps || (diagonal !== steps && below < above)
  return isDown ? above : below + 1
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  now: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let [x, y] = [old.length, now.length]
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const furthest = trace[steps] ?? new Map<number, number>()
    const diagonal = x - y
    const start = startOn(furthest, diagonal, steps)
    while (x > start && x > 0 && y > 0) {
      lines.push(same(old[--x] ?? ''))
      y--
    }
    if (steps === 0) break
    const isDown = furthest.get(diagonal + 1) === start && start - diagonal > 0
    if (isDown) lines.push({ kind: 'added', text: now[--y] ?? '' })
    else lines.push({ kind: 'removed', text: old[--x] ?? '' })
  }
  return lines.reverse()
}

function partsOf(lines: readonly DiffLine[]): readonly DiffPart[] {
  const shown = new Set(
    lines.flatMap(({ kind }, at) =>
      kind === 'same'
        ? []
        : Array.from({ length: 2 * AROUND + 1 }, (_each, step) => at - AROUND + step),
    ),
  )
  const parts: { from: number; lines: DiffLine[] }[] = []
  let number = 0
  for (const [at, line] of lines.entries()) {
    if (line.kind !== 'removed') number++
    if (!shown.has(at)) continue
    if (!shown.has(at - 1) || parts.length === 0)
      parts.push({ from: Math.max(1, number), lines: [] })
    parts.at(-1)?.lines.push(line)
  }
  return parts
}
