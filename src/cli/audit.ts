// `tenon audit`: who did what, and whether the log of it is as it was written.
import type { JsonObject } from '../language/json/json.ts'
import { OPERATOR } from '../service/audit.ts'
import { aboutUser } from '../service/routes/audit-routes.ts'
import type { AuditEvent } from '../service/store/audit.ts'
import type { Store } from '../service/store/store.ts'
import { type Configure, family, type FlagsOf, wholeNumber } from './command.ts'
import { EXIT, FailedError, UsageError } from './exit-codes.ts'
import { workOnStore } from './service-settings.ts'

export const docs = 'operation#health-metrics-logs'
export const examples: readonly string[] = [
  'tenon audit list --limit 20',
  'tenon audit list --instance 0199f3a1-… --json',
  'tenon audit list --operator',
  'tenon audit list --action instance.delete --from 2026-11-01T00:00:00Z',
  'tenon audit list --user user-42 --json',
  'tenon audit verify',
]

const LIST_OPTIONS = {
  '--organization <id>': 'default: the only one there is',
  '--instance <id>': 'the events of one instance; default: those above instances',
  '--operator': 'what concerns no organisation: starts, rotated keys, unknown callers',
  '--all': 'of the organisation with all its instances; the following say which',
  '--actor <name>': 'of one actor: an application, person:<login>, cli, host, service',
  '--action <name>': 'one action, or its first word: instance',
  '--outcome <word>': 'with one outcome',
  '--user <id>': 'about one end user, and the instances they have now',
  '--from <time>': 'not before this time, such as 2026-11-01T00:00:00Z',
  '--to <time>': 'before this time',
  '--limit <n>': { text: 'at most this many events', default: 50, parse: wholeNumber },
  '--json': 'print one line of JSON per event',
} as const

const list = workOnStore({
  options: LIST_OPTIONS,
  async run({ store }, given) {
    const { instance, limit } = given
    if (SEARCHES.some((flag) => given[flag] !== undefined))
      return { value: (await found(store, given)).map(shownEvent), isLines: true }
    const filter = { limit, ...(instance === undefined ? {} : { instanceId: instance }) }
    let events: readonly AuditEvent[] = []
    for (const organizationId of await organizationsOf(store, given))
      if (events.length === 0) events = await store.audit.list({ organizationId }, filter)
    return { value: events.map(shownEvent), isLines: true }
  },
})

const SEARCHES = ['all', 'actor', 'action', 'outcome', 'user', 'from', 'to'] as const

/** Of all chains of the organisation. */
async function found(
  store: Store,
  given: FlagsOf<typeof LIST_OPTIONS>,
): Promise<readonly AuditEvent[]> {
  const { limit, instance, actor, action, outcome, user, from, to } = given
  const [organizationId = ''] = await organizationsOf(store, given)
  const { events, isWhole } = await store.audit.search(organizationId, {
    limit,
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(instance === undefined ? {} : { instanceId: instance }),
    ...(user === undefined ? {} : { about: await aboutUser(store, organizationId, user) }),
    ...(from === undefined ? {} : { fromMs: timeIn('--from', from) }),
    ...(to === undefined ? {} : { toMs: timeIn('--to', to) }),
  })
  if (!isWhole) throw new FailedError('a node of the database cannot be reached')
  return events
}

function timeIn(flag: string, text: string): number {
  const time = Date.parse(text)
  if (Number.isSafeInteger(time)) return time
  throw new UsageError(`${flag} ${text} is no time such as 2026-11-01T00:00:00Z`)
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
})

/** Whose log is read. The events of an instance are found by its id, whosever it is. */
async function organizationsOf(
  store: Store,
  { organization, instance, operator }: FlagsOf<typeof LIST_OPTIONS>,
): Promise<readonly string[]> {
  if (operator === true) return [OPERATOR]
  if (organization !== undefined) return [organization]
  const applications = await store.applications.list()
  const known = [...new Set(applications.map(({ organizationId }) => organizationId))]
  if (known.length <= 1 || instance !== undefined) return known
  throw new UsageError(`say which one with --organization: ${known.join(', ')}`)
}

function shownEvent({ requestId, ...event }: AuditEvent): JsonObject {
  const { actor, action, target, outcome, members, chain, seq } = event
  const at = new Date(event.at).toISOString()
  return { at, actor, action, target, outcome, members, request_id: requestId, chain, seq }
}
