// Which lines of a text differ from those of another, with a few lines around them.

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
/** Beyond so many pairs of lines, between the first change and the last, all are shown as removed and added. */
const MAX_PAIRS = 25_000_000

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
  const middle = compareLines(
    old.slice(head, old.length - tail),
    now.slice(head, now.length - tail),
  )
  return groupChanges([
    ...now.slice(0, head).map(same),
    ...middle,
    ...now.slice(now.length - tail).map(same),
  ])
}

function same(text: string): DiffLine {
  return { kind: 'same', text }
}

function compareLines(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = []
  const rows = old.length * now.length > MAX_PAIRS ? [] : commonLines(old, now)
  const common = (x: number, y: number): number => rows[old.length - x]?.[y] ?? 0
  let [x, y] = [0, 0]
  while (x < old.length || y < now.length) {
    const [before, after] = [old[x], now[y]]
    if (before !== undefined && before === after && rows.length > 0) {
      lines.push(same(before))
      x++
      y++
    } else if (
      before !== undefined &&
      (after === undefined || common(x + 1, y) >= common(x, y + 1))
    ) {
      lines.push({ kind: 'removed', text: before })
      x++
    } else {
      lines.push({ kind: 'added', text: after ?? '' })
      y++
    }
  }
  return lines
}

/** By lines that are left of the old text, then by lines before the rest of the new one: how many both rests share, at most 5,000. */
function commonLines(old: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  let below = new Uint16Array(now.length + 1)
  const rows = [below]
  for (const line of old.toReversed()) {
    const row = new Uint16Array(now.length + 1)
    for (let y = now.length - 1; y >= 0; y--) {
      const longest = Math.max(below[y] ?? 0, row[y + 1] ?? 0)
      row[y] = line === now[y] ? (below[y + 1] ?? 0) + 1 : longest
    }
    rows.push(row)
    below = row
  }
  return rows
}

function groupChanges(lines: readonly DiffLine[]): readonly DiffPart[] {
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
