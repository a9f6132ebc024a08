// What a process does without being asked: refreshes ahead of need, and takes away what is over.
import { isConnectorError } from '../errors.ts'
import type { ServiceBase } from './base.ts'
import { retireDataKeys } from './credentials/renew-data-keys.ts'
import type { Connections } from './instances/connections.ts'
import { type Jobs, repeat } from './repeat.ts'

export interface JobPorts extends Pick<ServiceBase, 'store' | 'clock' | 'vault' | 'log'> {
  readonly connections: Connections
  /** How long events are kept. */
  readonly eventDays: number
  /** How long the audit log is kept. */
  readonly auditDays: number
}

const REFRESH_EVERY_MS = 10_000
const PURGE_EVERY_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** Longer than any operation may take; what is older belongs to a process that has ended. */
const ABANDONED_MS = 15 * 60_000
const BATCH = 50
const AT_ONCE = 8

const FAILURE = 'a background job failed; it runs again'

/** Starts the jobs of one process. Any number of processes may run them: the store decides who does what. */
export function startJobs(ports: JobPorts): readonly Jobs[] {
  const refresh = (stopped: AbortSignal): Promise<void> => refreshDue(ports, stopped)
  return [
    repeat(ports, { everyMs: REFRESH_EVERY_MS, step: refresh, failure: FAILURE }),
    repeat(ports, { everyMs: PURGE_EVERY_MS, step: () => purge(ports), failure: FAILURE }),
  ]
}

async function refreshDue(ports: JobPorts, stopped: AbortSignal): Promise<void> {
  const { store, clock, connections } = ports
  // First those whose provider may take the spent refresh token for a little longer only.
  const abandoned = await store.intents.abandoned(BATCH)
  const expiring = await store.credentials.expiring(clock.now(), BATCH)
  const due = [...new Map([...abandoned, ...expiring].map((row) => [row.id, row])).values()]
  // Several at once: a token endpoint that hangs delays its own kind only.
  const work = async (): Promise<void> => {
    for (let row = due.shift(); row !== undefined && !stopped.aborted; row = due.shift()) {
      try {
        const { keeper } = await connections.of(row)
        await keeper.refreshDue()
      } catch (error) {
        // The keeper has said in the instance's state what it means; here it is only put off.
        if (!isConnectorError(error)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function purge({ store, vault, clock, log, eventDays, auditDays }: JobPorts): Promise<void> {
  const abandoned = await store.audit.closeAbandoned(ABANDONED_MS)
  if (abandoned > 0) log.warn({ operations: abandoned }, 'processes ended during operations')
  const rows = {
    tokens: await store.tokens.purgeExpired(),
    oauth_states: await store.oauthStates.purgeExpired(),
    oauth_secrets: await store.oauthSecrets.purgeExpired(),
    connect_sessions: await store.connectSessions.purgeExpired(),
    idempotency: await store.idempotency.purgeExpired(),
    data_keys: await retireDataKeys({ store, vault }),
    rates: await store.rates.purgeExpired(),
    events: await store.events.purgeBefore(clock.now() - eventDays * DAY_MS),
    audit: await store.audit.purgeBefore(clock.now() - auditDays * DAY_MS),
  }
  if (Object.values(rows).some((count) => count > 0)) log.debug(rows, 'expired rows were removed')
}
