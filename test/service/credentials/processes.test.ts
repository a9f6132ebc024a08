import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore, type StoreLocation } from '../../../src/service/store/open/open-store.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { sealCredentials } from '../../../src/service/credentials/sealed-credentials.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { tamper } from '../../contracts/store/subject.ts'
import { createOAuthProvider, type OAuthProvider } from '../../faults/oauth-provider.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'
import type { KeeperProcessSettings, Met } from './keeper-process.ts'
import { auditOf, CLIENT, instanceRow, KEYS, OWNER } from './keeper-set-up.ts'
import { IS_FULL, sized } from '../../fixtures/sizes.ts'

// Processes, kills and pauses: what one process tells of itself proves nothing about several.

const PROCESSES = 3
const KILLS = sized(1, 3)
/** What a refresh of R3 takes at the vendor. */
const REFRESH_MS = 60
const WAIT_MS = 60_000
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

interface Scene {
  readonly store: Store
  readonly vault: Vault
  readonly provider: OAuthProvider
  readonly instanceIds: readonly string[]
  readonly start: (processId: string) => Promise<ChildProcess>
}

const KINDS = ['sqlite', 'postgres'] as const
/** In the short form each store has one of the two tests, the one that is harder for it. */
const [KINDS_OF_R1, KINDS_OF_R3] = IS_FULL ? [KINDS, KINDS] : ([['postgres'], ['sqlite']] as const)

async function locationOf(kind: (typeof KINDS)[number]): Promise<StoreLocation | null> {
  if (kind === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-processes-'))
    cleanUps.push(() => rmSync(folder, { recursive: true }))
    return { folder }
  }
  const database = await createTestDatabase()
  if (database === null) return null
  cleanUps.push(() => database.drop())
  return { url: database.url, poolSize: 4 }
}

async function open(
  location: StoreLocation,
  { instances, lifeSeconds }: { readonly instances: number; readonly lifeSeconds: number },
): Promise<Scene> {
  const store = await openStore(location)
  cleanUps.push(() => store.close())
  const provider = createOAuthProvider({ lifeSeconds })
  const { url, close } = await provider.listen()
  cleanUps.push(close)
  const clock = createSystemClock()
  const vault = new Vault({
    provider: readMasterKeys(KEYS, 'test'),
    dataKeys: store.dataKeys,
    clock,
  })
  const instanceIds: string[] = []
  for (let index = 0; index < instances; index++) {
    const row = instanceRow(clock, {})
    const { refresh_token } = provider.connect()
    const sealed = await seal(vault, row.id, 1, { refresh_token, ...CLIENT })
    await store.instances.insert(row, sealed, { oauthSecretHash: null, audit: auditOf(row.id) })
    instanceIds.push(row.id)
  }
  return {
    store,
    vault,
    provider,
    instanceIds,
    async start(processId) {
      const settings: KeeperProcessSettings = {
        location,
        url,
        instanceIds,
        processId,
        callers: 3,
      }
      const child = fork(
        join(import.meta.dirname, 'keeper-process.ts'),
        [JSON.stringify(settings)],
        {
          execArgv: [],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        },
      )
      cleanUps.push(() => child.kill('SIGKILL'))
      await heard(child)
      return child
    },
  }
}

async function seal(
  vault: Vault,
  id: string,
  generation: number,
  credentials: Readonly<Record<string, string>>,
): ReturnType<typeof sealCredentials> {
  return await sealCredentials(
    vault,
    { id, generation },
    { credentials, session: {}, expiresAt: null },
  )
}

/** The next message of a process; throws when it ends without one. */
async function heard(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal }).then(([code]: unknown[]) => {
        throw new Error(`the process ended with ${String(code)} and said nothing`)
      }),
    ])
  } finally {
    over.abort()
  }
}

async function stop(child: ChildProcess): Promise<Met> {
  const gone = once(child, 'exit')
  child.send('end')
  const met = (await heard(child)) as Met
  await gone
  return met
}

test.for<(typeof KINDS)[number]>(KINDS_OF_R1)(
  'R1 three processes over one store, tokens of two seconds: one refresh at a time, no replay (%s)',
  async (kind, context) => {
    const location = await locationOf(kind)
    if (location === null) return context.skip('no PostgreSQL')
    const { provider, start, store, instanceIds } = await open(location, {
      instances: 1,
      lifeSeconds: 2,
    })
    const children = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => start(`process-${index}`)),
    )
    await expect.poll(() => provider.counters.refreshes).toBeGreaterThanOrEqual(2)
    const met = await Promise.all(children.map(stop))
    expect(new Set(met.flatMap(Object.keys))).toEqual(new Set(['ok']))
    const { requests, refreshes, replays, mostInFlight } = provider.counters
    expect({ replays, mostInFlight }).toEqual({ replays: 0, mostInFlight: 1 })
    expect(requests).toBe(refreshes)
    // Each refresh is one generation, and nothing was thrown away.
    const row = await store.credentials.read(instanceIds[0] ?? '')
    expect(row?.generation).toBe(1 + refreshes)
  },
)

