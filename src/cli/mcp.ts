// `tenon mcp`: connectors as tools of an agent, over standard input and output.
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AgentClient, AgentClients, AgentToolOptions } from '../agents/agent-tool.ts'
import { agentTools } from '../agents/agent-tools.ts'
import { describeEntities } from '../language/manifest/describe.ts'
import {
  collect,
  type CommandContext,
  type Configure,
  type FlagsOf,
  leaf,
  spelled,
  wholeNumber,
} from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { findManifest, type FoundManifest } from './manifest-files.ts'
import { openService, openServiceInstance, SERVICE_OPTIONS } from './running-service.ts'
import {
  sandboxTarget,
  type Target,
  type TargetFlags,
  VENDOR_FLAGS,
  vendorTarget,
} from './target.ts'
import type { Result } from './terminal.ts'
import { packageFacts } from '../late-modules.ts'

export const docs = 'mcp'
export const notes = `In the settings of a host:
  { "mcpServers": { "jira": { "command": "npx", "args": ["tenon", "mcp", "jira"],
      "env": { "TENON_TRY_USERNAME": "…", "TENON_TRY_PASSWORD": "…", "TENON_TRY_SUBDOMAIN": "…" } } } }
With several connectors each value says for which: --config work=@work.config.json, TENON_TRY_WORK_USERNAME.
Credentials that renew themselves belong into a file, which is kept up to date.
Instances of a service (--connector-id) need none: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an
application, which mints tokens for them and renews these. Their copies can be searched.`

export const examples: readonly string[] = [
  'tenon mcp jira --sandbox                          # no account needed',
  'tenon mcp jira --sandbox --allow-writes --entities issues,issue_comments',
  'tenon mcp jira --all-tools --entities issues      # a tool for each action',
  'tenon mcp work=jira home=jira --credentials work=@work.json --credentials home=@home.json',
  'tenon mcp jira --list                             # the tools and their size, nothing is started',
  'tenon mcp --url https://tenon.example.com --connector-id work=0199f3a1-… --connector-id home=0199f3b7-…',
]

function repeated(text: string) {
  return { text, parse: collect, default: [] } as const
}

const OPTIONS = {
  '--connector-id <id>': repeated('an instance of a service; name=id to name it'),
  '--url <address>': SERVICE_OPTIONS['--url <address>'],
  '--sandbox': 'against local vendors made from the manifests',
  '--allow-writes': 'offer actions that change data',
  '--entities <names>': {
    text: 'these entities only: issues,users or jira.issues',
    parse: commaList,
  },
  '--actions <names>': { text: 'these actions only: get,list or issues.get', parse: commaList },
  '--mode <mode>': {
    text: 'the three tools describe, execute and search, which are the default, or a tool per action',
    choices: ['actions', 'three'],
  },
  '--all-tools': 'a tool per action, as --mode actions',
  '--max-answer <characters>': {
    text: 'size of one answer at most; default 40000',
    parse: wholeNumber,
  },
  '--downloads <folder>': 'store downloaded files here and tell agents the path',
  '--credentials <@file>': repeated('as JSON in a file; else TENON_TRY_<FIELD>'),
  '--config <json>': repeated('settings: JSON or @file; else TENON_TRY_<SETTING>'),
  '--auth-method <name>': repeated('where the credentials fit several'),
  '--server-url <url>': repeated('another origin instead of the vendor'),
  '--timeout <seconds>': {
    text: 'for one call, waits included',
    parse: wholeNumber,
    default: 60,
  },
  '--list': 'print the tools with their size in tokens, and end',
  '--json': 'with --list: print one JSON document, schemas included',
} as const

type McpFlags = FlagsOf<typeof OPTIONS>

export const configure: Configure = leaf({
  arguments: {
    '[connectors...]': 'connector types or paths of manifests; name=type to name them',
  },
  options: OPTIONS,
  async run({ connectors, ...flags }, context) {
    if (flags.json === true && flags.list !== true)
      throw new UsageError('--json goes with --list; the server speaks its protocol')
    const wanted = toolOptions(flags, context)
    await using open = new AsyncDisposableStack()
    const isHosted = flags.connectorId.length > 0
    const asked = { connectors, flags, context, open }
    const clients = await (isHosted ? hostedClients(asked) : directClients(asked))
    const options = { ...wanted, search: isHosted }
    return flags.list === true ? list(clients, options) : await serve(clients, options, context)
  },
})

/** What the user asked for; `open` closes what is opened for it. */
interface Asked {
  readonly connectors: readonly string[]
  readonly flags: McpFlags
  readonly context: CommandContext
  readonly open: AsyncDisposableStack
}

/** A connector under the name that the agent sees. */
interface Instance {
  readonly name: string
  readonly found: FoundManifest
}

/** Clients with credentials of our own; where tools are only listed, such as need none. */
async function directClients(asked: Asked): Promise<AgentClients> {
  const { connectors, flags, context } = asked
  if (connectors.length === 0)
    throw new UsageError('name connectors, such as jira, or instances of a service: --connector-id')
  if (flags.url !== undefined) throw new UsageError('--url goes with --connector-id')
  const instances = await Promise.all(
    connectors.map(async (argument): Promise<Instance> => {
      const [name, type] = namedIn(argument)
      const found = await findManifest(type, context.folder)
      return { name: name ?? found.manifest.type, found }
    }),
  )
  const names = instances.map(({ name }) => name)
  requireDifferent(names, 'type')
  const clients: Record<string, AgentClient> = {}
  for (const instance of instances)
    clients[instance.name] =
      flags.list === true ? describing(instance.found) : await connected(instance, names, asked)
  return clients
}

