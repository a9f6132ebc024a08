// What a process does without being asked: refreshes ahead of need, and takes away what is over.
import { isConnectorError, isNodeAway } from '../errors.ts'
import type { ServiceBase } from './base.ts'
import { SESSION_IDLE_MS } from './console/sessions.ts'
import { retireDataKeys } from './credentials/renew-data-keys.ts'
import type { Connections } from './instances/connections.ts'
import { failureFacts } from './log.ts'
import { type Jobs, repeat } from './repeat.ts'
import { within } from './within.ts'

export interface JobPorts extends Pick<ServiceBase, 'store' | 'clock' | 'vault' | 'log' | 'logs'> {
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
/** Longer than a token endpoint takes. A refresh that cannot be stored, because a node of the database is away, goes on aside. */
const MAX_ROUND_MS = 120_000

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
  if (due.length === 0) return
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
  await within(clock, MAX_ROUND_MS, Promise.all(Array.from({ length: AT_ONCE }, work)))
}

async function purge(ports: JobPorts): Promise<void> {
  const { store, vault, clock, log, logs, eventDays, auditDays } = ports
  const abandoned = await store.audit.closeAbandoned(ABANDONED_MS)
  if (abandoned > 0) log.warn({ operations: abandoned }, 'processes ended during operations')
  const purges: Readonly<Record<string, () => Promise<number>>> = {
    tokens: () => store.tokens.purgeExpired(),
    oauth_states: () => store.oauthStates.purgeExpired(),
    oauth_secrets: () => store.oauthSecrets.purgeExpired(),
    connect_sessions: () => store.connectSessions.purgeExpired(),
    console_sessions: () => store.consoleSessions.purgeExpired(SESSION_IDLE_MS),
    idempotency: () => store.idempotency.purgeExpired(),
    data_keys: () => retireDataKeys({ store, vault }),
    rates: () => store.rates.purgeExpired(),
    webhook_receipts: () => store.vendorWebhooks.purgeExpired(),
    events: () => store.events.purgeBefore(clock.now() - eventDays * DAY_MS),
    audit: () => store.audit.purgeBefore(clock.now() - auditDays * DAY_MS),
    logs: () => store.logs.purge(clock.now() - logs.days * DAY_MS, logs.maxEntries),
  }
  const rows: Record<string, number> = {}
  for (const [name, remove] of Object.entries(purges))
    try {
      rows[name] = await remove()
    } catch (error) {
      // What lies on every node waits until all are there; the rest does not.
      if (!isNodeAway(error)) throw error
      log.warn({ ...failureFacts(error), rows: name }, 'expired rows are removed later')
    }
  if (Object.values(rows).some((count) => count > 0)) log.debug(rows, 'expired rows were removed')
}
