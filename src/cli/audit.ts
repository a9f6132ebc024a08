// `tenon audit`: who did what, and whether the log of it is as it was written.
import { actorWords, deedWords, endOf, isByLink } from '../display/audit-actions.ts'
import type { JsonObject } from '../language/json/json.ts'
import { OPERATOR } from '../service/audit.ts'
import {
  AUDIT_COLUMNS,
  auditPages,
  type AuditQuery,
  auditSearch,
  AuditView,
  findAudit,
  INCOMPLETE,
} from '../service/audit-view.ts'
import { ROW_FORMS, rowsAsText } from '../service/rows-as-text.ts'
import type { AuditEvent } from '../service/store/audit.ts'
import type { Store } from '../service/store/store.ts'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { type Configure, family, type FlagsOf, jsonLines, wholeNumber } from './command.ts'
import { EXIT, FailedError, UsageError } from './exit-codes.ts'
import { workOnStore } from './service-settings.ts'
import { JSON_OF_EXPORT, OUT_OPTION, writeOut } from './write-out.ts'

export const docs = 'operation#health-metrics-logs'
export const examples: readonly string[] = [
  'tenon audit list --limit 20',
  'tenon audit list --instance 0199f3a1-… --json',
  'tenon audit list --operator',
  'tenon audit list --action instance.delete --from 2026-11-01T00:00:00Z',
  'tenon audit list --text "secret default"',
  'tenon audit list --user user-42 --json',
  'tenon audit export --form csv --from 2026-11-01T00:00:00Z --out audit.csv',
  'tenon audit verify',
]

const FILTER_OPTIONS = {
  '--organization <id>': 'default: the only one there is',
  '--instance <id>': 'the events of one instance; default: those above instances',
  '--operator': 'what concerns no organisation: starts, rotated keys, unknown callers',
  '--actor <name>': 'of one actor: an application, person:<login>, cli, host, service',
  '--action <name>': 'one action, or its first word: instance',
  '--outcome <word>': 'with one outcome',
  '--failed': 'what was refused, failed or is uncertain',
  '--target <name>': 'on exactly this',
  '--address <ip>': 'from this IP address',
  '--token <digits>': 'with this token or session, as events show it',
  '--request <id>': 'of one request',
  '--text <words>': 'with all these words in the event, in upper or lower case',
  '--user <id>': 'about one end user, and the instances they have now',
  '--from <time>': 'not before this time, such as 2026-11-01T00:00:00Z',
  '--to <time>': 'before this time',
} as const

const LIST_OPTIONS = {
  ...FILTER_OPTIONS,
  '--all': 'of the organisation with all its instances; the other filters say which',
  '--limit <n>': { text: 'at most this many events', default: 50, parse: wholeNumber },
  ...jsonLines('event'),
} as const

const list = workOnStore({
  options: LIST_OPTIONS,
  async run({ store }, given) {
    const isSearch = SEARCHES.some((flag) => given[flag] !== undefined)
    const events = isSearch ? await found(store, given) : await listed(store, given)
    // All are of one organisation.
    const view = new AuditView(store, events[0]?.organizationId ?? OPERATOR)
    const shown = await Promise.all(events.map(async (event) => row(event, await view.show(event))))
    const value = events.map(shownEvent)
    return { value, shown, none: 'no event is like this\n' }
  },
})

async function listed(
  store: Store,
  given: FlagsOf<typeof LIST_OPTIONS>,
): Promise<readonly AuditEvent[]> {
  const { instance, limit } = given
  const filter = { limit, ...(instance === undefined ? {} : { instanceId: instance }) }
  let events: readonly AuditEvent[] = []
  for (const organizationId of await organizationsOf(store, given))
    if (events.length === 0) events = await store.audit.list({ organizationId }, filter)
  return events
}

/** For people: in words and names, what tells most first. */
function row(event: AuditEvent, named: JsonObject): JsonObject {
  const { action, actor, outcome, target, members, address, token, requestId } = event
  const end = endOf(action, outcome)
  const thing = named['target_name'] ?? target
  const account = named['connector_name'] ?? null
  return {
    time: named['at'] ?? '',
    what: deedWords(action, outcome) ?? action,
    result: end ?? outcome,
    who: `${actorWords(actor, named['actor_name'] as string | null)}${isByLink(event) ? ', the end user via a connect link' : ''}`,
    on: account === null || account === thing ? thing : `${account as string}: ${thing as string}`,
    why: end === null || end === 'done' ? null : outcome,
    details: members.length === 0 ? null : members.join(', '),
    from: address,
    user: named['external_user_id'] ?? null,
    token,
    request: requestId,
    action,
    place: `${event.chain}:${event.seq}`,
  }
}

