// Mistakes that have one obvious correction, corrected in the text: layout and comments stay as they are.
import { loadManifest } from '../../language/manifest/load.ts'
import type { ManifestProblem } from '../../language/manifest/problem.ts'

export interface Fixed {
  readonly text: string
  /** What was done, in the order of the places: `4:1 entitys → entities`. */
  readonly fixes: readonly string[]
}

/** One correction can uncover the next: a key that is known now has members to look at. */
const MAX_ROUNDS = 10

/**
 * Corrects misspelt names that are near exactly one known name, and puts quotes around expressions. A correction
 * that does not solve the problem is undone.
 */
export function fixManifest(text: string, file: string): Fixed {
  const fixes: string[] = []
  const given = new Set<string>()
  let current = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const problems = loadManifest({ text: current, file }).problems
    const next = problems
      .map((problem) => ({ problem, correction: correctionOf(problem, current) }))
      .find(({ problem, correction }) => correction !== null && !given.has(keyOf(problem)))
    if (next === undefined || next.correction === null) break
    const { problem, correction } = next
    given.add(keyOf(problem))
    const changed = replaceAt(current, problem, correction)
    const after = loadManifest({ text: changed, file }).problems
    if (after.some((other) => keyOf(other) === keyOf(problem))) continue
    current = changed
    fixes.push(`${problem.line}:${problem.column} ${correction.was} → ${correction.text}`)
  }
  return { text: current, fixes }
}

function keyOf({ line, column, rule, message }: ManifestProblem): string {
  return `${line}:${column} ${rule} ${message}`
}

interface Correction {
  readonly was: string
  readonly text: string
}

function correctionOf(problem: ManifestProblem, text: string): Correction | null {
  const { line, column, length } = problem
  const was = lineAt(text, line)?.slice(column - 1, column - 1 + length)
  if (problem.rule === 'yaml/unquoted-expression') return quoted(text, problem)
  const near = /^did you mean "([^"]+)"\?$/.exec(problem.hint ?? '')?.[1]
  // The place is the name alone, or the name between quotes.
  if (near === undefined || was === undefined || !/^["']?[\w-]+["']?$/.test(was)) return null
  const mark = /^["']/.exec(was)?.[0] ?? ''
  return { was, text: `${mark}${near}${mark}` }
}

function quoted(text: string, problem: ManifestProblem): Correction | null {
  const line = lineAt(text, problem.line)
  const rest = line?.slice(problem.column - 1) ?? ''
  const [was] = /^\{\{.*?\}\}/.exec(rest) ?? []
  if (was === undefined || was.includes('"')) return null
  // With text behind it more than the expression belongs between the quotes.
  const behind = rest.slice(was.length).trimEnd()
  return behind === '' || /^\s*(#|,|\}|\])/.test(behind) ? { was, text: `"${was}"` } : null
}

function lineAt(text: string, line: number): string | undefined {
  return text.split('\n')[line - 1]
}

function replaceAt(text: string, { line, column }: ManifestProblem, by: Correction): string {
  const lines = text.split('\n')
  const old = lines[line - 1] ?? ''
  lines[line - 1] = old.slice(0, column - 1) + by.text + old.slice(column - 1 + by.was.length)
  return lines.join('\n')
}
