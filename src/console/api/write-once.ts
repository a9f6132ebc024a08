// A write that is made once, also where its answer was lost: it is repeated under its own key until an answer comes.
import { send } from './call.ts'
import { type JsonObject, parseJson, writeJson } from './json-text.ts'
import { Problem } from './problem.ts'

export interface OpenWrite {
  readonly key: string
  readonly body: string
}

export interface OpenWrites {
  readonly read: () => OpenWrite | null
  readonly keep: (open: OpenWrite | null) => void
}

export interface WriteAnswer<T> {
  readonly value: T
  /** It is the answer to a run before this one; nothing was sent again. */
  readonly replayed: boolean
}

/**
 * Sends a body as POST. The same body as that of the open write has its key; every other one has a new key.
 * Throws as `call` does.
 */
export async function writeOnce<T>(
  path: string,
  body: JsonObject,
  { read, keep }: OpenWrites,
  signal?: AbortSignal,
): Promise<WriteAnswer<T>> {
  return await sendOnce(body, { read, keep }, (idempotencyKey) =>
    send('POST', path, { body, idempotencyKey, signal }),
  )
}

/** The same, for a write that is sent in another way; `body` is what it is known by. */
export async function sendOnce<T>(
  body: JsonObject,
  { read, keep }: OpenWrites,
  sendUnder: (key: string) => Promise<Response>,
): Promise<WriteAnswer<T>> {
  const text = writeJson(body)
  const before = read()
  const open = before?.body === text ? before : { key: newKey(), body: text }
  keep(open)
  try {
    const response = await sendUnder(open.key)
    // What the service's contract says of this route.
    const value = parseJson(await response.text()) as T
    keep(null)
    return { value, replayed: response.headers.get('idempotent-replayed') === 'true' }
  } catch (error) {
    if (isAnswered(error)) keep(null)
    throw error
  }
}

/** For a body that must not be stored: it is forgotten with the page. */
export function openWritesInMemory(): OpenWrites {
  let open: OpenWrite | null = null
  return {
    read: () => open,
    keep: (next) => {
      open = next
    },
  }
}

/** Whether a failure tells what became of the write. Refusals before it was looked at say nothing of an earlier run. */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  const { status, code, outcome, retryable } = error.body
  const isRefusedBefore = outcome === 'not_applied' && retryable
  return status !== 0 && !isRefusedBefore && !UNDECIDED.has(code)
}

const UNDECIDED: ReadonlySet<string> = new Set(['idempotency_in_flight', 'token_invalid'])

/** crypto.randomUUID is missing where the console is served over http by another name than localhost. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
