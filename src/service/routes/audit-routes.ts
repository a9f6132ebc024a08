// /audit: who did what in an organisation, with its instances and above them, the newest first.
import {
  AUDIT_COLUMNS,
  auditPages,
  type AuditQuery,
  auditSearch,
  type AuditStores,
  findAudit,
  INCOMPLETE,
} from '../audit-view.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Cursors } from '../cursors.ts'
import { json, type Handler, type Route, routes } from '../route.ts'
import { fileReply, ROW_FORMS, ROW_TEXTS, type RowForm, rowsAsText } from '../rows-as-text.ts'
import type { ServiceSettings } from '../settings.ts'
import type { AuditEvent, AuditSearch } from '../store/audit.ts'
import { timeText } from '../store/instance-view.ts'
import { type Principal, requireWhole } from '../tokens/principal.ts'
import { limitIn } from './pages.ts'
import * as s from './schemas.ts'

export interface AuditRoutePorts {
  readonly store: AuditStores
  readonly clock: Clock
  readonly cursors: Cursors
  readonly settings: Pick<ServiceSettings, 'auditDays'>
}

const MAX_EXPORTED = 50_000
const NAME = { type: ['string', 'null'] } as const

const EVENT: Readonly<Record<(typeof AUDIT_COLUMNS)[number], JsonObject>> = {
  at: s.TIME,
  actor: {
    type: 'string',
    description:
      'The application, `person:` and the login of somebody at the console, `cli`, `host` or `service`.',
  },
  action: { type: 'string', description: 'docs/reference/audit.md has all of them.' },
  target: {
    type: 'string',
    description: 'End users stand here as `user:` and a digest, never by their ids.',
  },
  outcome: { type: 'string', description: '`done`, or how else it ended.' },
  members: s.listOf({ type: 'string' }),
  connector_id: s.orNull({ type: 'string' }),
  request_id: s.orNull({ type: 'string' }),
  chain: { type: 'string' },
  seq: { type: 'integer' },
  actor_name: { ...NAME, description: 'Of the application or the person; null: there is none.' },
  target_name: {
    ...NAME,
    description:
      'Of the application, the person or the account; of an end user the id, while the account, or another one of this user, is there; of a route what people need a right for.',
  },
  connector_name: { ...NAME, description: 'Of the account, while it is there.' },
  address: {
    ...NAME,
    description:
      'IP address of who asked; null: nobody did, an end user did, whose address is not kept, or an earlier version wrote it.',
  },
  token: {
    ...NAME,
    description:
      'The token or the session it was done with: the first 12 digits of its SHA-256. Equal ones are one token. With `connect:` before them it was a connect link, by which an end user did it: the actor is the application that made the link.',
  },
  external_user_id: {
    ...NAME,
    description:
      'The end user whose account it is, while the account is there; with a token and no address they did it themselves, or your app with their token.',
  },
}

const FILTER: s.Members = {
  text: {
    ...s.TEXT,
    description:
      'Words that all occur in what is shown of the event, in upper or lower case: names, action, target, members, outcome, ids.',
  },
  actor: {
    ...s.TEXT,
    description:
      'By exactly this actor: an application, `person:` and a login, `cli`, `host`, `service`.',
  },
  action: {
    ...s.TEXT,
    description: 'One action, or its first word: `instance` is all that begin with it.',
  },
  without: {
    type: 'string',
    maxLength: 500,
    description: 'None of these actions: full names, separated by commas.',
  },
  outcome: { ...s.TEXT, description: 'With exactly this outcome, such as `done`.' },
  status: {
    enum: ['done', 'failed'],
    description: 'Whether it ended with `done`, or in any other way: refused, failed, uncertain.',
  },
  target: { ...s.TEXT, description: 'With exactly this target.' },
  address: { type: 'string', maxLength: 100, description: 'From this IP address.' },
  token: {
    type: 'string',
    maxLength: 100,
    description: 'With this token or session, or by this connect link.',
  },
  request_id: {
    type: 'string',
    maxLength: 128,
    description: 'Of one request to this service, by the X-Request-Id of its response.',
  },
  chain: { type: 'string', maxLength: 200, description: 'Of this chain; with `seq` one event.' },
  seq: {
    type: 'string',
    pattern: '^[0-9]{1,15}$',
    description: 'The place of an event in its chain.',
  },
  connector_id: { type: 'string', maxLength: 100, description: 'Of this instance.' },
  external_user_id: {
    ...s.TEXT,
    description: 'About this user, and about the instances that they have now.',
  },
  from: { ...s.TIME, description: 'Not before this time.' },
  to: { ...s.TIME, description: 'Before this time.' },
  cursor: {
    type: 'string',
    maxLength: 500,
    description: 'next_cursor of the previous page.',
  },
}

