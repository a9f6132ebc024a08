// Packages that only a part of this one needs. They are optional peers: a host that calls connectors installs none of
// them, and what needs one says what to install. The build has each of them loaded through `requirePackage`.
import { ConnectorError } from './errors.ts'
import { packageFacts } from './late-modules.ts'

interface Part {
  readonly title: string
  readonly packages: readonly string[]
  /** How to go without. */
  readonly without?: string
}

const OF_DOCS = ['@fastify/swagger-ui']
const OF_MCP = ['@modelcontextprotocol/server', '@modelcontextprotocol/node']

/** A package belongs to the first part that has it. */
const PARTS: readonly Part[] = [
  { title: 'writing types', packages: ['json-schema-to-typescript'] },
  { title: 'the page /docs', packages: OF_DOCS },
  { title: 'MCP', packages: OF_MCP },
  {
    title: 'OpenTelemetry',
    packages: ['@opentelemetry/api', '@opentelemetry/sdk-node'],
    without: ', or take OTEL_* out of the environment',
  },
  {
    title: 'the recorder',
    packages: ['@pollyjs/adapter', '@pollyjs/core', '@pollyjs/persister-fs'],
  },
  {
    title: 'the service',
    // With those of /docs and /mcp, so that one command installs all of it.
    packages: ['@fastify/busboy', 'kysely', 'pg', 'pino', 'prom-client', ...OF_DOCS, ...OF_MCP],
  },
]

/** The package that `load` gives. Throws `config_invalid` with the command that installs it where it is missing. */
export function requirePackage<T>(name: string, load: () => T): T {
  try {
    return load()
  } catch (cause) {
    const { code } = cause as { readonly code?: unknown }
    // A package that is there and lacks another one fails with a message that names that one.
    const isMissing = code === 'MODULE_NOT_FOUND' && String(cause).includes(`'${name}'`)
    if (!isMissing) throw cause
    throw new ConnectorError('config_invalid', missingPackage(name), { cause })
  }
}

/** The sentence for a package that is not installed: what needs it, and the command that installs it. */
export function missingPackage(name: string): string {
  const part = PARTS.find(({ packages }) => packages.some((each) => isOf(each, name)))
  const { title, packages, without = '' }: Part = part ?? { title: 'this', packages: [name] }
  const { peerDependencies: ranges } = packageFacts()
  const wanted = packages.map((each) => `${each}@${ranges[each] ?? 'latest'}`)
  const command = `npm install ${wanted.map(quoted).join(' ')}`
  return `${title} needs the package ${name}, which is not installed: ${command}${without}`
}

/** A range of two versions has characters that shells take for their own. */
function quoted(wanted: string): string {
  return /[<>| ]/.test(wanted) ? `"${wanted}"` : wanted
}

/** Whether a name is that of the package or of an entry of it. */
function isOf(each: string, name: string): boolean {
  return name === each || name.startsWith(`${each}/`)
}
