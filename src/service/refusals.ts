// Refused access, for the audit log: counted, and told once a minute, so that many attempts cannot fill the log.
import { type Actor, auditOf, OPERATOR } from './audit.ts'
import type { ServiceBase } from './base.ts'
import { codeOf } from './log.ts'
import { timeText } from './store/instance-view.ts'

/** A request that was refused for who sent it. */
export interface RefusedAccess {
  /** null: nobody that is known. */
  readonly principal: Actor | null
  readonly code: string
  readonly route: string
}

const CODES: ReadonlySet<string> = new Set(['token_invalid', 'client_invalid', 'scope_denied'])
const TELL_EVERY_MS = 60_000
/** Different callers, codes and routes of a minute; what comes beyond is counted together. */
const MAX_KINDS = 200

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
    const { principal, code, route } = access
    const counts = this.#counts
    const kind = JSON.stringify([
      principal?.organizationId,
      principal?.clientId,
      principal?.person?.login,
      code,
      route,
    ])
    const known = counts.get(kind) ?? (counts.size < MAX_KINDS ? undefined : counts.get(''))
    if (known !== undefined) known.count += 1
    else {
      const firstAt = this.#ports.clock.now()
      const others = { principal: null, code, route: 'others' }
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
        const { code, route: target } = access
        const principal = access.principal ?? { organizationId: OPERATOR, clientId: 'unknown' }
        const outcome = `${code}, ${count} ${count === 1 ? 'time' : 'times'}`
        // The entry bears the time at which it is written, up to a minute later.
        const members = [`first at ${timeText(firstAt)}`]
        const about = { target, outcome, members }
        await store.audit.append(auditOf(principal, null, 'access.refuse', about))
      }
    } catch (error) {
      log.warn({ code: codeOf(error) }, 'refused access could not be written to the audit log')
    }
  }
}
