// Refused access, for the audit log: counted, and told once a minute, so that many attempts cannot fill the log.
import { isConnectorError } from '../errors.ts'
import { type Actor, auditedUser, auditOf, OPERATOR, UNKNOWN } from './audit.ts'
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
  /** In words, without what was sent; null: its code says all. */
  readonly why: string | null
}

const CODES: ReadonlySet<string> = new Set([
  'token_invalid',
  'client_invalid',
  'scope_denied',
  'address_denied',
])
const TELL_EVERY_MS = 60_000
/** Different callers, codes, routes, addresses and accounts of a minute; beyond them the last two are told no more. */
const MAX_EXACT = 100
/** Different callers, codes and routes, so that many addresses or accounts hide none; what comes beyond is counted together. */
const MAX_KINDS = 200

const OTHERS = {
  principal: null,
  address: null,
  route: 'others',
  connectorId: null,
  requestId: null,
  why: null,
} as const

interface Refused {
  readonly access: RefusedAccess
  readonly firstAt: number
  count: number
}

function kindOf({ principal, code, route, address, connectorId, why }: RefusedAccess): string {
  const { organizationId, clientId, person, tokenHash, sessionHash } = principal ?? {}
  const who = [organizationId, clientId, person?.login, tokenHash ?? sessionHash]
  return JSON.stringify([...who, code, route, address, connectorId, why])
}

/** What an id of an account looks like; anything may stand in a path. */
const ID = /^[\w-]{1,64}$/

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
    // Too many wrong secrets are as wrong as the first ones.
    const isGuess = access.code === 'rate_limited' && access.why !== null
    if (!CODES.has(access.code) && !isGuess) return
    const counts = this.#counts
    // Of client ids that somebody names there are no more than applications.
    const why = access.principal?.clientId === UNKNOWN ? access.why : null
    const coarse = { ...access, address: null, connectorId: null, why }
    const kept =
      counts.has(kindOf(access)) || counts.size < MAX_EXACT
        ? access
        : counts.has(kindOf(coarse)) || counts.size < MAX_KINDS
          ? coarse
          : { ...OTHERS, code: access.code }
    const known = counts.get(kindOf(kept))
    if (known === undefined)
      counts.set(kindOf(kept), { access: kept, firstAt: this.#ports.clock.now(), count: 1 })
    else known.count += 1
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
    const told = [...this.#counts]
    this.#counts.clear()
    let isAway = false
    for (const [kind, refused] of told)
      try {
        if (isAway) this.#putBack(kind, refused)
        else await this.#append(refused)
      } catch (error) {
        this.#ports.log.warn(
          { code: codeOf(error) },
          'refused access could not be written to the audit log',
        )
        isAway = isConnectorError(error) && error.code === 'store_unavailable'
        if (isAway) this.#putBack(kind, refused)
      }
  }

  async #append({ access, firstAt, count }: Refused): Promise<void> {
    const { code, route: target, address, requestId, why } = access
    const known = access.principal ?? { organizationId: OPERATOR, clientId: UNKNOWN }
    const user = known.externalUserId ?? null
    const instanceId = (await this.#accountOf(access))?.id ?? null
    const outcome = `${code}, ${count} ${count === 1 ? 'time' : 'times'}`
    // The entry bears the time at which it is written, up to a minute later.
    const members = [
      `first at ${timeText(firstAt)}`,
      ...(user === null ? [] : [`token for ${auditedUser(known.organizationId, user)}`]),
      ...(why === null ? [] : [why]),
    ]
    const about = { instanceId, target, outcome, members }
    const entry = auditOf({ ...known, address }, requestId, 'access.refuse', about)
    await this.#ports.store.audit.append(entry)
  }

  /** Told with those of the next minute. */
  #putBack(kind: string, refused: Refused): void {
    const later = this.#counts.get(kind)
    this.#counts.set(kind, { ...refused, count: refused.count + (later?.count ?? 0) })
  }

  /** The account that was asked for, where it is one of the caller's organisation. */
  async #accountOf({ principal, connectorId }: RefusedAccess): Promise<InstanceRow | null> {
    if (principal === null || connectorId === null || !ID.test(connectorId)) return null
    const row = await this.#ports.store.instances.find(connectorId)
    return row?.organizationId === principal.organizationId ? row : null
  }
}
