// Refused access, for the audit log: counted, and told once a minute, so that whoever tries much cannot fill the log.
import { isConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { AuditStore } from './store/audit.ts'
import { auditOf, OPERATOR } from './audit.ts'
import type { ServiceLog } from './log.ts'
import type { Principal } from './tokens/principal.ts'

/** A request that was refused for who sent it. */
export interface RefusedAccess {
  /** null: nobody that is known. */
  readonly principal: Pick<Principal, 'organizationId' | 'clientId'> | null
  readonly code: string
  readonly route: string
}

export interface Refusals {
  /** Counts answers that refuse access; others are no business of this log. */
  note(answer: RefusedAccess): void
  /** Tells what was counted, and stops. */
  close(): Promise<void>
}

const CODES: ReadonlySet<string> = new Set(['token_invalid', 'client_invalid', 'scope_denied'])
const TELL_EVERY_MS = 60_000
/** Different callers, codes and routes of a minute; what comes beyond is counted together. */
const MOST_KINDS = 200

export function createRefusals({
  audit,
  clock,
  log,
}: {
  readonly audit: Pick<AuditStore, 'append'>
  readonly clock: Clock
  readonly log: ServiceLog
}): Refusals {
  const counts = new Map<string, { readonly access: RefusedAccess; count: number }>()
  const stopped = new AbortController()

  async function tell(): Promise<void> {
    const told = [...counts.values()]
    counts.clear()
    try {
      for (const { access, count } of told) {
        const { principal, code, route } = access
        const outcome = `${code}, ${count} ${count === 1 ? 'time' : 'times'}`
        // Whoever is not known is nobody's client.
        const entry = auditOf(
          principal ?? { organizationId: OPERATOR, clientId: 'unknown' },
          null,
          'access.refuse',
          { target: route, outcome },
        )
        await audit.append(entry)
      }
    } catch (error) {
      const code = isConnectorError(error) ? error.code : 'internal_error'
      log.warn({ code }, 'refused access could not be told to the audit log')
    }
  }

  async function tellEveryMinute(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleep(TELL_EVERY_MS, stopped.signal).catch(() => {})
      await tell()
    }
  }
  const telling = tellEveryMinute()

  return {
    note(access) {
      if (!CODES.has(access.code)) return
      const { principal, code, route } = access
      const kind = JSON.stringify([principal?.organizationId, principal?.clientId, code, route])
      const known = counts.get(kind) ?? (counts.size < MOST_KINDS ? undefined : counts.get(''))
      if (known !== undefined) known.count += 1
      else if (counts.size < MOST_KINDS) counts.set(kind, { access, count: 1 })
      else counts.set('', { access: { principal: null, code, route: 'others' }, count: 1 })
    },
    async close() {
      stopped.abort()
      await telling
    },
  }
}
