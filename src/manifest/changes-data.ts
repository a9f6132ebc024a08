// Which actions change something at the vendor.
import type { Action, ActionName, RequestTemplate } from './manifest.ts'

const WRITES: ReadonlySet<ActionName> = new Set(['create', 'update', 'delete'])
const CHANGING: ReadonlySet<RequestTemplate['method']> = new Set(['PUT', 'PATCH', 'DELETE'])

/** Whether an action of this name changes data by what it is. */
export function isWriteName(name: ActionName): boolean {
  return WRITES.has(name)
}

/** Whether a method changes data unless the manifest states otherwise. POST does not count: many vendors read by it. */
export function isChangingMethod(method: RequestTemplate['method']): boolean {
  return CHANGING.has(method)
}

/**
 * Whether an action changes data: by its name, or by a PUT, PATCH or DELETE of which the manifest does not state that it
 * `reads`. The lint refuses the latter; a compiled manifest may still hold it.
 */
export function changesData({ name, steps }: Pick<Action, 'name' | 'steps'>): boolean {
  return (
    isWriteName(name) ||
    steps.some(({ request }) => isChangingMethod(request.method) && request.reads !== true)
  )
}
