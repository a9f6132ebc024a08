// A live MCP server on the command line: its tools, and where its tokens come from. The address is the author's own word.
import { isConnectorError } from '../errors.ts'
import { createUndiciTransport } from '../engine/adapters/undici-transport.ts'
import {
  type Authorization,
  findAuthorization,
  listTools,
  type ToolOffer,
} from '../engine/run/tool-list.ts'
import { proxyIn } from './egress-proxy.ts'
import { UsageError } from './exit-codes.ts'

/** The token of the server, where it wants one: never an argument. */
export const TOKEN_VARIABLE = 'TENON_TRY_TOKEN'

export interface LiveTools extends ToolOffer {
  readonly authorization: Authorization | null
  /** It answers without a token. */
  readonly isOpen: boolean
}

/** A server that wants a token. `challenge`: its WWW-Authenticate. */
interface Refused {
  readonly refusal: string
  readonly challenge: string | null
}

/** Whether a text is an address, and no file. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Asks the server at `url`, and hosts that it names for its tokens. Throws UsageError with the way out. */
export async function askTools(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LiveTools> {
  if (!isAddress(url)) throw new UsageError(`"${url}" is no address; write https://…`)
  const token = env[TOKEN_VARIABLE] ?? null
  // A server on this machine or in this network may be asked, as its author named it.
  const transport = createUndiciTransport({
    allowHosts: [new URL(url).host, new URL(url).hostname],
    proxy: proxyIn(env),
  })
  const ask = async (bearer: string | null): Promise<ToolOffer | Refused> => {
    try {
      return await listTools(transport, { url, token: bearer })
    } catch (error) {
      if (!isConnectorError(error)) throw error
      if (error.code !== 'credentials_refused') throw new UsageError(error.message)
      const { challenge } = error.details
      return { refusal: error.message, challenge: typeof challenge === 'string' ? challenge : null }
    }
  }
  try {
    const open = await ask(null)
    if ('tools' in open) return { ...open, authorization: null, isOpen: true }
    const authorization = await findAuthorization(transport, url, open.challenge)
    const offer = token === null ? open : await ask(token)
    if ('tools' in offer) return { ...offer, authorization, isOpen: false }
    const issuer = authorization?.server['issuer']
    const from = typeof issuer === 'string' ? `; its tokens come from ${issuer}` : ''
    throw new UsageError(`${offer.refusal}; set ${TOKEN_VARIABLE}${from}`)
  } finally {
    await transport.close()
  }
}
