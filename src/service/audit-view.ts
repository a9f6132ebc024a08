// Events of the audit log as people and programs get them: with the names that things have now.
import type { JsonObject } from '../language/json/json.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { actionWords, deedWords, NAMED_OUTCOMES, WRONG_OUTCOMES } from '../display/audit-actions.ts'
import { ConnectorError } from '../errors.ts'
import { AUDITED_USER, auditedUser } from './audit.ts'
import { routeWords } from './console/rights.ts'
import type { AuditEvent, AuditSearch } from './store/audit.ts'
import { timeText } from './store/instance-view.ts'
import { logWordsIn } from './store/log-words.ts'
import type { Store } from './store/store.ts'

export type AuditStores = Pick<Store, 'audit' | 'instances' | 'applications' | 'people'>

/** What is asked for, by the names of the query of `GET /audit`. */
export type AuditQuery = Readonly<
  Partial<
    Record<
      | 'actor'
      | 'action'
      | 'without'
      | 'outcome'
      | 'status'
      | 'target'
      | 'request_id'
      | 'address'
      | 'token'
      | 'text'
      | 'chain'
      | 'seq'
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
  'address',
  'token',
  'external_user_id',
] as const

/** So many users are looked through for the one whose digest an event has. */
const MAX_USERS = 2_000

/** Events with names are made for one listing, which reads no name twice. */
export class AuditView {
  readonly #store: AuditStores
  readonly #organizationId: string
  #actors: Promise<ReadonlyMap<string, string | null>> | null = null
  #users: Promise<ReadonlyMap<string, string>> | null = null
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
            : target.startsWith(AUDITED_USER)
              ? await this.#userOf(target)
              : (names.get(target) ?? null),
      connector_name: account?.name ?? null,
      address: event.address,
      token: event.token,
      external_user_id: account?.externalUserId ?? null,
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

