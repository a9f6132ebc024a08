// Costly counts are made by one process for all, and seldom; cheap ones whenever somebody looks.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CountedSeldom } from '../../src/service/counted-seldom.ts'
import type { Store } from '../../src/service/store/store.ts'
import { postgresSubject, sqliteSubject, type StoreSubject } from '../contracts/store/subject.ts'

const NO_POSTGRES = 'no PostgreSQL can be started'

let subject: StoreSubject | null
let shared: Store | null = null
let now = 5_000_000_000_000
const clock = { now: () => now, monotonic: () => now }
const names = ['first', 'second', 'third', 'fourth', 'fifth'].values()

beforeAll(async () => {
  subject = await postgresSubject()
  shared = (await subject?.open({ clock })) ?? null
})
afterAll(() => subject?.close())

/** A process that counts: each count takes so long, and gives how many there were. */
function processes(
  store: Store,
  tookMs: number | (() => number),
  isFew: (value: number) => boolean = () => false,
) {
  const name = names.next().value ?? ''
  let counts = 0
  const count = async () => {
    now += typeof tookMs === 'number' ? tookMs : tookMs()
    return ++counts
  }
  return {
    open: () => new CountedSeldom({ name, count, isFew, store, clock }),
    made: () => counts,
  }
}

test('what is cheap is counted whenever somebody looks, by every process', async ({ skip }) => {
  if (shared === null) return skip(NO_POSTGRES)
  const { open } = processes(shared, 200)
  const [one, other] = [open(), open()]
  expect(await one.read()).toEqual({ value: 1, ageSeconds: 0.2, isKept: false })
  expect(await one.read()).toEqual({ value: 2, ageSeconds: 0.2, isKept: false })
  expect(await other.read()).toEqual({ value: 3, ageSeconds: 0.2, isKept: false })
})

test('a few are counted whenever somebody looks, however long it took; no longer once they are many', async ({
  skip,
}) => {
  if (shared === null) return skip(NO_POSTGRES)
  const one = processes(shared, 400, (value) => value < 3).open()
  expect(await one.read()).toEqual({ value: 1, ageSeconds: 0.4, isKept: false })
  expect(await one.read()).toEqual({ value: 2, ageSeconds: 0.4, isKept: false })
  expect(await one.read()).toEqual({ value: 3, ageSeconds: 0.4, isKept: false })
  expect(await one.read()).toEqual({ value: 3, ageSeconds: 0.4, isKept: true })
})

test('what is costly is counted after fifty times as long, and nobody waits for it', async ({
  skip,
}) => {
  if (shared === null) return skip(NO_POSTGRES)
  const { open, made } = processes(shared, 400)
  const one = open()
  expect(await one.read()).toEqual({ value: 1, ageSeconds: 0.4, isKept: false })
  now += 19_000
  expect(await one.read()).toEqual({ value: 1, ageSeconds: 19.4, isKept: true })
  expect(made()).toBe(1)
  now += 1_000
  await one.read()
  await vi.waitFor(() => expect(made()).toBe(2))
  expect(await one.read()).toEqual({ value: 2, ageSeconds: 0.4, isKept: true })
})

test('one process shows what is costly; another one when nobody has looked at it', async ({
  skip,
}) => {
  if (shared === null) return skip(NO_POSTGRES)
  const { open, made } = processes(shared, 400)
  const [one, other] = [open(), open()]
  // Nobody knows what it costs before the first count.
  await one.read()
  await other.read()
  expect(await one.read()).toEqual({ value: 1, ageSeconds: 0.8, isKept: true })
  now += 60_000
  expect(await other.read()).toBe(null)
  expect(await one.read()).not.toBe(null)
  now += 90_001
  expect(await other.read()).not.toBe(null)
  expect(await one.read()).toBe(null)
  await vi.waitFor(() => expect(made()).toBeGreaterThan(3))
})

test('a count that failed is tried again within a minute', async ({ skip }) => {
  if (shared === null) return skip(NO_POSTGRES)
  let isAway = true
  const { open } = processes(shared, () => {
    if (!isAway) return 10
    now += 10_000
    throw new Error('away')
  })
  const one = open()
  await expect(one.read()).rejects.toThrow('away')
  isAway = false
  expect(await one.read()).toBe(null)
  now += 60_000
  await one.read()
  await vi.waitFor(async () => expect(await one.read()).toMatchObject({ value: 2 }))
})

test('a store of one process knows no turns', async () => {
  const own = await sqliteSubject()
  try {
    const store = await own.open({ clock })
    const { open } = processes(store, 400)
    const [one, other] = [open(), open()]
    await one.read()
    await other.read()
    expect(await one.read()).not.toBe(null)
    expect(await other.read()).not.toBe(null)
  } finally {
    await own.close()
  }
})
