// /integrations/connectors: the instances.
import { createHash } from 'node:crypto'
import { SYNC_TROUBLES } from '../../display/account-states.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { showInstance, timeText } from '../store/instance-view.ts'
import {
  type InstanceFilter,
  type InstanceGroup,
  type InstanceOrder,
  type InstanceRow,
  type InstanceState,
  LATEST,
  type SyncTrouble,
} from '../store/instances.ts'
import type { Owner } from '../store/owner.ts'
import { dialectOf } from '../dialects.ts'
import type { ServiceBase } from '../base.ts'
import { type IdempotencyPorts, runOnce } from '../idempotency.ts'
import { ACCESS, showAccess } from '../instances/access.ts'
import type { Connections } from '../instances/connections.ts'
import { InstanceCounts, withOverdue } from '../instances/instance-counts.ts'
import { changedMeanwhile, type Instances } from '../instances/instances.ts'
import {
  empty,
  type Entry,
  type Handler,
  instanceIdIn,
  json,
  type Route,
  routes,
  type ServiceReply,
  type ServiceRequest,
} from '../route.ts'
import { ownerOf, type Principal } from '../tokens/principal.ts'
import { problemOf } from '../http/problem.ts'
import type { Cursors } from '../cursors.ts'
import type { LateAccounts } from '../sync/late-accounts.ts'
import type { Subscriptions } from '../vendor-webhooks/subscriptions.ts'
import { limitIn, pageOf } from './pages.ts'
import * as s from './schemas.ts'

export interface InstanceRoutePorts
  extends IdempotencyPorts, Pick<ServiceBase, 'clock' | 'rows' | 'publicUrl' | 'catalogue'> {
  readonly instances: Instances
  readonly connections: Connections
  readonly subscriptions: Pick<Subscriptions, 'status'>
  readonly cursors: Cursors
  readonly late: Pick<LateAccounts, 'overdue'>
  /** What answers show of instances whose interval nobody set. */
  readonly syncIntervalSeconds: number
}

const COLLECTION = '/integrations/connectors'
export const ONE = '/integrations/connectors/{connector_id}'

const CHECK_QUERY = s.closed({
  check: { ...s.YES_NO, description: 'false: the credentials are not checked.' },
})
const INPUT_ERRORS = [
  'credentials_invalid',
  'config_invalid',
  'destination_refused',
  'oauth_secret_unknown',
  'oauth_secret_used',
  'credentials_refused',
  'reauthorization_required',
  'upstream_forbidden',
] as const

const INCOMPLETE_MEMBER = {
  type: 'string',
  description:
    'What is missing; there only while a node of the database cannot be reached. Instances that are missing are not gone.',
}

const IN_ORDER = 'Instances in the order of `sort`, or else by id, oldest first.'

/** The orders of the listing; `-` in front is the opposite one. */
const SORTS: Readonly<Record<string, InstanceOrder['by']>> = {
  created_at: 'id',
  name: 'name',
  updated_at: 'updatedAt',
}

const LISTING = s.closed({
  external_user_id: s.TEXT,
  connector_type: s.TEXT,
  state: s.STATE,
  name: s.TEXT,
  starts_with: {
    ...s.TEXT,
    description:
      'The beginning of the name, the user or the id; ASCII letters in upper or lower case.',
  },
  contains: {
    ...s.TEXT,
    description: `Words, each of which occurs in the name, the user, the id or the connector; ASCII letters in upper or lower case. The ${LATEST.toLocaleString('en')} most recently changed instances are searched; \`starts_with\` searches all.`,
  },
  sync: {
    enum: SYNC_TROUBLES,
    description:
      'failing: only instances of which a copy fails that is kept up, none that is paused, disabled or needs re-authentication. attention: these, and those that need re-authentication. late: only instances of which a copy that is kept up fails, or was not read although it was due an interval of it ago or earlier; where very many are late, as they were some seconds ago.',
  },
  sort: {
    enum: Object.keys(SORTS).flatMap((sort) => [sort, `-${sort}`]),
    default: 'created_at',
    description: 'With a leading `-`: descending, so the newest times first.',
  },
  counts: {
    ...s.YES_NO,
    description:
      'true: `meta` has `total` and `facets`. Asked for with the first page, it is fast.',
  },
  limit: s.LIMIT,
  cursor: { type: 'string', maxLength: 4096 },
})

const FACET = s.listOf(s.open({ value: { type: 'string' }, count: { type: 'integer' } }))