test.for<(typeof KINDS)[number]>(KINDS_OF_R3)(
  'R3 kill -9 at random points: replays at most as many as kills in flight, and every instance ends active or visibly not (%s)',
  async (kind, context) => {
    const location = await locationOf(kind)
    if (location === null) return context.skip('no PostgreSQL')
    const scene = await open(location, { instances: 3, lifeSeconds: 1 })
    const { store, provider, start, instanceIds } = scene
    // Long enough to be killed in.
    provider.fail(
      ...Array.from({ length: 20_000 }, () => ({ kind: 'slow', ms: REFRESH_MS }) as const),
    )
    // Enough for those that are killed: a start takes a second.
    const names = Array.from({ length: PROCESSES + KILLS }, (_, index) => `process-${index + 1}`)
    const children = new Map(
      await Promise.all(names.map(async (name) => [name, await start(name)] as const)),
    )
    let killedInFlight = 0
    /** The instances whose refresh a kill met. */
    const hit = new Set<string>()
    for (let kill = 0; kill < KILLS; kill++) {
      const name = await someoneRefreshing(scene, children)
      // Waits for time: it is killed anywhere between the intent and a little after the commit.
      await sleep(Math.random() * 2 * REFRESH_MS)
      const child = children.get(name)
      children.delete(name)
      if (child !== undefined) {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
      for (const id of instanceIds) {
        if ((await store.intents.find(id))?.sentBy !== name) continue
        killedInFlight++
        hit.add(id)
      }
      await passTime(store, name)
    }
    // Those that are left come to terms with what the dead ones began.
    await expect
      .poll(() => Promise.all(instanceIds.map(async (id) => await isSettled(scene, id))))
      .toEqual(instanceIds.map(() => true))
    const met = await Promise.all([...children.values()].map(stop))
    const codes = new Set(met.flatMap(Object.keys))
    for (const code of codes)
      expect([
        'ok',
        'refresh_unknown',
        'deadline_exceeded',
        'reauthorization_required refresh_lost',
      ]).toContain(code)
    expect(provider.counters.replays).toBeLessThanOrEqual(killedInFlight)
    for (const id of instanceIds) {
      const row = await store.instances.get(OWNER, id)
      const credential = await store.credentials.read(id)
      expect(row?.state).toMatch(/^(active|refresh_unknown|auth_error)$/)
      if (row?.state === 'auth_error') expect(row.stateReason?.code).toBe('refresh_lost')
      // What no kill met is active, and an active instance was renewed: one whose very first refresh was lost is visible.
      if (!hit.has(id)) expect(row?.state).toBe('active')
      if (row?.state === 'active') expect(credential?.generation).toBeGreaterThan(1)
    }
  },
)

/** The name of a process that refreshes just now; of any, once no instance can be refreshed any more. */
async function someoneRefreshing(
  { store, instanceIds }: Scene,
  children: ReadonlyMap<string, ChildProcess>,
): Promise<string> {
  const [anyone = ''] = children.keys()
  let found: string | undefined
  await vi.waitUntil(
    async () => {
      const intents = await Promise.all(instanceIds.map((id) => store.intents.find(id)))
      const sentBy = intents.find((intent) => intent?.notBefore === null)?.sentBy
      if (sentBy !== undefined && children.has(sentBy)) found = sentBy
      const rows = await Promise.all(instanceIds.map((id) => store.instances.get(OWNER, id)))
      if (rows.every((row) => row?.state !== 'active')) found ??= anyone
      return found !== undefined
    },
    { timeout: WAIT_MS, interval: 5 },
  )
  return found ?? anyone
}

/** Whether an instance is visibly not active, or was renewed. */
async function isSettled({ store }: Scene, id: string): Promise<boolean> {
  const row = await store.instances.get(OWNER, id)
  const credential = await store.credentials.read(id)
  return row?.state !== 'active' || (credential?.generation ?? 0) > 1
}

/** A minute passes for leases and intents of a dead process, and for what others are waiting for. */
async function passTime(store: Store, processId: string): Promise<void> {
  await tamper(store, `update lease set held_until = 0 where owner_id = '${processId}'`)
  await tamper(
    store,
    `update refresh_intent set created_at = created_at - 60000, not_before = not_before - 3600000`,
  )
}
