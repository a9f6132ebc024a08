// A path that is a place in a record.
import type { Path } from './syntax.ts'

/** The members that a path goes through; null where it is no way from member to member of the record. */
export function memberNames({ root, steps }: Path): readonly string[] | null {
  const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  return root === 'body' && names.length === steps.length && names.length > 0 ? names : null
}