const LISTING_META: s.Members = {
  total: {
    type: 'integer',
    description: 'How many instances match the filters, on all pages; with `counts=true`.',
  },
  facets: {
    ...s.open({ connector_type: FACET, state: FACET, sync: FACET }),
    description:
      'How many there are of each connector, in each state, and of which a copy fails, which need attention or have a copy that is late, under the other filters, the most first; with `counts=true`.',
  },
  counted_at: {
    type: 'string',
    format: 'date-time',
    description: 'When they were counted, where there are too many to count for every response.',
  },
  searched_to: {
    type: 'string',
    format: 'date-time',
    description:
      'When the newest instance changed that was not looked at; with `contains`, where there are so many.',
  },
  incomplete: INCOMPLETE_MEMBER,
}

/** The listing under the names that older clients of the API's origin know it by, and the member that they read. */
const FOR_USER = [
  {
    name: 'listConnectorsForUser',
    at: 'GET /connectors/connectors_for_user',
    member: 'connectors',
  },
  { name: 'listInstancesForUser', at: 'GET /connectors/instances_for_user', member: 'instances' },
] as const

export function instanceRoutes(ports: InstanceRoutePorts): readonly Route[] {
  const { rows, instances, subscriptions } = ports
  const counts = new InstanceCounts(ports.store, ports.clock, ports.late)
  return routes('any', [
    {
      name: 'createConnectorInstance',
      at: `POST ${COLLECTION}`,
      manage: true,
      queryExample: { check: 'true' },
      summary: 'Create a connector instance',
      body: s.requiredBody(['external_user_id', 'connector_type', 'name'], {
        external_user_id: s.TEXT,
        connector_type: s.TEXT,
        ...s.INSTANCE_INPUT,
      }),
      query: CHECK_QUERY,
      headers: ['idempotency-key'],
      success: s.answers(201, 'The instance.', s.INSTANCE, ['etag', 'location']),
      errors: [
        'connector_unknown',
        'scope_denied',
        ...INPUT_ERRORS,
        'idempotency_in_flight',
        'idempotency_key_reused',
      ],
      example: {
        external_user_id: 'user-42',
        connector_type: 'gong',
        name: 'Gong of ACME',
        credentials: { access_key: '…', access_key_secret: '…' },
      },
      handle: (request) => createOnce(ports, request),
    },
    {
      name: 'listConnectorInstances',
      at: `GET ${COLLECTION}`,
      queryExample: { external_user_id: 'user-42', connector_type: 'gong', limit: '50' },
      summary: 'List connector instances',
      query: LISTING,
      success: s.answersPage(IN_ORDER, s.INSTANCE, undefined, LISTING_META),
      errors: ['cursor_invalid'],
      handle: (request) => list({ ...ports, counts }, request, 'data'),
    },
    ...FOR_USER.map(({ name, at, member }): Entry => ({
      name,
      at,
      summary: `List connector instances as ${member}, for clients written for the original API`,
      queryExample: { external_user_id: 'user-42', connector_type: 'gong' },
      query: LISTING,
      success: s.answersWith(200, IN_ORDER, {
        [member]: s.listOf(s.INSTANCE),
        meta: s.page({ type: ['string', 'null'] }, LISTING_META),
      }),
      errors: ['cursor_invalid'],
      handle: (request) => list({ ...ports, counts }, request, member),
    })),
    {
      name: 'listWorkspaces',
      at: 'GET /workspaces',
      queryExample: { name_contains: 'user' },
      summary: 'List end users with instances, as workspaces',
      query: s.closed({
        name_contains: { ...s.TEXT, description: 'Part of the name, in upper or lower case.' },
        limit: s.LIMIT,
        cursor: { type: 'string', maxLength: 4096 },
      }),
      success: s.answersPage(
        'Users, by name.',
        s.open(s.each(['id', 'name'], { type: 'string', description: 'The external_user_id.' })),
        undefined,
        { incomplete: INCOMPLETE_MEMBER },
      ),
      errors: ['cursor_invalid'],
      handle: (request) => listWorkspaces(ports, request),
    },
    {
      name: 'getConnectorInstance',
      at: `GET ${ONE}`,
      summary: 'Get a connector instance',
      headers: ['if-none-match'],
      success: [
        ...s.answers(200, 'The instance.', s.INSTANCE, ['etag']),
        ...s.answers(304, 'Not modified.', null, ['etag']),
      ],
      errors: ['instance_unknown'],
      async handle(request) {
        const row = await rows.read(request.principal, instanceIdIn(request))
        const shown = shownInstance(ports, request.principal, row)
        const { etag } = shown
        return isListed(request.header('if-none-match'), etag)
          ? empty(304, { etag })
          : json(200, shown.instance, { etag })
      },
    },
    {
      name: 'updateConnectorInstance',
      at: `PATCH ${ONE}`,
      manage: true,
      queryExample: { check: 'false' },
      summary: 'Update a connector instance, or reconnect it with other credentials',
      body: s.requiredBody([], {
        ...s.INSTANCE_CHANGE,
        connector_version: {
          type: 'string',
          description:
            'A loaded version of the connector, in full or by its major; settings and credentials must fit it.',
        },
        config: {
          ...s.FREE,
          description: 'Connector settings to change; the others stay, and null removes one.',
        },
        enabled: { type: 'boolean' },
      }),
      query: CHECK_QUERY,
      headers: ['if-match'],
      success: s.answers(200, 'The instance.', s.INSTANCE, ['etag']),
      errors: ['instance_unknown', 'precondition_failed', ...INPUT_ERRORS],
      example: { name: 'Gong of ACME, EU' },
      handle: (request) => change(ports, request),
    },
    {
      name: 'getAccess',
      at: `GET ${ONE}/access`,
      summary: 'Get when the token of an instance expires, and which scopes it has and lacks',
      success: s.answers(
        200,
        'What the token may do at the third party. It contains no secret.',
        ACCESS,
      ),
      errors: ['instance_unknown', 'connector_version_unavailable'],
      async handle(request) {
        const row = await rows.read(request.principal, instanceIdIn(request))
        const { clock, connections } = ports
        return json(200, await showAccess({ now: clock.now(), connections }, row))
      },
    },
    {
      name: 'getVendorWebhooks',
      at: `GET ${ONE}/vendor-webhooks`,
      summary: 'Get the vendor webhook address of an instance, and the state of its subscription',
      success: s.answers(200, 'The address, and the subscription.', s.VENDOR_WEBHOOKS),
      errors: ['instance_unknown'],
      async handle(request) {
        const row = await rows.read(request.principal, instanceIdIn(request))
        return json(200, await subscriptions.status(row))
      },
    },
    {
      name: 'deleteConnectorInstance',
      at: `DELETE ${ONE}`,
      manage: true,
      summary: 'Delete a connector instance and erase its credentials',
      headers: ['if-match'],
      success: s.answers(204, 'The credentials are erased.', null),
      errors: ['instance_unknown', 'precondition_failed'],
      async handle(request) {
        const { requestId, signal } = request
        const options = { requestId, signal, ...(await unchanged(ports, request)) }
        await instances.remove(request.principal, instanceIdIn(request), options)
        return empty(204)
      },
    },
    {
      name: 'checkConnectorInstance',
      at: `POST ${ONE}/check`,
      summary: 'Check the credentials of an instance with the third party',
      body: s.optionalBody({}),
      headers: ['prefer'],
      success: s.answersWith(200, 'What the check found, and the state that follows.', {
        result: { enum: ['ok', 'refused', 'inconclusive'] },
        state: s.STATE,
        checked_at: s.TIME,
        took_ms: { type: 'integer' },
        upstream_requests: {
          type: 'integer',
          description: 'How many requests were sent; 0: the third party was not asked.',
        },
        error: s.orNull(
          s.open({
            ...s.each(['code', 'detail'], { type: 'string' }),
            retry_after_ms: {
              type: ['integer', 'null'],
              description: 'How long until the third party can be asked again, where known.',
            },
          }),
        ),
      }),
      errors: ['instance_unknown', 'instance_disabled'],
      handle: (request) => check(ports, request),
    },
  ])
}

