// A load on an HTTP server that costs next to nothing itself: one request, written again as soon as it is answered.
import { connect, type Socket } from 'node:net'

export interface LoadRequest {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const HEAD_END = '\r\n\r\n'

/**
 * Sends a request `calls` times over `callers` connections, each of which waits for its answer. Resolves to
 * milliseconds. Rejects for an answer that is not 200, or whose length nobody announced.
 */
export async function runLoad(
  request: LoadRequest,
  callers: number,
  calls: number,
): Promise<number> {
  const bytes = render(request)
  const load = { left: calls }
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (load.left > 0) await keepBusy(request.url, bytes, () => load.left-- > 0)
    }),
  )
  return performance.now() - startedAt
}

/** One answer, whole. */
export async function askOnce(
  request: LoadRequest,
): Promise<{ readonly text: string; readonly headers: Headers }> {
  const { url, path, method, headers, body } = request
  const response = await fetch(url + path, {
    method,
    headers,
    ...(method === 'POST' ? { body } : {}),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return { text: await response.text(), headers: response.headers }
}

/** One connection, until there is nothing left to ask or the server closes it after an answer. */
async function keepBusy(url: string, bytes: Buffer, next: () => boolean): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject).on('close', () => reject(new Error('the server hung up')))
      const send = (): void => {
        if (next()) socket.write(bytes)
        else resolve()
      }
      readAnswers(socket, {
        done: (closes) => (closes ? resolve() : send()),
        failed: reject,
      })
      send()
    })
  } finally {
    socket.removeAllListeners('close').destroy()
  }
}

/** Calls `done` after each answer; only what HTTP/1.1 servers in good health send is understood. */
function readAnswers(
  socket: Socket,
  told: { readonly done: (closes: boolean) => void; readonly failed: (error: Error) => void },
): void {
  let head = ''
  let missing = 0
  let closes = false
  socket.on('data', (chunk) => {
    if (missing > 0) {
      missing -= chunk.length
    } else {
      head += chunk.toString('latin1', 0, 4096)
      const end = head.indexOf(HEAD_END)
      if (end === -1) return
      const before = head.length - Math.min(chunk.length, 4096)
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (!head.startsWith('HTTP/1.1 200') || Number.isNaN(length)) {
        told.failed(new Error(`the server answered: ${head}`))
        return
      }
      closes = /\r\nconnection: *close/i.test(head.slice(0, end + 2))
      missing = length - (chunk.length - (end + HEAD_END.length - before))
      head = ''
    }
    if (missing === 0) told.done(closes)
  })
}

function render({ url, method, path, headers, body }: LoadRequest): Buffer {
  const all = {
    host: new URL(url).host,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
