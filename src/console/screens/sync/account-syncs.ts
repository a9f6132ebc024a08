// How far the copies of several accounts are, a line for each.
import type { All, Instance, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'

export interface AccountSync {
  readonly instance: Instance
  readonly sync: LastSync
}

/** As many ids as an address has room for, before any proxy. */
const AT_ONCE = 50

/** Each of them costs the service a look-up. An account that is gone meanwhile has no line. */
export async function accountSyncs(
  accounts: readonly Instance[],
  signal: AbortSignal,
): Promise<readonly AccountSync[]> {
  const byId = new Map<string, LastSync>()
  for (let from = 0; from < accounts.length; from += AT_ONCE) {
    const some = accounts.slice(from, from + AT_ONCE)
    const query = { connector_ids: some.map(({ id }) => id).join(',') }
    const { data } = await call<All<LastSync>>('GET', '/last-syncs', { query, signal })
    for (const sync of data) byId.set(sync.connector_id, sync)
  }
  return accounts.flatMap((instance) => {
    const sync = byId.get(instance.id)
    return sync === undefined ? [] : [{ instance, sync }]
  })
}
