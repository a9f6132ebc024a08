// The members of a tool's input: what its schema does not name is refused, because what is ignored misleads.
import { ConnectorError, type Problem } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { nearest } from '../language/manifest/suggest.ts'

/**
 * Throws `params_invalid` with every member of `given` that the closed schema of a tool does not name.
 *
 * `hintFor` says more of a member than the nearest name can: where it belongs. Null: nothing more is known.
 */
export function requireKnown(
  given: JsonObject,
  schema: JsonObject,
  hintFor: (member: string) => string | null = () => null,
): void {
  const { properties } = schema
  const allowed = isJsonObject(properties) ? Object.keys(properties) : []
  const problems = Object.keys(given)
    .filter((member) => !allowed.includes(member))
    .map((member): Problem => {
      const near = meant(member, allowed)
      const way = hintFor(member) ?? (near === null ? null : `did you mean "${near}"?`)
      const detail = way === null ? 'unknown member' : `unknown member; ${way}`
      return { pointer: `/${member}`, code: 'unknown', detail, allowed }
    })
  const [first] = problems
  if (first === undefined) return
  throw new ConnectorError('params_invalid', `${first.pointer}: ${first.detail}`, {
    errors: problems,
  })
}

/** The name that was meant: one that ends in it or that it ends in (`fields`, `answer_fields`), or the nearest. */
export function meant(name: string, allowed: readonly string[]): string | null {
  const longer = allowed.find((each) => each.endsWith(`_${name}`) || name.endsWith(`_${each}`))
  return longer ?? nearest(name, allowed)
}
