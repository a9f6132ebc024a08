// The vendor of acme.yaml: an OAuth provider with single-use refresh tokens, customers that are counted when written,
// files of any size, and a gate in front of each path, so that a test decides when something is in flight.
import type { ServerResponse } from 'node:http'
import { createHttpVendor, type ReceivedRequest, sendJson } from '../faults/http-vendor.ts'
import { createOAuthProvider, type OAuthProvider } from '../faults/oauth-provider.ts'

/** A gate that is shut: what arrives waits before it is answered; writes have happened already. */
export interface Gate {
  readonly waiting: number
  /** Resolves when so many wait. */
  arrived(count?: number): Promise<void>
  open(): void
}

export interface AcmeVendor extends AsyncDisposable {
  readonly url: string
  readonly provider: OAuthProvider
  readonly requests: readonly ReceivedRequest[]
  /** How often each customer was created, by name. */
  readonly created: ReadonlyMap<string, number>
  /** Files that are being sent. */
  readonly sending: number
  /** Keys that are refused from now on. */
  readonly refused: Set<string>
  /** Names of customers whose creation fails with 500 from now on. */
  readonly indigestible: Set<string>
  /** Shuts a gate: `/customers`, `POST /customers`, `/token` (tokens were rotated), `before /token` (not yet). */
  hold(path: string): Gate
}

/** The client that the provider knows. */
export const CLIENT = { client_id: 'client-1', client_secret: 'client-secret-1' }
/** `/files/endless` goes on until somebody leaves. */
const CHUNK = Buffer.alloc(64 * 1024, 'x')

export async function startAcmeVendor(
  options: Parameters<typeof createOAuthProvider>[0] = {},
): Promise<AcmeVendor> {
  const provider = createOAuthProvider(options)
  const created = new Map<string, number>()
  const refused = new Set<string>()
  const indigestible = new Set<string>()
  const gates = new Map<string, { waiting: (() => void)[]; told: (() => void)[] }>()
  let sending = 0

  async function pass(path: string): Promise<void> {
    const gate = gates.get(path)
    if (gate === undefined) return
    await new Promise<void>((resolve) => {
      gate.waiting.push(resolve)
      for (const tell of gate.told) tell()
    })
  }

  function isKnown({ headers }: ReceivedRequest): boolean {
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    if (bearer !== undefined) return provider.isLive(bearer)
    const key = headers['x-api-key']
    return typeof key === 'string' && !refused.has(key)
  }

  async function handle(request: ReceivedRequest, response: ServerResponse): Promise<void> {
    const path = request.url.split('?')[0] ?? ''
    if (path === '/token') {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      await pass('before /token')
      // Who presented it has ended: this vendor does nothing for nobody.
      if (response.destroyed) return
      const answer = await provider.answer({ ...request, headers })
      await pass(path)
      if (answer === null) response.destroy()
      else response.writeHead(answer.status, { ...answer.headers }).end(answer.body)
      return
    }
    if (!isKnown(request)) {
      // A vendor that tells everybody what it was sent.
      const body = { error: 'unauthorized', you_sent: { ...request } }
      return sendJson(response, body, { status: 401 })
    }
    if (path.startsWith('/files/')) return await sendFile(path.slice('/files/'.length), response)
    if (request.method === 'GET') {
      await pass(path)
      return sendJson(response, { items: [{ id: '1', name: 'Northwind' }] })
    }
    const { name } = JSON.parse(request.body) as { readonly name: string }
    if (indigestible.has(name)) return sendJson(response, { error: 'server' }, { status: 500 })
    created.set(name, (created.get(name) ?? 0) + 1)
    await pass(`POST ${path}`)
    sendJson(response, { id: String(created.size), name }, { status: 201 })
  }

  async function sendFile(size: string, response: ServerResponse): Promise<void> {
    const endless = size === 'endless'
    let left = endless ? Infinity : Number(size)
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      ...(endless ? {} : { 'content-length': String(left) }),
    })
    sending++
    const gone = new Promise<boolean>((resolve) => response.once('close', () => resolve(false)))
    try {
      while (left > 0) {
        const chunk = CHUNK.subarray(0, Math.min(left, CHUNK.length))
        left -= chunk.length
        if (response.write(chunk)) await new Promise((resolve) => setImmediate(resolve))
        else {
          const drained = new Promise<boolean>((resolve) =>
            response.once('drain', () => resolve(true)),
          )
          if (!(await Promise.race([drained, gone]))) return
        }
        if (response.destroyed) return
      }
      response.end()
    } finally {
      sending--
    }
  }

  const vendor = await createHttpVendor(handle)
  return {
    url: vendor.url,
    provider,
    requests: vendor.requests,
    created,
    refused,
    indigestible,
    get sending() {
      return sending
    },
    hold(path) {
      const gate = { waiting: [] as (() => void)[], told: [] as (() => void)[] }
      gates.set(path, gate)
      return {
        get waiting() {
          return gate.waiting.length
        },
        async arrived(count = 1) {
          while (gate.waiting.length < count)
            await new Promise<void>((resolve) => gate.told.push(resolve))
        },
        open() {
          gates.delete(path)
          for (const go of gate.waiting) go()
        },
      }
    },
    [Symbol.asyncDispose]: () => vendor[Symbol.asyncDispose](),
  }
}
