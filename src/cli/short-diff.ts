// Where two texts differ, in a few lines: enough to see why a file is stale.
import { type DiffLine, diffLines } from '../tools/authoring/diff-lines.ts'

const MAX_PARTS = 4
const MAX_LINES = 16
const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '-', added: '+' }

/** The first changed parts with a few lines around them, `-` before and `+` after; empty for equal texts. */
export function shortDiff(before: string, after: string): string {
  const parts = diffLines(before, after)
  const rest = parts.length - MAX_PARTS
  return [
    ...parts
      .slice(0, MAX_PARTS)
      .flatMap(({ from, lines }) => [
        `  @@ line ${from} @@`,
        ...lines.slice(0, MAX_LINES).map(({ kind, text }) => `  ${SIGNS[kind]} ${text}`),
        ...(lines.length > MAX_LINES ? [`    … ${lines.length - MAX_LINES} more lines`] : []),
      ]),
    ...(rest > 0 ? [`  … ${rest} more places`] : []),
    '',
  ].join('\n')
}
