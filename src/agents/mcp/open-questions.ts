// Questions to users over HTTP in the era of 2025: asked on the stream of a call, and answered by a request of its own,
// which knows the question by its number only. What a client can show it says once, when it begins, and no later request
// repeats it; so the label of its session says it, for every process.
import { randomUUID } from 'node:crypto'
import {
  acceptedContent,
  type ClientCapabilities,
  type ElicitRequestFormParams,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../../language/json/json.ts'
import type { CallerLabel } from './running-calls.ts'

/** A question as it is sent. */
interface Question {
  readonly jsonrpc: '2.0'
  readonly id: string
  readonly method: 'elicitation/create'
  readonly params: ElicitRequestFormParams
}

interface Asked {
  readonly send: (question: Question) => Promise<void>
  readonly signal: AbortSignal
}

/** Nobody fills in a form for longer. */
const MAX_WAIT_MS = 600_000
const WITH_FORMS = '.forms'

export class OpenQuestions {
  /** By who was asked, then by the number of the question. */
  readonly #open = new Map<string, Map<string, (answer: JsonObject) => void>>()

  /**
   * What the user has typed; null: they declined, left or say nothing for ten minutes, or the client has no forms. Rejects
   * when the call is cancelled.
   */
  async ask(
    caller: CallerLabel,
    params: ElicitRequestFormParams,
    { send, signal }: Asked,
  ): Promise<JsonObject | null> {
    const key = keyOf(caller)
    const id = randomUUID()
    const asked = this.#open.get(key) ?? new Map<string, (answer: JsonObject) => void>()
    this.#open.set(key, asked)
    try {
      const { promise, resolve, reject } = Promise.withResolvers<JsonObject | null>()
      asked.set(id, resolve)
      const over = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)])
      over.addEventListener('abort', () => {
        if (signal.aborted) reject(signal.reason as Error)
        else resolve(null)
      })
      signal.throwIfAborted()
      await send({ jsonrpc: '2.0', id, method: 'elicitation/create', params })
      const answer = await promise
      const { result } = answer ?? {}
      // Of whatever form it came: only content that was accepted is taken from it.
      return result === undefined ? null : (acceptedContent({ result }, 'result') ?? null)
    } finally {
      asked.delete(id)
      if (asked.size === 0) this.#open.delete(key)
    }
  }

  /** Whether an answer of this caller is awaited here. */
  isAwaited(caller: CallerLabel): boolean {
    return this.#open.has(keyOf(caller))
  }

  /** Takes an answer; false: this message is none that is awaited. */
  take(caller: CallerLabel, message: unknown): boolean {
    if (!isAnswer(message)) return false
    const { id } = message
    const asked = this.#open.get(keyOf(caller))
    const resolve = typeof id === 'string' ? asked?.get(id) : undefined
    resolve?.(message)
    return resolve !== undefined
  }
}

function keyOf({ token, session }: CallerLabel): string {
  return JSON.stringify([token, session])
}

function isAnswer(message: unknown): message is JsonObject {
  return (
    typeof message === 'object' &&
    message !== null &&
    'id' in message &&
    ('result' in message || 'error' in message)
  )
}

/** Whether a client shows forms, by what it says of itself. */
export function showsForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {}
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  )
}

/** The label of a new session, of a client that begins with this message. */
export function newSession(first: unknown): string {
  const { params } = first as { readonly params?: { readonly capabilities?: ClientCapabilities } }
  return `${randomUUID()}${showsForms(params?.capabilities) ? WITH_FORMS : ''}`
}

/** Whether the client of a session shows forms. */
export function sessionShowsForms({ session }: CallerLabel): boolean {
  return session?.endsWith(WITH_FORMS) === true
}