  /** Of an end user who has accounts; null: there is none, or too many others come before. */
  async #userOf(target: string): Promise<string | null> {
    const { instances } = this.#store
    const organizationId = this.#organizationId
    this.#users ??= instances
      .users({ organizationId }, { contains: '', limit: MAX_USERS })
      .then(({ users }) => new Map(users.map((user) => [auditedUser(organizationId, user), user])))
    return (await this.#users).get(target) ?? null
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

/** Events that are wanted, and that have all these words in what is shown of them. */
export interface AuditWanted extends Omit<AuditSearch, 'limit'> {
  readonly words: readonly string[]
}

/** An event, with what is shown of it. */
interface Shown {
  readonly event: AuditEvent
  readonly shown: JsonObject
}

async function showThose(
  view: AuditView,
  events: readonly AuditEvent[],
  words: readonly string[],
): Promise<readonly Shown[]> {
  const all = await Promise.all(
    events.map(async (event) => ({ event, shown: await view.show(event) })),
  )
  return words.length === 0 ? all : all.filter((each) => hasWords(each, words))
}

/** In upper or lower case: what stands in the event, the names of what it tells, and the action in words, also as a deed. */
function hasWords({ event, shown }: Shown, words: readonly string[]): boolean {
  const { action, outcome } = event
  const inWords = [actionWords(action), deedWords(action, outcome)]
  const said = [...Object.values(shown).flat(), ...inWords]
  const text = said
    .filter((value) => typeof value === 'string')
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

export interface FoundAudit {
  readonly rows: readonly Shown[]
  /** Where to go on; null: that is all. */
  readonly more: AuditEvent | null
  /** False: a node of the database is away. */
  readonly isWhole: boolean
}

/** Some events that were looked at, those of them that have the words, and the last one where more follow. */
interface Step {
  readonly rows: readonly Shown[]
  readonly more: AuditEvent | null
  readonly isWhole: boolean
}

/** Looks at all that is wanted, `atOnce` events at a time. */
async function* lookThrough(
  store: AuditStores,
  organizationId: string,
  { words, ...wanted }: AuditWanted,
  atOnce: number,
): AsyncGenerator<Step> {
  const view = new AuditView(store, organizationId)
  for (let { after } = wanted; ;) {
    const asked = { ...wanted, ...(after === undefined ? {} : { after }), limit: atOnce + 1 }
    const { events, isWhole } = await store.audit.search(organizationId, asked)
    const looked = events.slice(0, atOnce)
    const more = events.length > atOnce ? (looked.at(-1) ?? null) : null
    yield { rows: await showThose(view, looked, words), more, isWhole }
    if (more === null) return
    after = more
  }
}

const AT_ONCE = 500

/** A page of events. A search for rare words ends after `searchMs`, and goes on behind `more`. */
export async function findAudit(
  { store, clock }: { readonly store: AuditStores; readonly clock: Clock },
  organizationId: string,
  {
    limit,
    searchMs = SEARCH_MS,
    ...wanted
  }: AuditWanted & { readonly limit: number; readonly searchMs?: number },
): Promise<FoundAudit> {
  const until = clock.monotonic() + searchMs
  const isPlain = wanted.words.length === 0
  const rows: Shown[] = []
  let isWhole = true
  for await (const step of lookThrough(store, organizationId, wanted, isPlain ? limit : AT_ONCE)) {
    isWhole &&= step.isWhole
    rows.push(...step.rows)
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), more: rows[limit - 1]?.event ?? null, isWhole }
    if (step.more !== null && (isPlain || clock.monotonic() >= until))
      return { rows, more: step.more, isWhole }
  }
  return { rows, more: null, isWhole }
}

/** As those of the logs. */
const SEARCH_MS = 1500

/** Throws where a part of the log can not be read: a file that lacks it would look whole. */
export async function* auditPages(
  store: AuditStores,
  organizationId: string,
  {
    max = Number.MAX_SAFE_INTEGER,
    end,
    ...wanted
  }: AuditWanted & {
    /** Events at most. */
    readonly max?: number
    /** Is told the last one when more follow it. */
    readonly end: (last: AuditEvent) => void
  },
): AsyncGenerator<readonly JsonObject[]> {
  let left = max
  for await (const step of lookThrough(store, organizationId, wanted, AT_ONCE)) {
    if (!step.isWhole) throw new ConnectorError('store_unavailable', INCOMPLETE)
    const rows = step.rows.slice(0, left)
    left -= rows.length
    if (rows.length > 0) yield rows.map(({ shown }) => shown)
    if (left > 0) continue
    const last = rows.length < step.rows.length ? (rows.at(-1)?.event ?? null) : step.more
    if (last !== null) end(last)
    return
  }
}

export const INCOMPLETE =
  'a node of the database cannot be reached: the events that it keeps are missing'

/** What a query asks for. Its times have been checked. */
export async function auditSearch(
  store: Pick<Store, 'instances'>,
  organizationId: string,
  query: AuditQuery,
): Promise<Omit<AuditWanted, 'after'>> {
  const { status, from, to, external_user_id: user } = query
  return {
    ...equalTo(query),
    ...(query.seq === undefined ? {} : { seq: Number(query.seq) }),
    words: logWordsIn(query.text ?? ''),
    ...(query.without === undefined
      ? {}
      : { without: query.without.split(',').filter((each) => each !== '') }),
    ...(status === undefined
      ? {}
      : {
          status: {
            is: status === 'done' ? 'done' : 'failed',
            without: NAMED_OUTCOMES,
            wrong: WRONG_OUTCOMES,
          },
        }),
    ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
    ...(to === undefined ? {} : { toMs: Date.parse(to) }),
    ...(user === undefined ? {} : { about: await aboutUser(store, organizationId, user) }),
  }
}

/** What is compared as it is: member of the query, and of the search. */
const EQUAL = {
  actor: 'actor',
  action: 'action',
  outcome: 'outcome',
  target: 'target',
  request_id: 'requestId',
  address: 'address',
  token: 'token',
  connector_id: 'instanceId',
  chain: 'chain',
} as const

function equalTo(
  query: AuditQuery,
): Partial<Pick<AuditSearch, (typeof EQUAL)[keyof typeof EQUAL]>> {
  const names = Object.keys(EQUAL) as (keyof typeof EQUAL)[]
  return Object.fromEntries(
    names.flatMap((name) => (query[name] === undefined ? [] : [[EQUAL[name], query[name]]])),
  )
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