const createOnce: Handler<InstanceRoutePorts> = async (ports, request) => {
  const create = async () => {
    const row = await ports.instances.create(request.principal, request.body, {
      requestId: request.requestId,
      // A create goes on when its caller has left: half an instance helps nobody.
      signal: new AbortController().signal,
      check: request.query['check'] !== 'false',
    })
    request.note({ connector_id: row.id, connector_type: row.connectorType })
    const { instance, etag } = shownInstance(ports, request.principal, row)
    return json(201, instance, {
      etag,
      location: `${ports.publicUrl()}/v1${COLLECTION}/${row.id}`,
    })
  }
  const key = request.header('idempotency-key')
  if (key === undefined) return await create()
  const { body, requestId } = request
  const { organizationId, externalUserId } = request.principal
  const route = externalUserId === null ? 'create' : `create:${externalUserId}`
  const keyed = { organizationId, instanceId: null, route, key, body, requestId }
  return await runOnce(ports, keyed, async (sending) => {
    await sending()
    return await create()
  })
}

const change: Handler<InstanceRoutePorts> = async (ports, request) => {
  const { principal, query, body, requestId, signal } = request
  const check = query['check'] !== 'false'
  const options = { requestId, signal, check, ...(await unchanged(ports, request)) }
  const row = await ports.instances.update(principal, instanceIdIn(request), body, options)
  const { instance, etag } = shownInstance(ports, principal, row)
  return json(200, instance, { etag })
}

