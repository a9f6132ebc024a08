// Problems of an answer, at the fields they are about.
import type { Problem } from '../api/problem.ts'

/** Details by JSON pointer; several of one place in one text. */
export function fieldProblems(problem: Problem | null): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { pointer, detail, allowed } of problem?.body.errors ?? []) {
    const text = allowed === undefined ? detail : `${detail}: ${allowed.map(String).join(', ')}`
    const before = found.get(pointer)
    found.set(pointer, before === undefined ? text : `${before}; ${text}`)
  }
  return found
}
