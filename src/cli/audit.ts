// `tenon audit`: who did what, and whether the log of it is as it was written.
import type { JsonObject } from '../language/json/json.ts'
import { OPERATOR } from '../service/audit.ts'
import type { AuditEvent } from '../service/store/audit.ts'
import type { Store } from '../service/store/store.ts'
import { type Configure, family, type FlagsOf, wholeNumber } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { workOnStore } from './service-settings.ts'

export const docs = 'operation#health-metrics-logs'
export const examples: readonly string[] = [
  'tenon audit list --limit 20',
  'tenon audit list --instance 0199f3a1-… --json',
  'tenon audit list --operator',
  'tenon audit verify',
]

const LIST_OPTIONS = {
  '--organization <id>': 'default: the only one there is',
  '--instance <id>': 'the events of one instance; default: those above instances',
  '--operator': 'what concerns no organisation: starts, rotated keys, unknown callers',
  '--limit <n>': { text: 'at most this many events', default: 50, parse: wholeNumber },
  '--json': 'print one line of JSON per event',
} as const

const list = workOnStore({
  options: LIST_OPTIONS,
  async run({ store }, given) {
    const { instance, limit } = given
    const filter = { limit, ...(instance === undefined ? {} : { instanceId: instance }) }
    let events: readonly AuditEvent[] = []
    for (const organizationId of await organizationsOf(store, given))
      if (events.length === 0) events = await store.audit.list({ organizationId }, filter)
    return { value: events.map(shownEvent), isLines: true }
  },
})

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
