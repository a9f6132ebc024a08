// `tenon sandbox`: local vendors made from manifests, until interrupted.
import { once } from 'node:events'
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts'
import { collect, type Configure, jsonLines, leaf } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { findManifest, packagedTypes } from './manifest-files.ts'
import { sandbox as openSandbox } from '../sandbox/open-sandbox.ts'
import { print } from './terminal.ts'
import { variableOf } from './try-input.ts'

const CONSENTS = ['ask', 'allow', 'deny'] as const

export const docs = 'sandbox'
export const examples: readonly string[] = [
  'tenon sandbox jira gong --port 9000',
  'tenon sandbox jira --size issues=100000 --json',
  'tenon sandbox manifests/acme.yaml --rate-limits',
]

export const configure: Configure = leaf({
  arguments: { '[types...]': 'connector types, or paths of manifests; default: all there are' },
  options: {
    '--port <n>': 'port of the first one, the others follow; default: any free ones',
    '--seed <text>': { text: 'what all demo data follows from', default: '1' },
    '--rate-limits': 'enforce the limits of the manifests',
    '--consent <answer>': {
      text: 'of OAuth: ask people on a page, or answer at once',
      choices: CONSENTS,
      default: 'ask',
    },
    '--withhold <scope>': {
      text: 'OAuth scope that no token of one connector gets; may be repeated',
      parse: collect,
      default: [],
    },
    '--size <set=n>': {
      text: 'how many records one connector has of these, such as issues=100000; may be repeated',
      parse: collect,
      default: [],
    },
    ...jsonLines('connector'),
  },
  async run({ rateLimits = false, seed, consent, withhold, json, ...given }, context) {
    const types = given.types.length > 0 ? given.types : await packagedTypes(context.folder)
    const first = portOf(given.port)
    if (given.size.length > 0 && types.length > 1)
      throw new UsageError(
        '--size needs one connector, such as: tenon sandbox jira --size issues=1000',
      )
    if (withhold.length > 0 && types.length > 1)
      throw new UsageError(
        '--withhold needs one connector, such as: tenon sandbox jira --withhold write:jira-work',
      )
    const sizes = Object.fromEntries(given.size.map(sizeOf))
    const options = { seed, rateLimits, consent, withhold, sizes }
    const running: Sandbox[] = []
    try {
      for (const [index, type] of types.entries()) {
        const { path } = await findManifest(type, context.folder)
        const port = first === null ? {} : { port: first + index }
        running.push(await open(path, { ...options, ...port }))
      }
      const value = running.map((vendor) => ({
        type: vendor.type,
        url: vendor.url,
        ...vendor.options(),
      }))
      await print(context.terminal, json, { value, shown: asText(running) })
      if (!context.signal.aborted) await once(context.signal, 'abort')
      return EXIT.done
    } finally {
      await Promise.all(running.map((sandbox) => sandbox.close()))
    }
  },
})

/** A size or a scope that does not fit is wrong use. */
async function open(path: string, options: SandboxOptions): Promise<Sandbox> {
  try {
    return await openSandbox(path, options)
  } catch (error) {
    const { sizes = {}, withhold = [] } = options
    if (error instanceof TypeError && Object.keys(sizes).length + withhold.length > 0)
      throw new UsageError(error.message)
    throw error
  }
}

/** Lines that can be pasted into a shell. Demo credentials are no secrets. */
function asText(running: readonly Sandbox[]): string {
  const parts = running.map((sandbox) => {
    const { credentials, config } = sandbox.options()
    const variables = Object.entries({ ...credentials, ...config }).map(
      ([name, value]) =>
        `${variableOf(name)}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    return [
      `${sandbox.type}  ${sandbox.url}`,
      `  ${variables.join(' ')}`,
      `  tenon try ${sandbox.type} … --server-url ${sandbox.url}`,
    ].join('\n')
  })
  return `${parts.join('\n\n')}\n\nCtrl+C stops.\n`
}

function sizeOf(text: string): readonly [set: string, size: number] {
  const [, set, size] = /^(\w+)=(\d+)$/.exec(text) ?? []
  if (set === undefined) throw new UsageError(`--size is set=n, such as issues=1000, not "${text}"`)
  return [set, Number(size)]
}

function portOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(`--port must be a number from 1 to 65535, not "${text}"`)
  return port
}