/** Each asks for events of all chains. */
const SEARCHES = [
  'all',
  'actor',
  'action',
  'outcome',
  'failed',
  'target',
  'address',
  'token',
  'request',
  'text',
  'user',
  'from',
  'to',
] as const

/** Of all chains of the organisation. */
async function found(
  store: Store,
  given: FlagsOf<typeof LIST_OPTIONS>,
): Promise<readonly AuditEvent[]> {
  const { limit } = given
  const [organizationId = ''] = await organizationsOf(store, given)
  const wanted = await searchFor(store, organizationId, given)
  const searchMs = Number.POSITIVE_INFINITY
  const ports = { store, clock: createSystemClock() }
  const { rows, isWhole } = await findAudit(ports, organizationId, { ...wanted, limit, searchMs })
  if (!isWhole) throw new FailedError(INCOMPLETE)
  return rows.map(({ event }) => event)
}

const exportLog = workOnStore({
  options: {
    ...FILTER_OPTIONS,
    ...OUT_OPTION,
    '--form <form>': { text: 'lines of JSON, or a table', choices: ROW_FORMS, default: 'ndjson' },
    ...JSON_OF_EXPORT,
  },
  async run({ store }, { form, out, ...given }, context) {
    const [organizationId = ''] = await organizationsOf(store, given)
    const wanted = await searchFor(store, organizationId, given)
    const pages = auditPages(store, organizationId, { ...wanted, end: () => {} })
    let events = 0
    async function* counted(): AsyncGenerator<readonly JsonObject[]> {
      for await (const rows of pages) {
        events += rows.length
        yield rows
      }
    }
    await writeOut(rowsAsText(form, AUDIT_COLUMNS, counted()), out, context)
    return {
      value: out === undefined ? [] : { events, out },
      shown: '',
      note: `exported ${events} events\n`,
    }
  },
})

async function searchFor(
  store: Store,
  organizationId: string,
  given: FlagsOf<typeof FILTER_OPTIONS>,
): ReturnType<typeof auditSearch> {
  const { instance, failed, user, request } = given
  const { actor, action, outcome, target, address, token, text } = given
  return await auditSearch(store, organizationId, {
    actor,
    action,
    outcome,
    target,
    address,
    token,
    text,
    connector_id: instance,
    external_user_id: user,
    request_id: request,
    status: failed === undefined ? undefined : 'failed',
    ...timeIn('from', given.from),
    ...timeIn('to', given.to),
  })
}

function timeIn(flag: 'from' | 'to', text: string | undefined): AuditQuery {
  if (text === undefined) return {}
  if (Number.isSafeInteger(Date.parse(text))) return { [flag]: text }
  throw new UsageError(`--${flag} ${text} is no time such as 2026-11-01T00:00:00Z`)
}

const verify = workOnStore({
  async run({ store }) {
    const broken = await store.audit.verify()
    if (broken === null) return { value: { whole: true, broken }, shown: 'every chain is whole\n' }
    const shown = `event ${broken.seq} of ${broken.chain} is ${broken.problem}\n`
    return { value: { whole: false, broken }, shown, code: EXIT.failed }
  },
})

export const configure: Configure = family({
  verify: [
    'check the chain of hashes; exit code 1 names the first event that is not as it was written',
    verify,
  ],
  list: ['show who did what, the newest first: names of what changed, never values', list],
  export: ['write the events of the organisation with all its instances, with names', exportLog],
})

/** Whose log is read. The events of an instance are found by its id, whosever it is. */
async function organizationsOf(
  store: Store,
  { organization, instance, operator }: FlagsOf<typeof FILTER_OPTIONS>,
): Promise<readonly string[]> {
  if (operator === true) return [OPERATOR]
  if (organization !== undefined) return [organization]
  const applications = await store.applications.list()
  const known = [...new Set(applications.map(({ organizationId }) => organizationId))]
  if (known.length <= 1 || instance !== undefined) return known
  throw new UsageError(`say which one with --organization: ${known.join(', ')}`)
}

function shownEvent({ requestId, ...event }: AuditEvent): JsonObject {
  const { actor, action, target, outcome, members, address, token, chain, seq } = event
  const at = new Date(event.at).toISOString()
  const request = { request_id: requestId, address, token }
  return { at, actor, action, target, outcome, members, ...request, chain, seq }
}
