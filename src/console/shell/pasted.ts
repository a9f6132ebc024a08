// What an id belongs to: an account, an entry of the logs, a request, an endpoint of webhooks or an application.
import type { All, Instance, LogEntry, LogPage, Webhook } from '../api/answers.ts'
import { call, instancePath } from '../api/call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { plainText } from '../../display/plain-text.ts'
import { addressOf } from '../place.tsx'
import { titleOf } from '../screens/logs/log-words.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface Pasted {
  readonly words: string
  readonly about: string
  readonly to: string
}

/** Each kind is asked for at once; what is no id of one, or may not be read, is left out. */
const KINDS: readonly ((id: string, signal: AbortSignal) => Promise<Pasted | null>)[] = [
  async (id, signal) => {
    const { name } = await call<Instance>('GET', instancePath(id), { signal })
    return {
      words: plainText(name),
      about: 'The account with this id',
      to: addressOf(`/instances/${id}`),
    }
  },
  async (id, signal) => {
    const entry = await call<LogEntry>('GET', `/logs/${id}`, { signal })
    const to = addressOf('/logs', { entry: id })
    return { words: titleOf(entry), about: 'The log entry with this id', to }
  },
  async (id, signal) => {
    const query = { request_id: id, limit: '2' }
    const { data } = await call<LogPage>('GET', '/logs', { query, signal })
    const [entry, another] = data
    if (entry === undefined) return null
    const open = another === undefined ? { entry: entry.id } : {}
    const to = addressOf('/logs', { request_id: id, ...open })
    return { words: titleOf(entry), about: 'Of the request with this id', to }
  },
  async (id, signal) => {
    const { url } = await call<Webhook>('GET', `/webhooks/${id}`, { signal })
    return {
      words: plainText(url),
      about: 'The webhook with this id',
      to: addressOf(`/webhooks/${id}`),
    }
  },
  async (id, signal) => {
    type Application = { readonly client_id: string; readonly name: string }
    const { data } = await call<All<Application>>('GET', '/settings/applications', { signal })
    const found = data.find(({ client_id: own }) => own === id)
    const to = addressOf('/settings', { part: 'applications' })
    return found === undefined
      ? null
      : { words: plainText(found.name), about: 'The application with this id', to }
  },
]

export function isId(typed: string): boolean {
  return ID.test(typed)
}

/** What a pasted id belongs to; `isLooking`: that is not known yet. */
export function usePasted(typed: string): {
  readonly pasted: readonly Pasted[]
  readonly isLooking: boolean
} {
  const id = isId(typed) ? typed.toLowerCase() : ''
  const answer = useAnswer(`pasted ${id}`, async (signal) => {
    if (id === '') return []
    const asked = await Promise.allSettled(KINDS.map((kind) => kind(id, signal)))
    return asked.flatMap((each) =>
      each.status === 'fulfilled' && each.value !== null ? [each.value] : [],
    )
  })
  return {
    pasted: answer.kind === 'ready' ? answer.value : [],
    isLooking: answer.kind === 'loading',
  }
}
