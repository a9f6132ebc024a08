// The copies of an account, as its sync status shows them.
import type { SyncStatus } from '../../../src/client/service-bodies.ts'
import { eventually } from '../../faults/resources.ts'
import type { RunningService } from '../../fixtures/running-service.ts'

export const syncPath = (id: string): string => `/v1/integrations/connectors/${id}/sync`

export async function copiesOf(world: RunningService, id: string): Promise<readonly SyncStatus[]> {
  const { body } = await world.call('GET', syncPath(id))
  return (body as { readonly data: readonly SyncStatus[] }).data
}

/** Connects an account; its id, once every copy was read as a whole. */
export async function connectRead(world: RunningService, type: string): Promise<string> {
  const id = await world.connect(type)
  await eventually(async () => {
    const copies = await copiesOf(world, id)
    return copies.length > 0 && copies.every(({ state }) => state === 'ready')
  })
  return id
}
