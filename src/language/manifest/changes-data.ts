// Which actions change something at the vendor.
import { kindOf } from './actions.ts'
import { toolIn } from './body-forms/forms.ts'
import type { Action } from './manifest.ts'

/**
 * Whether an action changes data: by what it is, or by a method that its kind does not send or a tool, unless the request
 * says `reads`. The lint refuses the latter; a compiled manifest may still hold it.
 */
export function changesData({ name, steps }: Pick<Action, 'name' | 'steps'>): boolean {
  const kind = kindOf(name)
  return (
    kind === null ||
    kind.effect !== null ||
    steps.some(
      ({ request: { method, body, reads } }) =>
        (!kind.methods.includes(method) || toolIn(body) !== null) && reads !== true,
    )
  )
}
