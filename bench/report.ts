// Lines as text for people.
import type { Figure, Line, Row, Target } from './row.ts'
import { meets } from './row.ts'
import type { Spread } from './statistics.ts'

/** A block of text: the row, its lines, and below each its figures with what they must be. */
export function formatRow(row: Row, lines: readonly Line[]): string {
  return [`${row.name}: ${row.about}`, ...lines.map(formatLine)].join('\n\n')
}

function formatLine({ title, unit, sides, figures }: Line): string {
  const width = Math.max(...sides.map(({ name }) => name.length), ...figures.map(labelWidth))
  return [
    `  ${title} (${unit}, median and middle half)`,
    ...sides.map((side) => `    ${side.name.padEnd(width)}  ${formatSpread(side)}`),
    ...figures.map(
      (figure) =>
        `  ${mark(figure)} ${figure.name.padEnd(width)}  ${formatSpread(figure)} ${figure.unit}${formatTargets(figure)}`,
    ),
  ].join('\n')
}

function labelWidth({ name }: Figure): number {
  return name.length
}

function formatSpread({ median, low, high }: Spread): string {
  return `${formatNumber(median).padStart(7)}  [${formatNumber(low)} … ${formatNumber(high)}]`
}

function formatNumber(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
}

function mark(figure: Figure): string {
  if (figure.must === null) return ' '
  return meets(figure, figure.must) ? '✓' : '✗'
}

function formatTargets({ must, goal }: Figure): string {
  const parts = [
    ...(must === null ? [] : [`must ${formatTarget(must)}`]),
    ...(goal === null ? [] : [`goal ${formatTarget(goal)}`]),
  ]
  return parts.length === 0 ? '' : `   (${parts.join(', ')})`
}

function formatTarget({ atMost, atLeast }: Target): string {
  return atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`
}
