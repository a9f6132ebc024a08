// The transport of a client, loaded by what is sent first: connecting sends nothing, and a bundle holds it apart.
import { proxyProblem } from '../exchange/proxy-options.ts'
import type {
  SendOptions,
  Transport,
  UpstreamResponse,
  UpstreamStream,
} from '../exchange/transport.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'

import type { UndiciTransportOptions } from './undici-transport.ts'

/** Its options are judged when it is loaded, but for the address of a proxy. */
export interface LateTransport extends Transport {
  /** Throws TypeError as `createUndiciTransport` does. */
  load(): Promise<void>
}

/** A transport that `createUndiciTransport` makes at its first use. Throws TypeError for a proxy whose address is none. */
export function createLateTransport(options: UndiciTransportOptions): LateTransport {
  const { proxy } = options
  const problem =
    proxy === undefined ? null : proxyProblem(typeof proxy === 'string' ? proxy : proxy.url)
  if (problem !== null) throw new TypeError(`proxy: the url ${problem}`)
  return new Late(options)
}

class Late implements LateTransport {
  readonly #options: UndiciTransportOptions
  #loaded: Transport | null = null
  #loading: Promise<Transport> | null = null
  #closed: Promise<void> | null = null

  constructor(options: UndiciTransportOptions) {
    this.#options = options
  }

  async load(): Promise<void> {
    await this.#load()
  }

  send(request: UpstreamRequest, options?: SendOptions): Promise<UpstreamResponse> {
    return this.#loaded === null
      ? this.#load().then((transport) => transport.send(request, options))
      : this.#loaded.send(request, options)
  }

  stream(request: UpstreamRequest, options?: SendOptions): Promise<UpstreamStream> {
    return this.#loaded === null
      ? this.#load().then((transport) => transport.stream(request, options))
      : this.#loaded.stream(request, options)
  }

  /** What was never loaded is loaded closed, so that whatever is sent after all fails as it does with any other. */
  async close(): Promise<void> {
    await (this.#closed ??= this.#loading === null ? Promise.resolve() : this.#close())
  }

  async #close(): Promise<void> {
    const transport = await this.#load()
    await transport.close()
  }

  async #load(): Promise<Transport> {
    return (this.#loaded ??= await (this.#loading ??= this.#make()))
  }

  async #make(): Promise<Transport> {
    const { createUndiciTransport } = await import('./undici-transport.ts')
    const made = createUndiciTransport(this.#options)
    if (this.#closed !== null) await made.close()
    return made
  }
}
