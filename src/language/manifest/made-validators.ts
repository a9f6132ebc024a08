// Validators that were made when the package was built, by the schema they are for.
import type { JsonSchema } from './manifest.ts'

/** Says whether a value is valid, and nothing more: what is wrong with it is found by Ajv, when it is needed. */
export type IsValid = (value: unknown) => boolean

const made = new WeakMap<JsonSchema, () => IsValid>()

/** Lets validations of this very schema object use a validator that is loaded at its first use. */
export function provideValidator(schema: JsonSchema, load: () => IsValid): void {
  let loaded: IsValid | undefined
  made.set(schema, () => (loaded ??= load()))
}

/** The validator made for this schema object; null where there is none. */
export function madeValidator(schema: JsonSchema): IsValid | null {
  return made.get(schema)?.() ?? null
}
