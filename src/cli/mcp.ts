// `tenon mcp`: connectors as tools of an agent, over standard input and output.
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { AgentClient, AgentClients } from '../agents/agent-tool.ts'
import type { AgentToolOptions } from '../agents/agent-tool.ts'
import { agentTools } from '../agents/agent-tools.ts'
import { connect } from '../client/connect.ts'
import { describeEntities } from '../language/manifest/describe.ts'
import type { DirectOptions } from '../client/options.ts'
import { isConnectorError } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { findManifest, type FoundManifest } from './find-manifest.ts'
import { DEFAULT_URL, openService } from './running-service.ts'
import { openServiceInstance } from './service-instance.ts'
import { sandboxTarget, type TargetFlags, vendorTarget } from './target.ts'
import { fromEnvironment, variablesOf } from './try-input.ts'
import { packageVersion } from '../package-file.ts'

interface McpFlags {
  readonly url?: string
  readonly connectorId: readonly string[]
  readonly credentials: readonly string[]
  readonly config: readonly string[]
  readonly authMethod: readonly string[]
  readonly serverUrl: readonly string[]
  readonly sandbox?: boolean
  readonly allowWrites?: boolean
  readonly entities?: readonly string[]
  readonly actions?: readonly string[]
  readonly mode: 'actions' | 'three'
  readonly maxAnswer?: number
  readonly downloads?: string
  readonly timeout: number
  readonly list?: boolean
  readonly json?: boolean
}

export const notes = `In the settings of a host:
  { "mcpServers": { "jira": { "command": "npx", "args": ["tenon", "mcp", "jira"],
      "env": { "TENON_TRY_USERNAME": "…", "TENON_TRY_PASSWORD": "…", "TENON_TRY_SUBDOMAIN": "…" } } } }
With several connectors each value says for which: --config work=@work.config.json, TENON_TRY_WORK_USERNAME.
Credentials that renew themselves belong into a file, which is kept up to date.
Instances of a service (--connector-id) need none: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an
application, which mints tokens for them and renews these. Their copies can be searched.`

export const examples: CommandModule['examples'] = [
  'tenon mcp jira --sandbox                          # no account needed',
  'tenon mcp jira --sandbox --allow-writes --entities issues,issue_comments',
  'tenon mcp jira gong --mode three --sandbox        # three tools for both',
  'tenon mcp work=jira home=jira --credentials work=@work.json --credentials home=@home.json',
  'tenon mcp jira --list                             # the tools and their size, nothing is started',
  'tenon mcp --url https://tenon.example.com --connector-id work=0199f3a1-… --connector-id home=0199f3b7-…',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('[connectors...]', 'connector types or paths of manifests; name=type to name them')
    .option('--connector-id <id>', 'an instance of a service; name=id to name it', collect, [])
    .option('--url <address>', `of the service; default: TENON_URL, or ${DEFAULT_URL}`)
    .option('--sandbox', 'against local vendors made from the manifests')
    .option('--allow-writes', 'offer actions that change data')
    .option('--entities <names>', 'these entities only: issues,users or jira.issues', commaList)
    .option('--actions <names>', 'these actions only: get,list or issues.get', commaList)
    .addOption(
      new Option('--mode <mode>', 'a tool per action, or the three describe, execute and search')
        .choices(['actions', 'three'])
        .default('actions'),
    )
    .option('--max-answer <characters>', 'size of one answer at most; default 40000', wholeNumber)
    .option('--downloads <folder>', 'store downloaded files here and tell agents the path')
    .option('--credentials <@file>', 'as JSON in a file; else TENON_TRY_<FIELD>', collect, [])
    .option('--config <json>', 'settings: JSON or @file; else TENON_TRY_<SETTING>', collect, [])
    .option('--auth-method <name>', 'where the credentials fit several', collect, [])
    .option('--server-url <url>', 'another origin instead of the vendor', collect, [])
    .option('--timeout <seconds>', 'for one call, waits included', wholeNumber, 60)
    .option('--list', 'print the tools with their size in tokens, and end')
    .option('--json', 'with --list: as JSON, schemas included')
    .action(async (connectors: readonly string[], flags: McpFlags) => {
      done(await mcp(connectors, flags, context))
    })
}

/** A connector under the name that the agent sees. */
interface Instance {
  readonly name: string
  readonly found: FoundManifest
}