export function auditRoutes(ports: AuditRoutePorts): readonly Route[] {
  return routes('application', [
    {
      name: 'listAudit',
      at: 'GET /audit',
      queryExample: { action: 'instance', limit: '50' },
      summary: 'Read the audit log: who did what, with names but never values, newest first',
      query: s.closed({ ...FILTER, limit: s.LIMIT }),
      success: s.answersPage('Newest first.', s.open(EVENT), undefined, {
        searched_to: {
          ...s.TIME_OR_NULL,
          description: 'How far back the search went, if the page is not full and more may follow.',
        },
        kept_days: { type: 'integer', description: 'Older events are deleted.' },
        incomplete: { type: 'string', description: 'Why events are missing.' },
      }),
      errors: ['cursor_invalid'],
      handle: (request) => list(ports, request),
    },
    {
      name: 'exportAudit',
      at: 'GET /audit/export',
      queryExample: { form: 'csv' },
      summary: `Download what GET /audit lists, up to ${MAX_EXPORTED.toLocaleString('en')} events`,
      query: s.closed({
        ...FILTER,
        form: {
          enum: ROW_FORMS,
          default: 'ndjson',
          description:
            'One event per line. Where more events follow than a download may have, the last line says so and how to go on: `{"cut":true,"cursor":…}`, in CSV `cut` and `cursor=…`.',
        },
      }),
      success: s.answers(200, 'The events, newest first.', 'bytes', ['content-disposition']),
      errors: ['cursor_invalid'],
      handle: (request) => exported(ports, request),
    },
  ])
}

const list: Handler<AuditRoutePorts> = async (ports, { principal, query }) => {
  requireWhole(principal)
  const { limit: given, ...filter } = query
  const limit = limitIn(given)
  const { wanted, sealAfter } = await askedBy(ports, principal, filter)
  const found = await findAudit(ports, principal.organizationId, { ...wanted, limit })
  const { rows, more, isWhole } = found
  return json(200, {
    data: rows.map(({ shown }) => shown),
    meta: {
      has_more: more !== null,
      next_cursor: more && (await sealAfter(more)),
      searched_to: more !== null && rows.length < limit ? timeText(more.at) : null,
      kept_days: ports.settings.auditDays,
      ...(isWhole ? {} : { incomplete: INCOMPLETE }),
    },
  })
}

const exported: Handler<AuditRoutePorts> = async (ports, { principal, query }) => {
  requireWhole(principal)
  const { form: given = 'ndjson', ...filter } = query
  // The schema of the route lets nothing else pass.
  const form = given as RowForm
  const { wanted, sealAfter } = await askedBy(ports, principal, filter)
  async function* text(): AsyncGenerator<string> {
    let last: AuditEvent | null = null
    const pages = auditPages(ports.store, principal.organizationId, {
      ...wanted,
      max: MAX_EXPORTED,
      end: (event) => (last = event),
    })
    yield* rowsAsText(form, AUDIT_COLUMNS, pages)
    if (last !== null) yield cutLine(form, await sealAfter(last))
  }
  return fileReply('tenon-audit', form, text())
}

function cutLine(form: RowForm, cursor: string): string {
  return ROW_TEXTS[form].line(
    form === 'csv' ? { cut: 'cut', cursor: `cursor=${cursor}` } : { cut: true, cursor },
  )
}

/** The events that a filter wants from its cursor on, and how the next cursor is made. */
async function askedBy(
  { store, cursors }: AuditRoutePorts,
  principal: Principal,
  query: AuditQuery & { readonly cursor?: string | undefined },
) {
  const { cursor, ...filter } = query
  const purpose = `audit:${JSON.stringify(filter)}`
  const place = cursor === undefined ? undefined : await cursors.open(principal, cursor, purpose)
  const wanted = {
    ...(await auditSearch(store, principal.organizationId, filter)),
    // Written below.
    ...(place === undefined ? {} : { after: JSON.parse(place) as AuditSearch['after'] & object }),
  }
  const sealAfter = ({ at, chain, seq }: AuditEvent): Promise<string> =>
    cursors.seal(principal, JSON.stringify({ at, chain, seq }), purpose)
  return { wanted, sealAfter }
}
