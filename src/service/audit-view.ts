// Events of the audit log as people and programs get them: with the names that things have now.
import type { JsonObject } from '../language/json/json.ts'
import { NAMED_OUTCOMES } from '../display/audit-actions.ts'
import { ConnectorError } from '../errors.ts'
import { auditedUser } from './audit.ts'
import { routeWords } from './console/rights.ts'
import type { AuditEvent, AuditSearch } from './store/audit.ts'
import { timeText } from './store/instance-view.ts'
import type { Store } from './store/store.ts'

export type AuditStores = Pick<Store, 'audit' | 'instances' | 'applications' | 'people'>

/** What is asked for, by the names of the query of `GET /audit`. */
export type AuditQuery = Readonly<
  Partial<
    Record<
      | 'actor'
      | 'action'
      | 'outcome'
      | 'status'
      | 'connector_id'
      | 'external_user_id'
      | 'from'
      | 'to',
      string | undefined
    >
  >
>

/** Of an event with its names, in their order. */
export const AUDIT_COLUMNS = [
  'at',
  'actor',
  'action',
  'target',
  'outcome',
  'members',
  'connector_id',
  'request_id',
  'chain',
  'seq',
  'actor_name',
  'target_name',
  'connector_name',
] as const

/** Events with names are made for one listing, which reads no name twice. */
export class AuditView {
  readonly #store: AuditStores
  readonly #organizationId: string
  #actors: Promise<ReadonlyMap<string, string | null>> | null = null
  readonly #accounts = new Map<string, Promise<Account | null>>()

  constructor(store: AuditStores, organizationId: string) {
    this.#store = store
    this.#organizationId = organizationId
  }

  async show(event: AuditEvent): Promise<JsonObject> {
    const { actor, target, instanceId } = event
    const [names, account] = await Promise.all([
      (this.#actors ??= this.#readActors()),
      instanceId === null ? null : this.#account(instanceId),
    ])
    const isUser =
      account !== null && target === auditedUser(this.#organizationId, account.externalUserId)
    return {
      ...showAuditEvent(event),
      actor_name: names.get(actor) ?? null,
      target_name: isUser
        ? account.externalUserId
        : target === instanceId
          ? (account?.name ?? null)
          : event.action === 'access.refuse'
            ? routeWords(target)
            : (names.get(target) ?? null),
      connector_name: account?.name ?? null,
    }
  }

  #account(id: string): Promise<Account | null> {
    const known = this.#accounts.get(id)
    if (known !== undefined) return known
    const found = this.#store.instances
      .find(id)
      .then((row) => row && { name: row.name, externalUserId: row.externalUserId })
    this.#accounts.set(id, found)
    return found
  }

  async #readActors(): Promise<ReadonlyMap<string, string | null>> {
    const { applications, people } = this.#store
    const [apps, persons] = await Promise.all([
      applications.list(this.#organizationId),
      people.list(this.#organizationId),
    ])
    return new Map([
      ...apps.map(({ clientId, name }) => [clientId, name] as const),
      ...persons.map(({ login, name }) => [`person:${login}`, name] as const),
    ])
  }
}

interface Account {
  readonly name: string
  readonly externalUserId: string
}

/** Throws where a part of the log can not be read: a file that lacks it would look whole. */
export async function* auditPages(
  store: AuditStores,
  organizationId: string,
  {
    max = Number.MAX_SAFE_INTEGER,
    end,
    ...wanted
  }: Omit<AuditSearch, 'limit'> & {
    /** Events at most. */
    readonly max?: number
    /** Is told the last one when more follow it. */
    readonly end: (last: AuditEvent) => void
  },
): AsyncGenerator<readonly JsonObject[]> {
  const view = new AuditView(store, organizationId)
  let after = wanted.after
  for (let left = max; ;) {
    const limit = Math.min(left, AT_ONCE)
    const asked = { ...wanted, ...(after === undefined ? {} : { after }), limit: limit + 1 }
    const { events, isWhole } = await store.audit.search(organizationId, asked)
    if (!isWhole) throw new ConnectorError('store_unavailable', INCOMPLETE)
    const shown = events.slice(0, limit)
    yield await Promise.all(shown.map((event) => view.show(event)))
    const last = shown.at(-1)
    if (last === undefined || events.length <= limit) return
    left -= shown.length
    if (left === 0) return end(last)
    after = last
  }
}

const AT_ONCE = 500

export const INCOMPLETE =
  'a node of the database cannot be reached: the events that it keeps are missing'

/** What a query asks for. Its times have been checked. */
export async function auditSearch(
  store: Pick<Store, 'instances'>,
  organizationId: string,
  query: AuditQuery,
): Promise<Omit<AuditSearch, 'limit' | 'after'>> {
  const { actor, action, outcome, status, connector_id: instanceId, from, to } = query
  const { external_user_id: user } = query
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(status === undefined
      ? {}
      : { status: { is: status === 'done' ? 'done' : 'failed', without: NAMED_OUTCOMES } }),
    ...(instanceId === undefined ? {} : { instanceId }),
    ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
    ...(to === undefined ? {} : { toMs: Date.parse(to) }),
    ...(user === undefined ? {} : { about: await aboutUser(store, organizationId, user) }),
  }
}

/** As many instances of one user as are looked for. */
const MAX_INSTANCES = 500

/** What is about an end user: under the digest, under the id as earlier versions wrote it, and of the user's instances. */
export async function aboutUser(
  { instances }: Pick<Store, 'instances'>,
  organizationId: string,
  externalUserId: string,
): Promise<NonNullable<AuditSearch['about']>> {
  const owner = { organizationId, externalUserId }
  const { rows } = await instances.list(owner, { limit: MAX_INSTANCES })
  return {
    targets: [auditedUser(organizationId, externalUserId), externalUserId],
    instanceIds: rows.map(({ id }) => id),
  }
}

/** Without names. */
export function showAuditEvent(event: AuditEvent): JsonObject {
  const { actor, action, target, outcome, members, chain, seq } = event
  return {
    at: timeText(event.at),
    actor,
    action,
    target,
    outcome,
    members,
    connector_id: event.instanceId,
    request_id: event.requestId,
    chain,
    seq,
  }
}