type ServedPorts = Pick<InstanceRoutePorts, 'catalogue' | 'syncIntervalSeconds'>

function showServed({ catalogue, syncIntervalSeconds }: ServedPorts, row: InstanceRow): JsonObject {
  const place = { type: row.connectorType, version: row.connectorVersion }
  const version = catalogue.ofMajor(place)?.version ?? null
  return showInstance(row, { version, syncIntervalSeconds })
}

/** An instance as it is answered, with the strong ETag of that answer. */
function shownInstance(
  ports: ServedPorts,
  principal: Principal,
  row: InstanceRow,
): { readonly instance: JsonObject; readonly etag: string } {
  const instance = dialectOf(principal).instance(showServed(ports, row))
  const hash = createHash('sha256').update(JSON.stringify(instance)).digest('base64url')
  return { instance, etag: `"${hash.slice(0, 22)}"` }
}

/** Whether a list of tags names this one. A weak tag names no strong one: RFC 9110 section 8.8.3.2. */
function isListed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.includes(etag)
}

/** What a change is made under, where its caller says what was read. Throws `precondition_failed`. */
async function unchanged(
  ports: InstanceRoutePorts,
  request: ServiceRequest,
): Promise<{ readonly unchangedSince?: number }> {
  const wanted = request.header('if-match')
  if (wanted === undefined) return {}
  const row = await ports.rows.read(request.principal, instanceIdIn(request))
  if (!isListed(wanted, shownInstance(ports, request.principal, row).etag)) throw changedMeanwhile()
  return wanted.trim() === '*' ? {} : { unchangedSince: row.updatedAt }
}

const check: Handler<InstanceRoutePorts> = async ({ instances }, request) => {
  const { principal, requestId } = request
  const checked = await instances.check(principal, instanceIdIn(request), request)
  const { result, error, tookMs, requests, row, checkedAt } = checked
  return json(200, {
    result,
    state: row.state,
    checked_at: timeText(checkedAt),
    took_ms: Math.round(tookMs),
    upstream_requests: requests,
    error: error === null ? null : problemOf(error, requestId).body,
  })
}

type ListPorts = InstanceRoutePorts & { readonly counts: InstanceCounts }

async function list(
  ports: ListPorts,
  request: ServiceRequest,
  member: 'data' | (typeof FOR_USER)[number]['member'],
): Promise<ServiceReply> {
  const { principal, query } = request
  const limit = limitIn(query['limit'])
  const { external_user_id: externalUserId, connector_type: type, state, name } = query
  const { starts_with: startsWith, contains, sort, sync } = query
  const filter = {
    ...(externalUserId === undefined ? {} : { externalUserId }),
    ...(type === undefined
      ? {}
      : { connectorType: ports.catalogue.find(type)?.type ?? type.toLowerCase() }),
    ...(state === undefined ? {} : { state: state as InstanceState }),
    ...(name === undefined ? {} : { name }),
    ...(startsWith === undefined ? {} : { startsWith }),
    ...(contains === undefined ? {} : { contains }),
    ...(sync === undefined ? {} : { sync: sync as SyncTrouble }),
  }
  const owner = ownerOf(principal)
  const by = SORTS[sort?.replace('-', '') ?? ''] ?? 'id'
  const order = { by, isDescending: sort?.startsWith('-') ?? false }
  const asked = sort === undefined ? [owner, filter] : [owner, filter, sort]
  const purpose = `instances:${JSON.stringify(asked)}`
  const cursor = query['cursor']
  const after =
    cursor === undefined ? undefined : placeIn(await ports.cursors.open(principal, cursor, purpose))
  const [listed, counted, before] = await Promise.all([
    ports.store.instances.list(owner, {
      ...(await withOverdue(ports.late, filter)),
      order,
      limit: limit + 1,
      ...(after === undefined ? {} : { after }),
    }),
    query['counts'] === 'true' ? countsOf(ports, owner, filter) : {},
    contains === undefined ? null : ports.store.instances.latestBefore(owner),
  ])
  const { rows: found, isWhole } = listed
  const { rows, meta } = await pageOf(found, limit, (row) =>
    ports.cursors.seal(principal, placeText(row, by), purpose),
  )
  const dialect = dialectOf(principal)
  return json(200, {
    [member]: rows.map((row) => dialect.instance(showServed(ports, row))),
    meta: {
      ...meta,
      ...counted,
      ...(before === null ? {} : { searched_to: timeText(before) }),
      ...(isWhole ? {} : { incomplete: INCOMPLETE }),
    },
  })
}

