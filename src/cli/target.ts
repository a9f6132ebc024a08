// What a command connects to: the vendor with credentials from outside, or a sandbox.
import { resolve } from 'node:path'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { DirectOptions } from '../client/options.ts'
import { isConnectorError } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { sandbox as openSandbox } from '../sandbox/open-sandbox.ts'
import type { CommandContext } from './command.ts'
import { proxyIn } from './egress-proxy.ts'
import { UsageError } from './exit-codes.ts'
import type { FoundManifest } from './manifest-files.ts'
import { SERVICE_OPTIONS } from './running-service.ts'
import { fromEnvironment, readJsonFlag, variablesOf } from './try-input.ts'
import { wrapText } from './wrap.ts'
import { writeWhole } from './written-files.ts'

/** Options of `connect`, and what to close afterwards. */
export interface Target extends AsyncDisposable {
  readonly options: DirectOptions & { readonly config?: JsonObject }
  /** Says on standard error where missing credentials and settings are looked for. */
  connect(more: Pick<DirectOptions, 'timeoutMs' | 'dispatcher'>): Promise<Client>
}

/** How a user says what to connect to. */
export interface TargetFlags {
  /** `@file`. */
  readonly credentials?: string
  /** JSON or `@file`. */
  readonly config?: string
  readonly authMethod?: string
  readonly serverUrl?: string
}

/** The options of a command that calls with an account of the user's own. */
export const ACCOUNT_OPTIONS = {
  '--config <json>': 'settings of the connector: JSON or @file; else TENON_TRY_<SETTING>',
  '--credentials <@file>': 'credentials as JSON in a file; else TENON_TRY_<FIELD>',
  '--auth-method <name>': 'authentication method, where the credentials fit several',
} as const

/** The options of a command that calls a vendor, a sandbox, or a service. */
export const PLACE_OPTIONS: Readonly<
  Record<'--sandbox' | '--server-url <url>' | '--connector-id <id>', string>
> &
  typeof SERVICE_OPTIONS = {
  '--sandbox': 'against a local vendor made from the manifest',
  '--server-url <url>': 'another origin instead of the vendor, for example a running sandbox',
  '--connector-id <id>': 'an instance of a service instead of an account of your own',
  ...SERVICE_OPTIONS,
}

/** The names of these flags. */
export const VENDOR_FLAGS = ['credentials', 'config', 'authMethod', 'serverUrl'] as const

/** A local vendor made from the manifest. */
export async function sandboxTarget({ path, manifest }: FoundManifest): Promise<Target> {
  const sandbox = await openSandbox(path)
  // The limits of a vendor's accounts do not hold here.
  const options = { ...sandbox.options(), limits: null }
  return {
    options,
    connect: (more) => connect(manifest, { ...options, ...more }),
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}

/**
 * The vendor. Credentials come from a file or the environment, never from an argument. With an `instance` only its own
 * variables count. Throws UsageError.
 */
export async function vendorTarget(
  manifest: Manifest,
  flags: TargetFlags,
  context: CommandContext,
  instance: string | null = null,
): Promise<Target> {
  const { serverUrl, authMethod } = flags
  if (flags.credentials !== undefined && !flags.credentials.startsWith('@')) {
    throw new UsageError('--credentials takes @file: secrets never stand on a command line')
  }
  if (serverUrl !== undefined && !URL.canParse(serverUrl)) {
    throw new UsageError(
      `--server-url must be a URL such as http://127.0.0.1:8080, not "${serverUrl}"`,
    )
  }
  const environment = fromEnvironment(manifest, context.env, instance)
  const credentials = await readJsonFlag('--credentials', flags.credentials, context)
  const config = await readJsonFlag('--config', flags.config, context)
  const options = {
    credentials: credentials ?? environment.credentials,
    config: { ...environment.config, ...config },
    onCredentials: keepIn(
      flags.credentials?.slice(1) ?? `tenon-try-${manifest.type}.credentials.json`,
      context,
    ),
    ...(authMethod !== undefined && { authMethod }),
    ...(serverUrl !== undefined && { serverUrl, allowHosts: [new URL(serverUrl).host] }),
  }
  const proxy = proxyIn(context.env)
  const { err } = context.terminal
  return {
    options,
    async connect(more) {
      try {
        // A recorder makes its own connections.
        const by = proxy !== undefined && more.dispatcher === undefined ? { proxy } : {}
        return await connect(manifest, { ...options, ...by, ...more })
      } catch (error) {
        // Of a file that was given the error says what is wrong with it.
        const isMissing =
          flags.credentials === undefined &&
          (isConnectorError(error, 'credentials_invalid') ||
            (isConnectorError(error, 'config_invalid') && flags.config === undefined))
        if (isMissing)
          err.write(
            wrapText(
              `Set ${variablesOf(manifest, instance).join(', ')} for ${instance ?? manifest.type}, give --credentials @file, or add --sandbox, which needs none.\n`,
              err,
            ),
          )
        throw error
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

/**
 * Keeps renewed credentials: in the file they came from, else in one of the working folder, readable by its owner only.
 * Without it, the next use of a single-use refresh token would end the connection.
 */
function keepIn(
  name: string,
  context: CommandContext,
): NonNullable<DirectOptions['onCredentials']> {
  const file = resolve(context.folder, name)
  return async (next) => {
    await writeWhole(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    context.terminal.err.write(`The credentials were renewed; the new ones are in ${name}\n`)
  }
}