/** Clients of instances of a service: it keeps their credentials, and answers searches of their copies. */
async function hostedClients(asked: Asked): Promise<AgentClients> {
  const { connectors, flags, context, open } = asked
  if (
    connectors.length > 0 ||
    flags.sandbox === true ||
    VENDOR_FLAGS.some((flag) => flags[flag].length > 0)
  )
    throw new UsageError(
      '--connector-id stands for itself: leave out connectors, --sandbox and the options of their credentials',
    )
  const timeoutMs = flags.timeout * 1000
  const service = open.use(openService(flags, context, { timeoutMs }))
  const found = await Promise.all(
    flags.connectorId.map(async (argument) => {
      const [name, id] = namedIn(argument)
      const { instance, client } = await openServiceInstance(service, id, timeoutMs)
      return [name ?? instance.connector_type, open.use(client)] as const
    }),
  )
  requireDifferent(found.map(([name]) => name))
  return Object.fromEntries(found)
}

async function serve(
  clients: AgentClients,
  options: AgentToolOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (process.stdin.isTTY)
    context.terminal.err.write(
      `${Object.keys(clients).join(', ')}: a server for agents on standard input and output; a host starts it on its own (--help). Ctrl+C stops.\n`,
    )
  const { serveMcpStdio } = await import('../agents/mcp/mcp-stdio.ts')
  await serveMcpStdio(clients, {
    ...options,
    serverVersion: packageFacts().version,
    signal: context.signal,
    onError: (error) => context.terminal.err.write(`${error.message}\n`),
  })
  return EXIT.done
}

/** `name=value`, or a value without a name. */
function namedIn(argument: string): readonly [name: string | null, value: string] {
  const [, name = null, value = argument] = /^([A-Za-z][\w-]*)=(.+)$/.exec(argument) ?? []
  return [name, value]
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
    mode: modeOf(flags),
    allowWrites: flags.allowWrites === true,
    ...(entities === undefined ? {} : { entities }),
    ...(actions === undefined ? {} : { actions }),
    ...(maxAnswer === undefined ? {} : { maxAnswerChars: maxAnswer }),
    ...(downloads === undefined ? {} : { saveFile: saverIn(resolve(context.folder, downloads)) }),
  }
}

/** Three tools, unless all are asked for. */
function modeOf({ mode, allTools }: McpFlags): 'actions' | 'three' {
  if (allTools !== true) return mode ?? 'three'
  if (mode === 'three') throw new UsageError('--all-tools and --mode three exclude each other')
  return 'actions'
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
  names: readonly string[],
  { flags, context }: Asked,
): Promise<Target> {
  const own: TargetFlags = Object.fromEntries(
    VENDOR_FLAGS.flatMap((flag) => {
      const value = valueFor(name, names, spelled(flag), flags[flag])
      return value === null ? [] : [[flag, value]]
    }),
  )
  if (own.config === '-') throw new UsageError('--config cannot come from standard input here')
  // With several connectors nothing is shared: the password of one must not reach the vendor of another.
  return await vendorTarget(found.manifest, own, context, names.length === 1 ? null : name)
}

/** The value of a flag for one instance: `name=value`, or the value alone where there is only one. */
function valueFor(
  name: string,
  names: readonly string[],
  flag: string,
  values: readonly string[],
): string | null {
  const own = values.filter((value) => value.startsWith(`${name}=`))
  const unnamed = values.filter((value) => !names.some((each) => value.startsWith(`${each}=`)))
  if (unnamed.length > 0 && names.length > 1)
    throw new UsageError(`${flag} must say for which connector: ${flag} ${name}=…`)
  const [value, ...more] = [...own.map((each) => each.slice(name.length + 1)), ...unnamed]
  if (more.length > 0) throw new UsageError(`${flag} is given twice for ${name}`)
  return value ?? null
}

async function connected(
  instance: Instance,
  names: readonly string[],
  asked: Asked,
): Promise<AgentClient> {
  const { flags, open } = asked
  const target = open.use(
    flags.sandbox === true
      ? await sandboxTarget(instance.found)
      : await targetOf(instance, names, asked),
  )
  return open.use(await target.connect({ timeoutMs: flags.timeout * 1000 }))
}

function list(clients: AgentClients, options: AgentToolOptions): Result {
  const tools = agentTools(clients, options).map(
    ({ name, title, description, inputSchema, annotations }) => {
      const listed = { name, title, description, inputSchema, annotations }
      return { ...listed, tokens: Math.ceil(JSON.stringify(listed).length / 4) }
    },
  )
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0)
  const width = Math.max(...tools.map(({ name }) => name.length))
  // Scripts read these lines: each is a tool, by its whole name.
  const lines = tools.map((tool) => {
    const effect = tool.annotations.readOnlyHint ? 'reads' : 'changes'
    return `${tool.name.padEnd(width)}  ${effect.padEnd(7)}  ${String(tool.tokens).padStart(5)}\n`
  })
  const sum = `${tools.length} tools, about ${tokens} tokens (4 characters each)\n`
  return { value: { tools, tokens }, shown: lines.join('') + sum }
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

function commaList(value: string): readonly string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
