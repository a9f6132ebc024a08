// Where two texts differ, in a few lines: enough to see why a file is stale.

const MAX_HUNKS = 4
const MAX_LINES = 8
/** How far apart two equal lines are looked for. */
const REACH = 200

/** The first differences, `-` before and `+` after; empty for equal texts. */
export function shortDiff(before: string, after: string): string {
  const hunks = hunksOf(before.split('\n'), after.split('\n'))
  const rest = hunks.length - MAX_HUNKS
  return [
    ...hunks
      .slice(0, MAX_HUNKS)
      .flatMap(({ line, removed, added }) => [
        `  @@ line ${line} @@`,
        ...shown(removed, '-'),
        ...shown(added, '+'),
      ]),
    ...(rest > 0 ? [`  … ${rest} more places`] : []),
    '',
  ].join('\n')
}

interface Hunk {
  /** Of the text before, from 1. */
  readonly line: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

function hunksOf(old: readonly string[], next: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  let [a, b] = [0, 0]
  while (a < old.length || b < next.length) {
    if (a < old.length && old[a] === next[b]) {
      a++
      b++
      continue
    }
    const [skipA, skipB] = nextMeeting(old, next, a, b)
    hunks.push({
      line: a + 1,
      removed: old.slice(a, a + skipA),
      added: next.slice(b, b + skipB),
    })
    a += skipA
    b += skipB
  }
  return hunks
}

/** How many lines of either side have to go until both are at an equal line: as few as possible together. */
function nextMeeting(
  old: readonly string[],
  next: readonly string[],
  a: number,
  b: number,
): readonly [number, number] {
  for (let sum = 1; sum <= REACH; sum++) {
    for (let i = 0; i <= sum; i++) {
      const [atOld, atNext] = [a + i, b + sum - i]
      if (atOld < old.length && atNext < next.length && old[atOld] === next[atNext])
        return [i, sum - i]
    }
  }
  return [old.length - a, next.length - b]
}

function shown(lines: readonly string[], sign: string): readonly string[] {
  const rest = lines.length - MAX_LINES
  return [
    ...lines.slice(0, MAX_LINES).map((line) => `  ${sign} ${line}`),
    ...(rest > 0 ? [`  ${sign} … ${rest} more lines`] : []),
  ]
}
