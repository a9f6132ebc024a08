// `tenon instances`: the connector instances of a service, over HTTP.
import type { ConnectorInstance } from '../client/service-bodies.ts'
import type { JsonObject } from '../language/json/json.ts'
import { type Configure, family, leaf, wholeNumber } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { openService, SERVICE_OPTIONS } from './running-service.ts'
import { formatRecord, tableFor } from './table.ts'
import { print } from './terminal.ts'

export const notes = `Credentials come from the environment: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: readonly string[] = [
  'tenon instances list --state auth_error',
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

const ID = { '<id>': 'of the instance' }

const list = leaf({
  options: {
    ...SERVICE_OPTIONS,
    '--user <id>': 'of one external user',
    '--type <type>': 'of one connector',
    '--state <state>': STATES.join(', '),
    '--name <text>': 'of one name',
    '--limit <n>': { text: 'at most so many', default: 100, parse: wholeNumber },
  },
  async run({ limit, user, type, name, json, ...given }, context) {
    const state = STATES.find((each) => each === given.state)
    if (given.state !== undefined && state === undefined)
      throw new UsageError(`--state must be one of ${STATES.join(', ')}`)
    await using open = openService(given, context)
    const wanted = {
      ...(user === undefined ? {} : { external_user_id: user }),
      ...(type === undefined ? {} : { connector_type: type }),
      ...(name === undefined ? {} : { name }),
      ...(state === undefined ? {} : { state }),
    }
    const found = await open.service.instances.list(wanted).toArray({ limit })
    print(context.terminal, json, found, tableFor(context.terminal.out, found.map(row)))
    return EXIT.done
  },
})

const show = leaf({
  arguments: ID,
  options: SERVICE_OPTIONS,
  async run({ id, json, ...given }, context) {
    await using open = openService(given, context)
    const instance = await open.service.instances.get(id)
    print(context.terminal, json, instance, formatRecord(instance))
    return EXIT.done
  },
})

const check = leaf({
  arguments: ID,
  options: SERVICE_OPTIONS,
  async run({ id, json, ...given }, context) {
    await using open = openService(given, context)
    const checked = await open.service.instances.check(id)
    const { result, state } = checked
    print(context.terminal, json, checked, `${result}, the state is ${state}\n`)
    return CHECKED[result]
  },
})

const remove = leaf({
  arguments: ID,
  options: { ...SERVICE_OPTIONS, '--yes': 'do it: there is no way back' },
  async run({ id, yes, json, ...given }, context) {
    if (yes !== true)
      throw new UsageError(
        'this erases the instance with its credentials and its copy, and cannot be undone: say --yes',
      )
    await using open = openService(given, context)
    await open.service.instances.delete(id)
    print(context.terminal, json, { id, deleted: true }, `deleted ${id}\n`)
    return EXIT.done
  },
})

export const configure: Configure = family({
  list: ['show instances, one per line', list],
  show: ['show one instance; credentials are never shown', show],
  check: ['try the credentials of an instance; exit code 3 when they are refused', check],
  delete: ['erase an instance with its credentials and its copy', remove],
})

function row(instance: ConnectorInstance): JsonObject {
  return {
    id: instance.id,
    state: instance.state,
    connector: `${instance.connector_type} ${instance.connector_version}`,
    user: instance.external_user_id,
    name: instance.name,
    reason: instance.state_reason?.code ?? null,
    checked: instance.last_checked_at,
    updated: instance.updated_at,
  }
}
