// /audit: who did what in an organisation, with its instances and above them, the newest first.
import { auditedUser } from '../audit.ts'
import type { Cursors } from '../cursors.ts'
import { json, type Handler, type Route, routes, type ServiceRequest } from '../route.ts'
import type { AuditEvent, AuditSearch } from '../store/audit.ts'
import { timeText } from '../store/instance-view.ts'
import type { Store } from '../store/store.ts'
import { requireWhole } from '../tokens/principal.ts'
import { limitIn, pageOf } from './pages.ts'
import * as s from './schemas.ts'

export interface AuditRoutePorts {
  readonly store: Pick<Store, 'audit' | 'instances' | 'applications' | 'people'>
  readonly cursors: Cursors
}

const NAME = { type: ['string', 'null'] } as const

const EVENT = s.open({
  at: s.TIME,
  actor: {
    type: 'string',
    description:
      'The application, `person:` and the login of somebody at the console, `cli`, `host` or `service`.',
  },
  action: { type: 'string' },
  target: {
    type: 'string',
    description: 'End users stand here as `user:` and a digest, never by their ids.',
  },
  outcome: { type: 'string' },
  members: s.listOf({ type: 'string' }),
  connector_id: s.orNull({ type: 'string' }),
  request_id: s.orNull({ type: 'string' }),
  chain: { type: 'string' },
  seq: { type: 'integer' },
  actor_name: { ...NAME, description: 'Of the application or the person; null: there is none.' },
  target_name: {
    ...NAME,
    description:
      'Of the application, the person or the account; of an end user the id, while the account is there.',
  },
  connector_name: { ...NAME, description: 'Of the account, while it is there.' },
})

export function auditRoutes(ports: AuditRoutePorts): readonly Route[] {
  return routes('application', [
    {
      name: 'listAudit',
      at: 'GET /audit',
      queryExample: { action: 'instance', limit: '50' },
      summary: 'Read the audit log: who did what, names and never values, the newest first',
      query: s.closed({
        actor: s.TEXT,
        action: {
          ...s.TEXT,
          description: 'One action, or its first word: `instance` is all that begin with it.',
        },
        outcome: s.TEXT,
        connector_id: { type: 'string', maxLength: 100 },
        external_user_id: {
          ...s.TEXT,
          description: 'What is about this user, and about the instances that they have now.',
        },
        from: { ...s.TIME, description: 'Not before this time.' },
        to: { ...s.TIME, description: 'Before this time.' },
        cursor: { type: 'string', maxLength: 500 },
        limit: s.LIMIT,
      }),
      success: s.answersPage('The newest first.', EVENT),
      errors: ['cursor_invalid'],
      handle: (request) => list(ports, request),
    },
  ])
}

const list: Handler<AuditRoutePorts> = async ({ store, cursors }, { principal, query }) => {
  requireWhole(principal)
  const { organizationId } = principal
  const limit = limitIn(query['limit'])
  const { cursor, limit: _limit, ...filter } = query
  const purpose = `audit:${JSON.stringify(filter)}`
  const place = cursor === undefined ? undefined : await cursors.open(principal, cursor, purpose)
  const { events, isWhole } = await store.audit.search(organizationId, {
    ...(await wantedIn(store, organizationId, query)),
    // Written below.
    ...(place === undefined ? {} : { after: JSON.parse(place) as AuditSearch['after'] & object }),
    limit: limit + 1,
  })
  const { rows, meta } = await pageOf(events, limit, ({ at, chain, seq }) =>
    cursors.seal(principal, JSON.stringify({ at, chain, seq }), purpose),
  )
  const names = await namesOf(store, organizationId, rows)
  return json(200, {
    data: rows.map((event) => ({ ...showAuditEvent(event), ...names(event) })),
    meta: isWhole ? meta : { ...meta, incomplete: INCOMPLETE },
  })
}

/** What people call those that events tell of, as they are called now. */
async function namesOf(
  { applications, people, instances }: AuditRoutePorts['store'],
  organizationId: string,
  events: readonly AuditEvent[],
): Promise<(event: AuditEvent) => object> {
  const ids = new Set(events.flatMap(({ instanceId }) => instanceId ?? []))
  const [apps, persons, accounts] = await Promise.all([
    applications.list(organizationId),
    people.list(organizationId),
    Promise.all([...ids].map((id) => instances.find(id))),
  ])
  const names = new Map([
    ...apps.map(({ clientId, name }) => [clientId, name] as const),
    ...persons.map(({ login, name }) => [`person:${login}`, name] as const),
  ])
  const rows = new Map(accounts.flatMap((row) => (row === null ? [] : [[row.id, row] as const])))
  return ({ actor, target, instanceId }) => {
    const row = rows.get(instanceId ?? '')
    const isUser = row !== undefined && target === auditedUser(organizationId, row.externalUserId)
    return {
      actor_name: names.get(actor) ?? null,
      target_name: isUser
        ? row.externalUserId
        : target === row?.id
          ? row.name
          : (names.get(target) ?? null),
      connector_name: row?.name ?? null,
    }
  }
}

const INCOMPLETE = 'a node of the database cannot be reached: the events that it keeps are missing'

async function wantedIn(
  store: AuditRoutePorts['store'],
  organizationId: string,
  query: ServiceRequest['query'],
): Promise<Omit<AuditSearch, 'limit' | 'after'>> {
  const { actor, action, outcome, connector_id: instanceId, from, to } = query
  const { external_user_id: user } = query
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(outcome === undefined ? {} : { outcome }),
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

/** As answers and the command line show it. */
export function showAuditEvent(event: AuditEvent): object {
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
