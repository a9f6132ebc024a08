// Paths that lead from one place of an answer further down.
import type { Path } from './syntax.ts'

/**
 * The names that lead from `above` down to `below`; null where `below` does not lie there, or where one of the paths has
 * a step that is no name behind or in `above` (`[*]`, an index): then there is no single place to write to.
 */
export function namesBelow(above: Path, below: Path): readonly string[] | null {
  const leads =
    above.root === below.root &&
    above.steps.every((step, place) => JSON.stringify(step) === JSON.stringify(below.steps[place]))
  if (!leads || above.steps.some(({ kind }) => kind === 'all')) return null
  const names: string[] = []
  for (const step of below.steps.slice(above.steps.length)) {
    if (step.kind !== 'member') return null
    names.push(step.name)
  }
  return names
}
