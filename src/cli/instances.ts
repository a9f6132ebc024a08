// `tenon instances`: the connector instances of a service, over HTTP.
import type { ConnectorInstance } from '../client/service-bodies.ts'
import { FAILING, SYNC_TROUBLES } from '../display/account-states.ts'
import { checkInWords } from '../display/check-words.ts'
import type { JsonObject } from '../language/json/json.ts'
import { type Configure, family, jsonLines, wholeNumber } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { momentsFor } from './moments.ts'
import { askService, deleting } from './running-service.ts'
import { type ColumnForms, ID_FORM, tableFor } from './table.ts'
import { wholeInstanceId } from './whole-ids.ts'
import { wrapText } from './wrap.ts'

export const docs = 'operation#health-metrics-logs'
export { SERVICE_NOTES as notes } from './running-service.ts'

export const examples: readonly string[] = [
  'tenon instances list --state auth_error',
  'tenon instances list --sync failing',
  'tenon instances check 0199f3a1-… --url https://tenon.example.com',
  'tenon instances delete 0199f3a1-… --yes',
  'tenon instances show 0199f3a1-… --json',
]

const STATES: readonly ConnectorInstance['state'][] = [
  'pending',
  'active',
  'refresh_unknown',
  'auth_error',
  'disabled',
]

const CHECKED: Readonly<Record<'ok' | 'refused' | 'inconclusive', ExitCode>> = {
  ok: EXIT.done,
  refused: EXIT.credentials,
  inconclusive: EXIT.upstream,
}

const ID = { '<id>': 'of the instance, or a beginning of it that no other one has' }

const list = askService({
  options: {
    '--user <id>': 'of one external user',
    '--type <type>': 'of one connector',
    '--state <state>': { text: 'in one state', choices: STATES },
    '--name <text>': 'of one name',
    '--sync <trouble>': {
      text: 'of which a copy fails; attention: also those that need re-authentication; late: with a copy that fails or was not read in time',
      choices: SYNC_TROUBLES,
    },
    '--limit <n>': { text: 'at most this many', default: 100, parse: wholeNumber },
    ...jsonLines('instance'),
  },
  async run({ instances }, { limit, user, type, name, state, sync, json }, { terminal }) {
    const wanted = {
      ...(user === undefined ? {} : { external_user_id: user }),
      ...(type === undefined ? {} : { connector_type: type }),
      ...(name === undefined ? {} : { name }),
      ...(state === undefined ? {} : { state }),
      ...(sync === undefined ? {} : { sync }),
    }
    const first = await instances.list(wanted)
    const value = await first.toArray({ limit })
    if (first.meta.incomplete !== undefined)
      terminal.err.write(wrapText(`${first.meta.incomplete}\n`, terminal.err))
    if (json === true || value.length === 0) return { value, none: 'no instance is like this\n' }
    // Both lists have one order: what fails among the first of all is among the first that fail.
    const failing =
      sync === 'failing'
        ? value
        : await (await instances.list({ ...wanted, sync: 'failing' })).toArray({ limit })
    const ids = new Set(failing.map(({ id }) => id))
    const troubleOf = ({ id }: ConnectorInstance): string | null =>
      ids.has(id) ? FAILING.label.toLowerCase() : sync === 'late' ? 'late' : null
    const rows = value.map((instance) => row(instance, troubleOf(instance)))
    return { value, shown: tableFor(terminal.out, rows, FORMS) }
  },
})

/** The state has room for the longest one with the word for syncs that fail. What tells accounts from others stands at the end of their names as well. */
const FORMS: ColumnForms = {
  id: ID_FORM,
  state: { least: 'refresh_unknown, failing'.length },
  name: { least: 12, wanted: 24, keepsEnd: true },
  user: { least: 10, keepsEnd: true },
}

const show = askService({
  arguments: ID,
  run: async ({ instances }, { id }) => ({
    value: await instances.get(await wholeInstanceId(instances, id)),
  }),
})

const check = askService({
  arguments: ID,
  async run({ instances }, { id }, { terminal: { out } }) {
    const value = await instances.check(await wholeInstanceId(instances, id))
    const { result, state, error } = value
    const nowMs = Date.now()
    const told = { moment: momentsFor(out, nowMs).clock, nowMs }
    const because = error === null ? '' : `. ${checkInWords(value, told)}`
    const shown = wrapText(`${result}, the state is ${state}${because}\n`, out)
    return { value, shown, code: CHECKED[result] }
  },
})

const remove = deleting(
  ID,
  'erases the instance with its credentials and its copy, and cannot be undone',
  ({ instances }, id) => instances.delete(id),
  ({ instances }, id) => wholeInstanceId(instances, id),
)

export const configure: Configure = family({
  list: ['show instances, one per line', list],
  show: ['show one instance; credentials are never shown', show],
  check: ['try the credentials of an instance; exit code 3 when they are refused', check],
  delete: ['erase an instance with its credentials and its copy', remove],
})

/** `trouble`: what is wrong with its syncs, which the console says next to its state as well; null: nothing, or it was not asked. */
function row(instance: ConnectorInstance, trouble: string | null): JsonObject {
  return {
    id: instance.id,
    state: instance.state + (trouble === null ? '' : `, ${trouble}`),
    name: instance.name,
    type: instance.connector_type,
    user: instance.external_user_id,
    reason: instance.state_reason?.code ?? null,
    checked: instance.last_checked_at,
    updated: instance.updated_at,
    version: instance.connector_version,
  }
}
