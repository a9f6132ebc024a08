// Which actions change something at the vendor.
import { kindOf } from './actions.ts'
import type { Action } from './manifest.ts'

/**
 * Whether an action changes data: by what it is, or by a method that its kind does not send, unless the request says
 * `reads`. The lint refuses the latter; a compiled manifest may still hold it.
 */
export function changesData({ name, steps }: Pick<Action, 'name' | 'steps'>): boolean {
  const kind = kindOf(name)
  return (
    kind === null ||
    kind.effect !== null ||
    steps.some(({ request }) => !kind.methods.includes(request.method) && request.reads !== true)
  )
}
