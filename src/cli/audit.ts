// `tenon audit`: who did what, and whether the log of it is as it was written.
import type { JsonObject } from '../language/json/json.ts'
import { OPERATOR } from '../service/audit.ts'
import type { AuditEvent, AuditFilter } from '../service/store/audit.ts'
import type { Store } from '../service/store/store.ts'
import { type Configure, family, type FlagsOf, leaf, wholeNumber } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { STORE_OPTIONS, withStore } from './service-settings.ts'
import { tableFor } from './table.ts'
import { print } from './terminal.ts'

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
  '--limit <n>': { text: 'at most so many events', default: 50, parse: wholeNumber },
  ...STORE_OPTIONS,
  '--json': 'print one JSON object per line',
} as const

const list = leaf({
  options: LIST_OPTIONS,
  async run(given, context) {
    const { instance, limit } = given
    const { out } = context.terminal
    const events = await withStore(context, given, async (store) => {
      const filter = { limit, ...(instance === undefined ? {} : { instanceId: instance }) }
      return await eventsOf(store, await organizationsOf(store, given), filter)
    })
    const shown = events.map(shownEvent)
    if (given.json === true) for (const event of shown) out.write(`${JSON.stringify(event)}\n`)
    else out.write(tableFor(out, shown))
    return EXIT.done
  },
})

const verify = leaf({
  options: STORE_OPTIONS,
  async run(given, context) {
    const broken = await withStore(context, given, (store) => store.audit.verify())
    const text =
      broken === null
        ? 'every chain is whole\n'
        : `event ${broken.seq} of ${broken.chain} is ${broken.problem}\n`
    print(context.terminal, given.json, { whole: broken === null, broken }, text)
    return broken === null ? EXIT.done : EXIT.failed
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

async function eventsOf(
  store: Store,
  organizations: readonly string[],
  filter: AuditFilter,
): Promise<readonly AuditEvent[]> {
  for (const organizationId of organizations) {
    const events = await store.audit.list({ organizationId }, filter)
    if (events.length > 0) return events
  }
  return []
}

function shownEvent(event: AuditEvent): JsonObject {
  return {
    at: new Date(event.at).toISOString(),
    actor: event.actor,
    action: event.action,
    target: event.target,
    outcome: event.outcome,
    members: event.members,
    request_id: event.requestId,
    chain: event.chain,
    seq: event.seq,
  }
}
