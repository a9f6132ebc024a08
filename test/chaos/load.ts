// What callers do while an operator works on the database, and what they see of it: operations, writes, refreshes,
// searches, syncs, and instances that come and go, on all processes that serve at the moment.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { CLIENT, startAcmeVendor } from './acme-vendor.ts'
import { type Answer, connectAcme, execute, type ServeProcess } from './processes.ts'
import { createNotesVendor, type NotesVendor } from '../copy/sync/notes-vendor.ts'
import { eventually } from '../faults/resources.ts'

/** What every process must know: both vendors of the load. */
export const LOAD_ENV: Readonly<Record<string, string>> = {
  TENON_MANIFESTS: ['acme', 'notes']
    .map((name) => join(import.meta.dirname, `${name}.yaml`))
    .join(','),
  TENON_CONNECTORS: 'acme,notes',
}

/** What callers saw of one kind of call. */
export interface Seen {
  readonly calls: number
  /** How often each problem was answered: `503 store_unavailable`. */
  readonly problems: Readonly<Record<string, number>>
  /** The longest time between two answers without a problem, in milliseconds. */
  readonly longestGapMs: number
}

export interface Load extends AsyncDisposable {
  /** Instances whose refresh tokens work once. */
  readonly refreshing: readonly string[]
  /** Instances that need no refresh. */
  readonly others: readonly string[]
  /** What was seen since the last time this was asked. */
  seen(): Readonly<Record<string, Seen>>
  /** Waits until every caller has been answered without a problem; for nothing once they have ended. */
  round(): Promise<void>
  /** Waits until each of `refreshing` may have been refreshed again. */
  refreshed(): Promise<void>
  /** Ends the callers, and expects that no write happened twice or was lost, and no refresh token was sent twice. */
  end(): Promise<void>
}

/** What a caller sees while no process is ready. */
const NOT_READY = 'no process is ready'
const INSTANCES = 8
const NOTES = 200
const PAUSE_MS = 25

