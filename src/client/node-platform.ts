// The client of a service in Node: over the transport of the engine, with files and streams of Node.
import { fileSourceOf } from '../engine/adapters/file-sources.ts'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { createLateTransport } from '../engine/adapters/late-transport.ts'
import { isConnectorError } from '../errors.ts'
import type { FileSource } from '../language/expression/file-source.ts'
import { parseJson } from '../language/json/parse-json.ts'
import { parsePlainJson } from '../language/json/plain-json.ts'
import { describeEntities } from '../language/manifest/describe.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { nodeCrypto } from '../late-modules.ts'
import { CLIENT_CLOSED } from './client.ts'
import { type CommonSettings, COMMON_SETTINGS } from './hosted-calls.ts'
import type { OptionNames } from './known-options.ts'
import { incoming } from './node-bytes.ts'
import type { DirectOptions } from './options.ts'
import { loadPackaged } from './packaged.ts'
import type { ServicePlatform } from './service-platform.ts'

/** Where a service is, and how it is reached. */
export interface ServiceSettings
  extends CommonSettings, Pick<DirectOptions, 'dispatcher' | 'proxy' | 'transport'> {}

/** Their names, for `requireKnown`. */
export const SERVICE_SETTINGS: OptionNames<ServiceSettings> = {
  ...COMMON_SETTINGS,
  dispatcher: true,
  proxy: true,
  transport: true,
}

/** What reaches a service from Node: it may run on this machine, or on a private address. */
export function nodePlatform(options: ServiceSettings): ServicePlatform {
  const { dispatcher, proxy, clock = createSystemClock() } = options
  const allowHosts = [new URL(options.baseUrl).host]
  const transport =
    options.transport ??
    createLateTransport({ allowHosts, dispatcher, proxy, closedMessage: CLIENT_CLOSED })
  return {
    clock,
    send: (request, call) => transport.send(request, call),
    stream: async (request, call) => incoming(await transport.stream(request, call)),
    close: () => transport.close(),
    readJson,
    openFile: fileSourceOf,
    digest,
    describe,
  }
}

async function describe(connector: string | Manifest): ReturnType<ServicePlatform['describe']> {
  if (typeof connector !== 'string') return describeEntities(connector)
  try {
    return describeEntities(await loadPackaged(connector))
  } catch (error) {
    if (isConnectorError(error, 'connector_unknown')) return null
    throw error
  }
}

function readJson(bytes: Uint8Array): ReturnType<ServicePlatform['readJson']> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return parsePlainJson([buffer]) ?? parseJson(buffer.toString('utf8'))
}

async function digest(file: FileSource): Promise<string> {
  const hash = nodeCrypto().createHash('sha256')
  for await (const piece of file.open()) hash.update(piece)
  return hash.digest('hex')
}