/** What a cursor keeps of the last row of a page: its id, and what else the order goes by. */
function placeText({ id, name, updatedAt }: InstanceRow, by: InstanceOrder['by']): string {
  return by === 'id' ? id : JSON.stringify([id, by === 'name' ? name : '', updatedAt])
}

function placeIn(text: string): Pick<InstanceRow, InstanceOrder['by']> {
  if (!text.startsWith('[')) return { id: text, name: '', updatedAt: 0 }
  // Written above, and sealed since.
  const [id, name, updatedAt] = JSON.parse(text) as [string, string, number]
  return { id, name, updatedAt }
}

/** How many instances there are, and of which kinds: each kind under the filters but its own. */
async function countsOf(
  { counts, clock }: ListPorts,
  owner: Owner,
  { connectorType, state, sync, ...filter }: InstanceFilter,
): Promise<JsonObject> {
  const [all, failing, late] = await Promise.all([
    counts.read(owner, filter),
    counts.read(owner, { ...filter, sync: 'failing' }),
    counts.read(owner, { ...filter, sync: 'late' }),
  ])
  if (all === null || failing === null || late === null) return {}
  // What needs re-authentication does not count as failing: nothing is counted twice.
  const attention = [...failing.value, ...all.value.filter(({ state: of }) => of === 'auth_error')]
  const ofSync = { attention, failing: failing.value, late: late.value }
  const groups = sync === undefined ? all.value : ofSync[sync]
  const ages = [all, failing, late].flatMap((each) => (each.isKept ? [each.ageSeconds] : []))
  const isType = (group: InstanceGroup) =>
    (connectorType ?? group.connectorType) === group.connectorType
  const isState = (group: InstanceGroup) => (state ?? group.state) === group.state
  return {
    total: sum(groups.filter((group) => isType(group) && isState(group))),
    facets: {
      connector_type: facet(groups.filter(isState), ({ connectorType: value }) => value),
      state: facet(groups.filter(isType), ({ state: value }) => value),
      sync: Object.entries(ofSync).flatMap(([value, those]) =>
        facet(
          those.filter((group) => isType(group) && isState(group)),
          () => value,
        ),
      ),
    },
    ...(ages.length === 0
      ? {}
      : { counted_at: new Date(clock.now() - 1_000 * Math.max(...ages)).toISOString() }),
  }
}

function sum(groups: readonly InstanceGroup[]): number {
  return groups.reduce((all, { count }) => all + count, 0)
}

function facet(
  groups: readonly InstanceGroup[],
  valueOf: (group: InstanceGroup) => string,
): readonly JsonObject[] {
  const kinds = Map.groupBy(groups, valueOf)
  return [...kinds]
    .map(([value, those]) => ({ value, count: sum(those) }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

const listWorkspaces: Handler<InstanceRoutePorts> = async (ports, { principal, query }) => {
  const limit = limitIn(query['limit'])
  const { name_contains: contains = '', cursor } = query
  const purpose = `workspaces:${JSON.stringify([ownerOf(principal), contains])}`
  const after =
    cursor === undefined ? undefined : await ports.cursors.open(principal, cursor, purpose)
  const { users, isWhole } = await ports.store.instances.users(ownerOf(principal), {
    contains,
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  })
  const { rows, meta } = await pageOf(users, limit, (user) =>
    ports.cursors.seal(principal, user, purpose),
  )
  return json(200, {
    data: rows.map((user) => ({ id: user, name: user })),
    meta: isWhole ? meta : { ...meta, incomplete: INCOMPLETE },
  })
}

const INCOMPLETE =
  'a node of the database cannot be reached: the instances that it keeps are missing here'