/** Starts it. `serving`: the processes that serve at the moment. */
export async function startLoad(serving: () => readonly ServeProcess[]): Promise<Load> {
  // As short as a call on a busy machine allows: one that is refused twice is not repeated.
  const acme = await startAcmeVendor({ lifeSeconds: 5 })
  const notes = await createNotesVendor(NOTES)
  const [first] = serving()
  if (first === undefined) throw new TypeError('nothing serves')
  const keyed: string[] = []
  const refreshing: string[] = []
  const copied: string[] = []
  for (let n = 0; n < INSTANCES; n++) {
    keyed.push(await connectAcme(first, acme.url, { api_key: `key-of-${n}` }))
    refreshing.push(await connectAcme(first, acme.url, { ...acme.provider.connect(), ...CLIENT }))
    copied.push(await connectNotes(first, notes))
  }
  await eventually(async () => {
    for (const id of copied) if (!(await isWhole(first, id))) return false
    return true
  })
  const written: string[] = []
  let [turn, number] = [0, 0]
  function on(): ServeProcess {
    const all = serving()
    const next = all[turn++ % Math.max(1, all.length)]
    if (next === undefined) throw new Error(NOT_READY)
    return next
  }
  const one = (ids: readonly string[]): string => ids[turn % ids.length] ?? ''
  const callers: Readonly<Record<string, () => Promise<Answer>>> = {
    read: async () => await execute(on(), one(keyed), 'customers.list'),
    refresh: async () => await execute(on(), one(refreshing), 'customers.list'),
    async write() {
      const name = `customer-${number++}`
      const headers = { 'idempotency-key': name }
      const answer = await execute(on(), one(keyed), 'customers.create', { name }, { headers })
      if (answer.status === 200) written.push(name)
      return answer
    },
    search: async () => await execute(on(), one(copied), 'notes.search', { query: {} }),
    sync: async () =>
      await on().call('POST', `/v1/integrations/connectors/${one(copied)}/sync`, {}),
    list: async () => await on().call('GET', '/v1/integrations/connectors?limit=10'),
    async instance() {
      const made = await on().call('POST', '/v1/integrations/connectors?check=false', {
        external_user_id: 'user-2',
        connector_type: 'acme',
        name: 'acme',
        credentials: { api_key: 'key-of-user-2' },
        server_url: acme.url,
      })
      if (made.status !== 201) return made
      const { id } = made.body as { readonly id: string }
      return await on().call('DELETE', `/v1/integrations/connectors/${id}`)
    },
  }
  const ending = new AbortController()
  const seen = new Map(Object.keys(callers).map((kind) => [kind, freshSeen()]))
  const calling = Object.entries(callers).map(async ([kind, ask]) => {
    while (!ending.signal.aborted) {
      const answer = await ask().catch((error: unknown) => ({
        status: 0,
        body: { code: error instanceof Error ? error.message : String(error) },
      }))
      const now = performance.now()
      const mine = seen.get(kind) ?? freshSeen()
      mine.calls += 1
      if (answer.status >= 200 && answer.status < 300) {
        mine.longestGapMs = Math.max(mine.longestGapMs, Math.round(now - mine.goodAt))
        mine.goodAt = now
        mine.good += 1
      } else {
        const problem = `${answer.status} ${(answer.body as { readonly code: string }).code}`
        mine.problems[problem] = (mine.problems[problem] ?? 0) + 1
      }
      // Waits for time: callers that leave the machine room for what the operator does.
      await sleep(PAUSE_MS)
    }
  })
  async function stop(): Promise<void> {
    ending.abort()
    await Promise.all(calling)
  }
  return {
    refreshing,
    others: [...keyed, ...copied],
    seen() {
      const found = Object.fromEntries(
        [...seen].map(([kind, { calls, problems, longestGapMs }]) => [
          kind,
          { calls, problems, longestGapMs },
        ]),
      )
      for (const [kind, { goodAt }] of seen) seen.set(kind, { ...freshSeen(), goodAt })
      return found
    },
    async round() {
      if (ending.signal.aborted) return
      const from = new Map([...seen].map(([kind, { good }]) => [kind, good]))
      await eventually(
        () => [...seen].every(([kind, { good }]) => good > (from.get(kind) ?? 0)),
        120_000,
      )
    },
    async refreshed() {
      const { counters } = acme.provider
      const from = counters.refreshes
      await eventually(() => counters.refreshes >= from + refreshing.length, 120_000)
    },
    async end() {
      await stop()
      const twice = [...acme.created].filter(([, times]) => times > 1)
      const lost = written.filter((name) => !acme.created.has(name))
      expect({ twice, lost, replays: acme.provider.counters.replays }).toEqual({
        twice: [],
        lost: [],
        replays: 0,
      })
      // No user has to connect again.
      for (const id of [...keyed, ...refreshing]) {
        const answer = await execute(on(), id, 'customers.list')
        expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
      }
      for (const id of copied) expect(await isWhole(on(), id)).toBe(true)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await acme[Symbol.asyncDispose]()
      await notes[Symbol.asyncDispose]()
    },
  }
}

interface Mine {
  calls: number
  good: number
  readonly problems: Record<string, number>
  longestGapMs: number
  goodAt: number
}

function freshSeen(): Mine {
  return { calls: 0, good: 0, problems: {}, longestGapMs: 0, goodAt: performance.now() }
}

async function connectNotes({ call }: ServeProcess, { http }: NotesVendor): Promise<string> {
  const answer = await call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: 'notes',
    name: 'notes',
    credentials: { api_key: 'key-of-notes' },
    server_url: http.url,
  })
  expect(answer).toMatchObject({ status: 201 })
  return (answer.body as { readonly id: string }).id
}

/** Whether the copy has all notes. */
async function isWhole({ call }: ServeProcess, id: string): Promise<boolean> {
  const { body } = await call('GET', `/v1/integrations/connectors/${id}/sync`)
  const { data } = body as {
    readonly data: readonly { readonly complete: boolean; readonly records: number }[]
  }
  return data.some(({ complete, records }) => complete && records === NOTES)
}
