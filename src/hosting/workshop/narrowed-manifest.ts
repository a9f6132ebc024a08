// The part of a manifest that one operation needs: a draft may be large, and the thread that serves has no time for all of it.
import { ConnectorError } from '../../errors.ts'
import { calledAction } from '../../engine/run/for-each.ts'
import type { Action, Entity, Manifest } from '../../language/manifest/manifest.ts'
import type { OperationName } from '../../service/console/manifest-routes.ts'

/** With the operation and those that it calls. Throws `operation_unknown`. */
export function narrowedTo(manifest: Manifest, operation: OperationName): Manifest {
  const needed = new Set<Action>()
  let next: OperationName | null = operation
  while (next !== null) {
    const action = actionOf(manifest, next)
    if (needed.has(action)) break
    needed.add(action)
    if (action.forEach === undefined) break
    const [entity, name] = calledAction(action.forEach)
    next = { entity, action: name }
  }
  const entities = manifest.entities.flatMap((entity): readonly Entity[] => {
    const actions = entity.actions.filter((action) => needed.has(action))
    return actions.length === 0 ? [] : [{ ...entity, actions, search: null, sync: null }]
  })
  const { webhooks: _, ...rest } = manifest
  return { ...rest, check: null, entities }
}

function actionOf({ type, entities }: Manifest, { entity, action }: OperationName): Action {
  const found = entities
    .find(({ name }) => name === entity)
    ?.actions.find(({ name }) => name === action)
  if (found !== undefined) return found
  throw new ConnectorError('operation_unknown', `${type} has no ${entity}.${action}`, {
    details: { entity, action },
  })
}
