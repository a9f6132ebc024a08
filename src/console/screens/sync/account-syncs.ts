// How far the copies of several accounts are, a line for each.
import type { All, Instance, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'

export interface AccountSync {
  readonly instance: Instance
  readonly sync: LastSync
}

/** Each of them costs the service a look-up. An account that is gone meanwhile has no line. */
export async function accountSyncs(
  accounts: readonly Instance[],
  signal: AbortSignal,
): Promise<readonly AccountSync[]> {
  if (accounts.length === 0) return []
  const query = { connector_ids: accounts.map(({ id }) => id).join(',') }
  const { data } = await call<All<LastSync>>('GET', '/last-syncs', { query, signal })
  const byId = new Map(data.map((sync) => [sync.connector_id, sync]))
  return accounts.flatMap((instance) => {
    const sync = byId.get(instance.id)
    return sync === undefined ? [] : [{ instance, sync }]
  })
}
