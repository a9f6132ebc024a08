// Findings as text: for people with a frame of the source, for programs, for code review.
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { styleText } from 'node:util'
import type { ManifestProblem } from './problem.ts'

export type ProblemFormat = 'human' | 'json' | 'github' | 'sarif'

export interface ProblemReport {
  readonly problems: readonly ManifestProblem[]
  /** How many manifests were looked at. */
  readonly manifests: number
  /** The source of each file, for the frames; a file without one gets none. */
  readonly texts: ReadonlyMap<string, string>
  readonly elapsedMs: number
  /** Errors kept a phase from looking at all of one of them. */
  readonly isPart?: boolean
  /** Whether the document of JSON is for people. Default: one line. */
  readonly isIndented?: boolean
  /** Whether the human form may use terminal colours. Default: no. */
  readonly color?: boolean
}

/**
 * Writes a report, with a line break at its end.
 *
 * `human` shows at most 20 findings with two lines of source each, then a count; the other forms show all of them:
 * `json` one document, `github` one workflow command per finding, `sarif` version 2.1.0.
 */
export function formatProblems(report: ProblemReport, format: ProblemFormat): string {
  return `${FORMATS[format](report)}\n`
}

const FORMATS: Readonly<Record<ProblemFormat, (report: ProblemReport) => string>> = {
  human: formatHuman,
  json: formatJson,
  github: formatGithub,
  sarif: formatSarif,
}

const MAX_SHOWN = 20
const MAX_LINE = 120

function formatHuman(report: ProblemReport): string {
  const lines = new Map<string, readonly string[]>()
  for (const [file, text] of report.texts) lines.set(file, text.split(/\r\n|\r|\n/))
  const shown = report.problems.slice(0, MAX_SHOWN).map((problem) => {
    const source = lines.get(problem.file)
    return [headline(problem, report.color === true), ...frame(problem, source)].join('\n')
  })
  const hidden = report.problems.length - shown.length
  return [...shown, ...(hidden > 0 ? [`… and ${hidden} more`] : []), summary(report)].join('\n')
}

function headline(problem: ManifestProblem, color: boolean): string {
  const { file, line, column, severity, rule, message } = problem
  const paint = severity === 'error' ? 'red' : 'yellow'
  const word = color ? styleText(paint, severity, { validateStream: false }) : severity
  return `${printable(file)}:${line}:${column}  ${word}  ${rule}  ${printable(message)}`
}

function frame(problem: ManifestProblem, source: readonly string[] | undefined): readonly string[] {
  const { line, column, length } = problem
  const hint = problem.hint === null ? '' : ` ${printable(problem.hint)}`
  const marked = source?.[line - 1]
  if (marked === undefined) return hint === '' ? [] : [`      |${hint}`]
  const start = windowStart(column)
  const visible = window(marked, start)
  const indent = column - 1 - start
  const carets = '^'.repeat(Math.max(1, Math.min(length, visible.length - indent)))
  const before = source?.[line - 2]
  return [
    ...(before === undefined ? [] : [numbered(line - 1, window(before, start))]),
    numbered(line, visible),
    `      | ${' '.repeat(indent)}${carets}${hint}`,
  ]
}

/** Where the shown part of a long line begins, so that the marked place is in it. */
function windowStart(column: number): number {
  return column <= MAX_LINE * 0.75 ? 0 : column - MAX_LINE / 2
}

function window(line: string, start: number): string {
  return printable(line.slice(start, start + MAX_LINE))
}

function numbered(line: number, text: string): string {
  return `${String(line).padStart(5)} | ${text}`.trimEnd()
}

/** What a terminal may print: one column per UTF-16 unit, nothing that steers it. */
function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/\p{Cc}/gu, '\u{fffd}')
}

function summary({ problems, manifests, elapsedMs, isPart = false }: ProblemReport): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const found = [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')]
  const what = found.filter(Boolean).join(' and ') || 'no problems'
  const rest = isPart ? '\nmore is checked once these are mended' : ''
  return `${what} in ${count(manifests, 'manifest')} (${(elapsedMs / 1000).toFixed(1)} s)${rest}`
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function formatJson({ problems, manifests, isIndented = false }: ProblemReport): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  return JSON.stringify({ problems, errors, warnings, manifests }, null, isIndented ? 2 : undefined)
}

/** Source: GitHub's documentation of workflow commands. */
function formatGithub({ problems }: ProblemReport): string {
  return problems
    .map(({ file, line, column, length, severity, rule, message, hint }) => {
      const text = hint === null ? message : `${message}\n${hint}`
      const properties = { file, line, col: column, endColumn: column + length, title: rule }
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
      return `::${severity} ${list.join(',')}::${escaped(text)}`
    })
    .join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(value: string | number): string {
  return escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Source: SARIF 2.1.0, OASIS. */
function formatSarif({ problems }: ProblemReport): string {
  const rules = [...new Set(problems.map(({ rule }) => rule))].sort()
  const results = problems.map(({ file, line, column, length, severity, rule, message, hint }) => ({
    ruleId: rule,
    level: severity,
    message: { text: hint === null ? message : `${message}: ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          region: { startLine: line, startColumn: column, endColumn: column + length },
        },
      },
    ],
  }))
  const driver = { name: 'tenon', rules: rules.map((id) => ({ id })) }
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results }
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json'
  return JSON.stringify({ $schema, version: '2.1.0', runs: [run] }, null, 2)
}

function toUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.split(/[\\/]/).map(encodeURIComponent).join('/')
}
