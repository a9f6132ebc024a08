// What later phases find in a manifest that an earlier one refuses: it is read without what is wrong, and what may only
// follow from the gap is left out.
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { formatPath, type ManifestDocument } from './document.ts'
import type { ManifestProblem } from './problem.ts'

/** Null: all phases were passed, and these are the findings of the last one. */
export interface Phases {
  readonly stopped: 'schema' | 'later' | null
  readonly problems: readonly ManifestProblem[]
}

/** A gap may leave another one, as where a key is missing then. */
const MAX_ROUNDS = 10

/**
 * Errors that later phases find, `found` being those of the phase that ended the load. Each is there whatever stands in the
 * place of what is wrong: none stands next to it, or names anything of it. So not all that later phases may find is here.
 */
export function furtherProblems(
  document: ManifestDocument,
  found: readonly ManifestProblem[],
  phasesOf: (document: ManifestDocument) => Phases,
): readonly ManifestProblem[] {
  const gaps = new Gaps()
  const further: ManifestProblem[] = []
  let { value } = document
  let last = found
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const left = gaps.cut(value, last)
    if (left === null) return []
    value = left
    const { stopped, problems } = phasesOf(document.holding(value))
    // What the schema finds now is missing because it was cut.
    if (stopped !== 'schema') further.push(...problems)
    if (stopped === null)
      return further.filter(
        (problem) =>
          problem.severity === 'error' &&
          // What would use it may be what was cut.
          !/unused|unsent/.test(problem.rule) &&
          !gaps.mayCause(problem, document),
      )
    last = problems
  }
  return []
}

/** What was cut out of a manifest. */
class Gaps {
  /** Next to these nothing is told. */
  readonly #places: string[] = []
  readonly #words = new Set<string>()

  /** The value without what these problems are about; null: nothing is left. */
  cut(value: JsonObject, problems: readonly ManifestProblem[]): JsonObject | null {
    const wrong = new Set(
      problems.filter(({ severity }) => severity === 'error').map(({ path }) => path),
    )
    if (wrong.has('')) return null
    // Keys that nothing is missing for.
    const strangers = new Set(
      problems
        .filter(
          ({ rule, hint }) =>
            rule === 'schema/unknown-key' && hint?.startsWith('did you mean') !== true,
        )
        .map(({ path }) => path),
    )
    const left = this.#cutBelow(value, [], { wrong, strangers })
    return isJsonObject(left) ? left : null
  }

  /** Undefined: it is cut with the key that it is under. A list is cut whole: its places are numbers. */
  #cutBelow(
    value: Json,
    at: readonly (string | number)[],
    found: { readonly wrong: ReadonlySet<string>; readonly strangers: ReadonlySet<string> },
  ): Json | undefined {
    if (found.wrong.has(formatPath(at))) return undefined
    if (Array.isArray(value)) {
      const left = value.map((item: Json, index) => this.#cutBelow(item, [...at, index], found))
      // Each is JSON then.
      return left.includes(undefined) ? undefined : (left as Json[])
    }
    if (!isJsonObject(value)) return value
    const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
      const here = [...at, key]
      const left = this.#cutBelow(member, here, found)
      if (left !== undefined) return [[key, left]]
      // Next to a key of the manifest itself is the whole manifest.
      const isAlone = at.length === 0 || found.strangers.has(formatPath(here))
      this.#places.push(formatPath(isAlone ? here : at))
      for (const name of [...here.slice(-2), ...wordsIn(member)]) this.#words.add(String(name))
      return []
    })
    return Object.fromEntries(members)
  }

  mayCause(problem: ManifestProblem, document: ManifestDocument): boolean {
    if (this.#places.some((place) => isAtOrBelow(problem.path, place))) return true
    const { line, column, length, message, hint } = problem
    const lines = document.text.split(/\r\n|\r|\n/)
    const marked = lines[line - 1]?.slice(column - 1, column - 1 + length)
    // A message has the names that it is about in quotes.
    const quoted = [...message.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
    return [...quoted, hint ?? '', marked ?? ''].some((text) =>
      namesIn(text).some((name) => this.#words.has(name)),
    )
  }
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || (path.startsWith(place) && /[.[]/.test(path[place.length] ?? ''))
}

function namesIn(text: string): readonly string[] {
  return text.match(/[\w-]+/g) ?? []
}

/** Keys, and texts that are no sentences. */
function wordsIn(value: Json): readonly string[] {
  if (typeof value === 'string')
    return /\s/.test(value) && !/\{\{|\$/.test(value) ? [] : namesIn(value)
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => [key, ...wordsIn(member)])
}
