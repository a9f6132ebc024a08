// Refused access, for the audit log: counted, and told once a minute, so that many attempts cannot fill the log.
import { type Actor, auditOf, OPERATOR } from './audit.ts'
import type { ServiceBase } from './base.ts'
import { codeOf } from './log.ts'
import type { InstanceRow } from './store/instances.ts'
import { timeText } from './store/instance-view.ts'

/** A request that was refused for who sent it. */
export interface RefusedAccess {
  /** null: nobody that is known. */
  readonly principal: Actor | null
  readonly code: string
  readonly route: string
  /** From where; null: not known, or an end user. */
  readonly address: string | null
  /** As the path of the request names it: maybe of nobody. */
  readonly connectorId: string | null
  readonly requestId: string | null
}

const CODES: ReadonlySet<string> = new Set(['token_invalid', 'client_invalid', 'scope_denied'])
const TELL_EVERY_MS = 60_000
/** Different callers, addresses, accounts, codes and routes of a minute; what comes beyond is counted together. */
const MAX_KINDS = 200

const OTHERS = {
  principal: null,
  address: null,
  route: 'others',
  connectorId: null,
  requestId: null,
} as const

interface Refused {
  readonly access: RefusedAccess
  readonly firstAt: number
  count: number
}

export class Refusals {
  readonly #ports: Pick<ServiceBase, 'store' | 'clock' | 'log'>
  readonly #counts = new Map<string, Refused>()
  readonly #stopped = new AbortController()
  readonly #telling: Promise<void>

  constructor(ports: Pick<ServiceBase, 'store' | 'clock' | 'log'>) {
    this.#ports = ports
    this.#telling = this.#tellEveryMinute()
  }

  /** Counts answers that refuse access; others are no business of this log. */
  note(access: RefusedAccess): void {
    if (!CODES.has(access.code)) return
    const { principal, code, route, address, connectorId } = access
    const counts = this.#counts
    const kind = JSON.stringify([
      principal?.organizationId,
      principal?.clientId,
      principal?.person?.login,
      principal?.tokenHash ?? principal?.sessionHash,
      address,
      code,
      route,
      connectorId,
    ])
    const known = counts.get(kind) ?? (counts.size < MAX_KINDS ? undefined : counts.get(''))
    if (known !== undefined) known.count += 1
    else {
      const firstAt = this.#ports.clock.now()
      const others = { ...OTHERS, code }
      if (counts.size < MAX_KINDS) counts.set(kind, { access, firstAt, count: 1 })
      else counts.set('', { access: others, firstAt, count: 1 })
    }
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    await this.#telling
  }

  async #tellEveryMinute(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await this.#ports.clock.sleep(TELL_EVERY_MS, signal).catch(() => {})
      await this.#tell()
    }
  }

  async #tell(): Promise<void> {
    const { store, log } = this.#ports
    const told = [...this.#counts.values()]
    this.#counts.clear()
    try {
      for (const { access, firstAt, count } of told) {
        const { code, route: target, address, requestId } = access
        const known = access.principal ?? { organizationId: OPERATOR, clientId: 'unknown' }
        const principal = { ...known, address }
        const instanceId = (await this.#accountOf(access))?.id ?? null
        const outcome = `${code}, ${count} ${count === 1 ? 'time' : 'times'}`
        // The entry bears the time at which it is written, up to a minute later.
        const members = [`first at ${timeText(firstAt)}`]
        const about = { instanceId, target, outcome, members }
        await store.audit.append(auditOf(principal, requestId, 'access.refuse', about))
      }
    } catch (error) {
      log.warn({ code: codeOf(error) }, 'refused access could not be written to the audit log')
    }
  }

  /** The account that was asked for, where it is one of the caller's organisation. */
  async #accountOf({ principal, connectorId }: RefusedAccess): Promise<InstanceRow | null> {
    if (principal === null || connectorId === null) return null
    const row = await this.#ports.store.instances.find(connectorId)
    return row?.organizationId === principal.organizationId ? row : null
  }
}