async function mcp(
  connectors: readonly string[],
  flags: McpFlags,
  context: CommandContext,
): Promise<ExitCode> {
  if (flags.json === true && flags.list !== true)
    throw new UsageError('--json goes with --list; the server speaks its protocol')
  if (flags.connectorId.length > 0) return await ofService(connectors, flags, context)
  if (connectors.length === 0)
    throw new UsageError('name connectors, such as jira, or instances of a service: --connector-id')
  if (flags.url !== undefined) throw new UsageError('--url goes with --connector-id')
  const instances = await Promise.all(
    connectors.map(async (argument) => await instanceOf(argument, context.folder)),
  )
  requireDifferent(
    instances.map(({ name }) => name),
    'type',
  )
  const options = toolOptions(flags, context)
  if (flags.list === true)
    return list(
      Object.fromEntries(instances.map(({ name, found }) => [name, describing(found)])),
      flags,
      options,
      context,
    )
  await using open = new AsyncDisposableStack()
  const clients: Record<string, AgentClient> = {}
  for (const instance of instances) {
    const target =
      flags.sandbox === true
        ? await sandboxTarget(instance.found)
        : await targetOf(instance, instances, flags, context)
    open.use(target)
    const timeoutMs = flags.timeout * 1000
    clients[instance.name] = open.use(
      await connected(instance, instances, { ...target.options, timeoutMs }, context),
    )
  }
  return await serve(clients, options, context)
}

/** Flags that say how a vendor is reached: an instance of a service knows. */
const OF_VENDORS = ['credentials', 'config', 'authMethod', 'serverUrl'] as const

/** The instances of a service: it keeps their credentials, and answers searches of their copies. */
async function ofService(
  connectors: readonly string[],
  flags: McpFlags,
  context: CommandContext,
): Promise<ExitCode> {
  if (
    connectors.length > 0 ||
    flags.sandbox === true ||
    OF_VENDORS.some((flag) => flags[flag].length > 0)
  )
    throw new UsageError(
      '--connector-id stands for itself: no connectors, no --sandbox and nothing of their credentials beside it',
    )
  const options = { ...toolOptions(flags, context), search: true }
  await using open = new AsyncDisposableStack()
  const timeoutMs = flags.timeout * 1000
  const service = open.use(openService(flags, context, { timeoutMs }))
  const found = await Promise.all(
    flags.connectorId.map(async (argument) => {
      const [, name, id] = /^([A-Za-z][\w-]*)=(.+)$/.exec(argument) ?? [null, null, argument]
      const { instance, client } = await openServiceInstance(service, id ?? argument, timeoutMs)
      return { name: name ?? instance.connector_type, client: open.use(client) }
    }),
  )
  requireDifferent(found.map(({ name }) => name))
  const clients = Object.fromEntries(found.map(({ name, client }) => [name, client]))
  if (flags.list === true) return list(clients, flags, options, context)
  return await serve(clients, options, context)
}

async function serve(
  clients: AgentClients,
  options: AgentToolOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (process.stdin.isTTY)
    context.terminal.err.write(
      `${Object.keys(clients).join(', ')}: a server for agents on standard input and output; a host starts it by itself (--help). Ctrl+C stops.\n`,
    )
  const { serveMcpStdio } = await import('../agents/mcp/mcp-stdio.ts')
  await serveMcpStdio(clients, {
    ...options,
    serverVersion: packageVersion(),
    signal: context.signal,
    onError: (error) => context.terminal.err.write(`${error.message}\n`),
  })
  return EXIT.done
}

async function instanceOf(argument: string, folder: string): Promise<Instance> {
  const [, name, type] = /^([A-Za-z][\w-]*)=(.+)$/.exec(argument) ?? [null, null, argument]
  const found = await findManifest(type ?? argument, folder)
  return { name: name ?? found.manifest.type, found }
}

function requireDifferent(names: readonly string[], what = 'id'): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new UsageError(`two connectors are called ${twice}; name them: a=<${what}> b=<${what}>`)
}

function toolOptions(flags: McpFlags, context: CommandContext): AgentToolOptions {
  const { entities, actions, maxAnswer, downloads } = flags
  if (maxAnswer !== undefined && maxAnswer < 1000)
    throw new UsageError('--max-answer must be 1000 characters or more')
  return {
    mode: flags.mode,
    allowWrites: flags.allowWrites === true,
    ...(entities === undefined ? {} : { entities }),
    ...(actions === undefined ? {} : { actions }),
    ...(maxAnswer === undefined ? {} : { maxAnswerChars: maxAnswer }),
    ...(downloads === undefined ? {} : { saveFile: saverIn(resolve(context.folder, downloads)) }),
  }
}

