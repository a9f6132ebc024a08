// `tenon apps`: the host apps that may ask for tokens.
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { redirectUrlProblem } from '../service/oauth/redirect-url.ts'
import {
  changeApplication,
  createApplication,
  rotateSecret,
} from '../service/tokens/applications.ts'
import type { ApplicationRow } from '../service/store/applications-and-tokens.ts'
import type { Store } from '../service/store/store.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { withStore } from './open-store.ts'
import type { SettingsFlags } from './service-settings.ts'
import { formatTable } from './table.ts'
import type { JsonObject } from '../language/json/json.ts'

interface AppFlags extends SettingsFlags {
  readonly json?: boolean
  readonly name?: string
  readonly organization?: string
  readonly redirect?: readonly string[]
}

export const notes = `Works on the store itself, beside running services.`

export const examples: CommandModule['examples'] = [
  'tenon apps create --name acme --redirect https://app.example.com/connected',
  'tenon apps list --json',
  'tenon apps update client-id --redirect https://app.example.com/connected https://staging.example.com/connected',
  'tenon apps rotate-secret client-id',
  'tenon apps disable client-id',
  'tenon apps enable client-id',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  const add = (
    name: string,
    summary: string,
    run: (store: Store, flags: AppFlags, clientId: string) => Promise<unknown>,
    shape: { readonly takesId?: boolean; readonly takesFields?: boolean } = {},
  ): void => {
    const sub = command.command(name).description(summary).copyInheritedSettings(command)
    if (shape.takesId === true) sub.argument('<client-id>', 'the application')
    if (shape.takesFields === true) {
      sub.option('--name <text>', 'what people call it')
      sub.option('--redirect <url...>', 'where a consent may end; replaces the list')
    }
    if (name === 'create') sub.option('--organization <id>', 'default: a new organisation')
    sub.option('--data <folder>', 'folder of the embedded store')
    sub.option('--config <file>', 'YAML file with settings')
    sub.option('--json', 'print JSON')
    sub.action(async (...given: readonly unknown[]) => {
      const [id] = given
      const flags = given.at(-2) as AppFlags
      done(
        await show(
          context,
          flags,
          await withStore(context, flags, (store) => run(store, flags, String(id)), {
            // Before the first start of a service as well.
            makes: name === 'create',
          }),
        ),
      )
    })
  }
  add('create', 'make an application; its secret is shown once', create, { takesFields: true })
  add('list', 'show all applications', async (store) =>
    (await store.applications.list()).map(shown),
  )
  add('update', 'change name or redirect addresses', update, { takesId: true, takesFields: true })
  add('rotate-secret', 'give it another secret; the old one ends at once', rotate, {
    takesId: true,
  })
  add('disable', 'end all its tokens and mint no more', disable, { takesId: true })
  add('enable', 'let it mint tokens again', enable, { takesId: true })
}

async function create(
  store: Store,
  { name, organization, redirect = [] }: AppFlags,
): Promise<object> {
  requireRedirects(redirect)
  if (organization === '') throw new UsageError('--organization must have at least one character')
  const made = await createApplication(
    { store, clock: createSystemClock() },
    { name: name ?? 'application', organizationId: organization, redirectUrls: redirect },
  )
  return {
    client_id: made.clientId,
    client_secret: made.clientSecret,
    organization_id: made.organizationId,
  }
}

async function update(store: Store, { name, redirect }: AppFlags, id: string): Promise<object> {
  if (name === undefined && redirect === undefined)
    throw new UsageError('nothing to change: give --name or --redirect')
  requireRedirects(redirect ?? [])
  requireKnown(
    await changeApplication(
      store,
      id,
      {
        ...(name === undefined ? {} : { name }),
        ...(redirect === undefined ? {} : { redirectUrls: redirect }),
      },
      'update',
    ),
    id,
  )
  const row = await store.applications.byClientId(id)
  return row === null ? {} : shown(row)
}

async function rotate(store: Store, _flags: AppFlags, id: string): Promise<object> {
  const secret = await rotateSecret(store, id)
  requireKnown(secret !== null, id)
  return { client_id: id, client_secret: secret }
}

async function disable(store: Store, _flags: AppFlags, id: string): Promise<object> {
  requireKnown(await changeApplication(store, id, { disabledAt: Date.now() }, 'disable'), id)
  return { client_id: id, disabled: true }
}

async function enable(store: Store, _flags: AppFlags, id: string): Promise<object> {
  requireKnown(await changeApplication(store, id, { disabledAt: null }, 'enable'), id)
  return { client_id: id, disabled: false }
}

function requireKnown(known: boolean, id: string): void {
  if (!known) throw new UsageError(`there is no application "${id}"; tenon apps list shows them`)
}

function requireRedirects(urls: readonly string[]): void {
  for (const url of urls) {
    const problem = redirectUrlProblem(url, true)
    if (problem !== null) throw new UsageError(`--redirect ${url} ${problem}`)
  }
}

function shown(row: ApplicationRow): object {
  return {
    client_id: row.clientId,
    organization_id: row.organizationId,
    name: row.name,
    redirect_urls: row.redirectUrls,
    created_at: new Date(row.createdAt).toISOString(),
    disabled: row.disabledAt !== null,
  }
}

async function show(context: CommandContext, flags: AppFlags, result: unknown): Promise<ExitCode> {
  const { out } = context.terminal
  if (flags.json === true) out.write(`${JSON.stringify(result)}\n`)
  else if (Array.isArray(result))
    out.write(
      formatTable(result as readonly JsonObject[], { width: out.isTerminal ? out.columns : null }),
    )
  else {
    for (const [name, value] of Object.entries(result as object))
      out.write(`${name.padEnd(16)}${Array.isArray(value) ? value.join(' ') : String(value)}\n`)
  }
  return EXIT.done
}
