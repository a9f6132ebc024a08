// A service that may have few files and sockets open: what it cannot do is answered 503, and it goes on.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNotesVendor, type NotesVendor } from '../copy/sync/notes-vendor.ts'
import { eventually } from '../faults/resources.ts'
import { RUNS_LONG } from '../fixtures/sizes.ts'
import { type AcmeVendor, startAcmeVendor } from './acme-vendor.ts'
import {
  type Answer,
  execute,
  folderFleet,
  postgresFleet,
  SCALE,
  type ServeProcess,
} from './processes.ts'

const CALLERS = 150
const COPIES = 12
const NOTES = 200

let notes: NotesVendor
let acme: AcmeVendor
beforeAll(async () => {
  notes = await createNotesVendor(NOTES)
  acme = await startAcmeVendor()
})
afterAll(async () => {
  await notes[Symbol.asyncDispose]()
  await acme[Symbol.asyncDispose]()
})

async function connect({ call }: ServeProcess, type: string, server_url: string): Promise<string> {
  const answer = await call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: type,
    name: type,
    credentials: { api_key: 'key-of-notes' },
    server_url,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return (answer.body as { readonly id: string }).id
}

test.runIf(RUNS_LONG).for([
  { store: 'SQLite', open: folderFleet, descriptors: 256 },
  { store: 'SQLite', open: folderFleet, descriptors: 128 },
  { store: 'SQLite', open: folderFleet, descriptors: 96 },
  { store: 'PostgreSQL', open: postgresFleet, descriptors: 192 },
])(
  `D2 with $store and $descriptors descriptors ${CALLERS} searches, operations and downloads at once are answered or refused with 503, and all is well again behind them`,
  async ({ open, descriptors }, context) => {
    await using fleet = await open()
    if (fleet === null) return context.skip('no PostgreSQL')
    const manifests = ['acme.yaml', 'notes.yaml'].map((file) => join(import.meta.dirname, file))
    const serve = await fleet.start({
      descriptors,
      env: { TENON_MANIFESTS: manifests.join(','), TENON_CONNECTORS: 'acme,notes' },
    })
    const customers = await connect(serve, 'acme', acme.url)
    const copies: string[] = []
    for (let n = 0; n < COPIES; n++) copies.push(await connect(serve, 'notes', notes.http.url))
    const search = (id: string): Promise<Answer> =>
      execute(serve, id, 'notes.search', { query: { filter: { keyword: { text: 'note' } } } })
    const isFilled = async (id: string): Promise<boolean> => {
      const { body } = await serve.call('GET', `/v1/integrations/connectors/${id}/sync`)
      const { data } = body as { readonly data?: readonly { complete: boolean }[] }
      return data?.[0]?.complete === true && (await search(id)).status === 200
    }
    for (const id of copies) await eventually(() => isFilled(id))
    const calls = [
      (n: number) => search(copies[n % COPIES] ?? ''),
      () => execute(serve, customers, 'customers.list'),
      () => execute(serve, customers, 'files.download', { bytes: '300000' }),
      (n: number) => search(copies[(n * 5) % COPIES] ?? ''),
    ]
    const refused = new Set<string>()
    let answered = 0
    for (let round = 0; round < SCALE; round++) {
      const answers = await Promise.all(
        // A connection that breaks off instead of being answered fails the test.
        Array.from({ length: CALLERS }, async (_, n) => await calls[n % calls.length]?.(n)),
      )
      for (const answer of answers) {
        if (answer?.status === 200) answered++
        else refused.add(`${answer?.status} ${typeof answer?.headers['retry-after']}`)
      }
    }
    expect(answered).toBeGreaterThan(0)
    // 429: more of one organisation or instance than it may have at once.
    for (const each of refused) expect(['503 string', '429 string']).toContain(each)
    expect(serve.child.exitCode).toBe(null)
    for (const [n, call] of calls.entries())
      await eventually(async () => (await call(n)).status === 200)
    for (const id of copies) expect(await isFilled(id)).toBe(true)
    const told = serve.log().filter(({ msg }) => String(msg).startsWith('more callers than'))
    expect(told.map(({ level }) => level)).toEqual(['warn'])
    expect(serve.log().filter(({ level }) => level === 'error')).toEqual([])
    expect(await serve.stop()).toEqual({ code: 0, signal: null })
  },
)
