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

/** What a part of the service needs that can be switched off, and the packages that the service needs for itself. */
export const PACKAGES_OF: Readonly<
  Record<'mcp' | 'telemetry' | 'postgres' | 'metrics', readonly string[]>
> = {
  mcp: ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
  telemetry: ['@opentelemetry/api', '@opentelemetry/sdk-node'],
  postgres: ['pg'],
  metrics: ['prom-client'],
}
const { mcp, telemetry, postgres, metrics } = PACKAGES_OF

/** A package belongs to the first part that has it. */
const PARTS: readonly Part[] = [
  { title: 'writing types', packages: ['json-schema-to-typescript'] },
  { title: 'signing in at the provider of TENON_OIDC_ISSUER', packages: ['openid-client'] },
  { title: 'MCP', packages: mcp },
  {
    title: 'OpenTelemetry',
    packages: telemetry,
    without: ', or take OTEL_* out of the environment',
  },
  {
    title: 'the recorder',
    packages: ['@pollyjs/adapter', '@pollyjs/core', '@pollyjs/persister-fs', 'undici'],
  },
  {
    title: 'the service',
    // With those of /mcp, so that one command installs all of it.
    packages: ['@fastify/busboy', 'kysely', 'pino', ...postgres, ...metrics, ...mcp],
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
  const command = installCommand(packages)
  return `${title} needs the package ${name}, which is not installed: ${command}${without}`
}

/** The command that installs packages in the versions that this one works with. */
export function installCommand(packages: readonly string[]): string {
  const { peerDependencies: ranges } = packageFacts()
  const wanted = packages.map((each) => `${each}@${ranges[each] ?? 'latest'}`)
  return `npm install ${wanted.map(quoted).join(' ')}`
}

/** A range of two versions has characters that shells take for their own. */
function quoted(wanted: string): string {
  return /[<>| ]/.test(wanted) ? `"${wanted}"` : wanted
}

/** Whether a name is that of the package or of an entry of it. */
function isOf(each: string, name: string): boolean {
  return name === each || name.startsWith(`${each}/`)
}