/** Stores files under names of our own, so that no name that an agent or a vendor chose becomes a path. */
function saverIn(folder: string): NonNullable<AgentToolOptions['saveFile']> {
  return async (file, { client, entity }) => {
    await mkdir(folder, { recursive: true })
    const subtype = /^[a-z]+\/(?:x-)?([a-z0-9]{1,8})\b/.exec(file.contentType ?? '')?.[1] ?? 'bin'
    const path = join(folder, `${client}-${entity}-${randomUUID().slice(0, 8)}.${subtype}`)
    await file.toFile(path)
    return path
  }
}

async function targetOf(
  { name, found }: Instance,
  instances: readonly Instance[],
  flags: McpFlags,
  context: CommandContext,
): ReturnType<typeof vendorTarget> {
  const credentials = flagFor('--credentials', flags.credentials, name, instances)
  const config = flagFor('--config', flags.config, name, instances)
  const authMethod = flagFor('--auth-method', flags.authMethod, name, instances)
  const serverUrl = flagFor('--server-url', flags.serverUrl, name, instances)
  const own: TargetFlags = {
    ...(credentials === null ? {} : { credentials }),
    ...(config === null ? {} : { config }),
    ...(authMethod === null ? {} : { authMethod }),
    ...(serverUrl === null ? {} : { serverUrl }),
  }
  if (config === '-') throw new UsageError('--config cannot come from standard input here')
  const environment = fromEnvironment(found.manifest, context.env, instanceIn(instances, name))
  return await vendorTarget(found.manifest, own, context, environment)
}

/** With several connectors nothing is shared: the password of one must not reach the vendor of another. */
function instanceIn(instances: readonly Instance[], name: string): string | null {
  return instances.length === 1 ? null : name
}

/** The value of a flag for one instance: `name=value`, or the value alone where there is only one. */
function flagFor(
  flag: string,
  values: readonly string[],
  name: string,
  instances: readonly Instance[],
): string | null {
  const own = values.filter((value) => value.startsWith(`${name}=`))
  const names = instances.map((instance) => instance.name)
  const unnamed = values.filter((value) => !names.some((each) => value.startsWith(`${each}=`)))
  if (unnamed.length > 0 && instances.length > 1)
    throw new UsageError(`${flag} must say for which connector: ${flag} ${name}=…`)
  const [value, ...more] = [...own.map((each) => each.slice(name.length + 1)), ...unnamed]
  if (more.length > 0) throw new UsageError(`${flag} is given twice for ${name}`)
  return value ?? null
}

async function connected(
  { name, found }: Instance,
  instances: readonly Instance[],
  options: DirectOptions & { readonly config?: JsonObject },
  context: CommandContext,
): Promise<AgentClient & AsyncDisposable> {
  try {
    return await connect(found.manifest, options)
  } catch (error) {
    if (isConnectorError(error, 'credentials_invalid') || isConnectorError(error, 'config_invalid'))
      context.terminal.err.write(
        `Set ${variablesOf(found.manifest, instanceIn(instances, name)).join(', ')} for ${name}, give --credentials @file, or add --sandbox, which needs none.\n`,
      )
    throw error
  }
}

function list(
  clients: AgentClients,
  flags: McpFlags,
  options: AgentToolOptions,
  { terminal: { out } }: CommandContext,
): ExitCode {
  const tools = agentTools(clients, options).map(
    ({ name, title, description, inputSchema, annotations }) => {
      const listed = { name, title, description, inputSchema, annotations }
      return { ...listed, tokens: Math.ceil(JSON.stringify(listed).length / 4) }
    },
  )
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0)
  if (flags.json === true) {
    out.write(`${JSON.stringify({ tools, tokens })}\n`)
    return EXIT.done
  }
  const width = Math.max(...tools.map(({ name }) => name.length))
  for (const { name, annotations, tokens } of tools) {
    const does = annotations.readOnlyHint ? 'reads' : 'changes'
    out.write(`${name.padEnd(width)}  ${does.padEnd(7)}  ${String(tokens).padStart(5)}\n`)
  }
  out.write(`${tools.length} tools, about ${tokens} tokens (4 characters each)\n`)
  return EXIT.done
}

/** A client that is asked for its description only. */
function describing({ manifest }: FoundManifest): AgentClient {
  return {
    describe: () => describeEntities(manifest),
    execute: () => {
      throw new TypeError('a list of tools executes nothing')
    },
  }
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function commaList(value: string): readonly string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}
