// Master keys in a transit engine: what is asked of it, what is said when it refuses, and keys of both kinds together.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUndiciTransport } from '../../../../src/engine/adapters/undici-transport.ts'
import type { KeyProvider } from '../../../../src/service/vault/key-provider.ts'
import { openMasterKeys } from '../../../../src/service/vault/keys/master-keys.ts'
import { watchResources } from '../../../faults/resources.ts'
import { type TransitEngine, transitEngine } from '../../../fixtures/transit-engine.ts'

const LOCAL = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const DATA_KEY = Buffer.from('a data key')

let opened: AsyncDisposableStack
let engine: TransitEngine
beforeEach(async () => {
  const watched = watchResources()
  opened = new AsyncDisposableStack()
  opened.use(watched)
  engine = opened.use(await transitEngine())
})
afterEach(async () => {
  await opened.disposeAsync()
})

async function open(
  entries: readonly string[],
  token: () => Promise<string> = async () => 'token-of-tenon',
): Promise<KeyProvider> {
  return await openMasterKeys(entries, {
    token,
    transportTo: ({ host }) =>
      opened.adopt(createUndiciTransport({ allowHosts: [host] }), (transport) => transport.close()),
  })
}

async function unwrapped(
  provider: KeyProvider,
  keyId: string,
  wrapped: Uint8Array,
): Promise<string> {
  return Buffer.from(await provider.unwrap(keyId, wrapped)).toString()
}

test('a version of the key is a master key, and the newest one wraps', async () => {
  engine.rotate()
  const keys = await open([`bao:${engine.address}`])
  expect([keys.currentKeyId, keys.keyIds]).toEqual(['bao:v2', ['bao:v2', 'bao:v1']])
  const { keyId, wrapped } = await keys.wrap(DATA_KEY)
  expect(keyId).toBe('bao:v2')
  expect(Buffer.from(wrapped).toString()).toMatch(/^vault:v2:/)
  expect(await unwrapped(keys, keyId, wrapped)).toBe('a data key')
  expect(engine.got).toEqual([
    'GET /v1/transit/keys/tenon',
    'POST /v1/transit/encrypt/tenon',
    'POST /v1/transit/decrypt/tenon',
  ])
})

test('a key that is rotated while the service runs wraps with its new version', async () => {
  const [one, other] = [
    await open([`bao:${engine.address}`]),
    await open([`bao:${engine.address}`]),
  ]
  const old = await one.wrap(DATA_KEY)
  engine.rotate()
  const { keyId, wrapped } = await one.wrap(DATA_KEY)
  expect([old.keyId, keyId, one.currentKeyId]).toEqual(['bao:v1', 'bao:v2', 'bao:v2'])
  // Another process unwraps it without having been started again.
  expect(await unwrapped(other, keyId, wrapped)).toBe('a data key')
  expect(await unwrapped(one, old.keyId, old.wrapped)).toBe('a data key')
})

test('keys in memory and in an engine stand together: the first wraps, all unwrap', async () => {
  const local = await open([LOCAL])
  const { keyId, wrapped } = await local.wrap(DATA_KEY)
  const both = await open([`bao:${engine.address}`, LOCAL])
  expect([both.currentKeyId, both.keyIds]).toEqual(['bao:v1', ['bao:v1', 'k1']])
  expect(await unwrapped(both, keyId, wrapped)).toBe('a data key')
  expect((await both.wrap(DATA_KEY)).keyId).toBe('bao:v1')
  const back = await open([LOCAL, `bao:${engine.address}`])
  expect((await back.wrap(DATA_KEY)).keyId).toBe('k1')
})

test('a mount of any name and depth is asked where it is', async () => {
  const deep = opened.use(await transitEngine('team-a/keys/prod'))
  const keys = await open([`bao:${deep.address}`])
  const { keyId, wrapped } = await keys.wrap(DATA_KEY)
  expect(await unwrapped(keys, keyId, wrapped)).toBe('a data key')
  expect(deep.got.at(-1)).toBe('POST /v1/team-a/keys/prod/decrypt/tenon')
})

test('a token that was replaced is used for the next request', async () => {
  let token = 'token-of-tenon'
  const keys = await open([`bao:${engine.address}`], async () => token)
  engine.tokens.clear()
  await expect(keys.wrap(DATA_KEY)).rejects.toThrow('the token may not use it (permission denied)')
  token = 'next-token'
  engine.tokens.add(token)
  expect((await keys.wrap(DATA_KEY)).keyId).toBe('bao:v1')
})

const REFUSED: readonly {
  readonly name: string
  readonly set: (engine: TransitEngine) => void
  readonly code: string
  readonly want: string
}[] = [
  {
    name: 'a sealed engine',
    set: (engine) => void (engine.isSealed = true),
    code: 'store_unavailable',
    want: 'cannot be asked: it answered 503: Vault is sealed',
  },
  {
    name: 'a token that may not read the key',
    set: ({ tokens }) => tokens.clear(),
    code: 'config_invalid',
    want: 'the token may not use it (permission denied); it needs read on keys/, and update on encrypt/ and decrypt/ of this key',
  },
  {
    name: 'a key of another type',
    set: (engine) => void (engine.described = { supports_encryption: false }),
    code: 'config_invalid',
    want: 'it must be of a type that encrypts and decrypts',
  },
  {
    name: 'a derived key',
    set: (engine) => void (engine.described = { derived: true }),
    code: 'config_invalid',
    want: 'it must not be derived',
  },
  {
    name: 'an answer without versions',
    set: (engine) => void (engine.described = { keys: null }),
    code: 'config_invalid',
    want: 'the answer names no version of it',
  },
]

test.for(REFUSED)('$name is refused at the start', async ({ set, code, want }) => {
  set(engine)
  const address = engine.address
  const error = await open([`bao:${address}`]).then(
    () => null,
    (thrown: unknown) => thrown as Error & { readonly code?: string },
  )
  expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(want)])
  expect(error?.message).toContain(`the transit key "bao" at ${address}`)
})

test('a key that is not there is refused at the start', async () => {
  const address = engine.address.replace(/tenon$/, 'other')
  await expect(open([`bao:${address}`])).rejects.toThrow('there is no such key')
})

test('a version that the engine does not decrypt any more says so', async () => {
  const keys = await open([`bao:${engine.address}`])
  const { keyId, wrapped } = await keys.wrap(DATA_KEY)
  engine.rotate()
  engine.minDecryptionVersion = 2
  await expect(keys.unwrap(keyId, wrapped)).rejects.toThrow(
    'the data key was not wrapped under the master key "bao:v1", or the transit engine does not decrypt this version any more: ciphertext or signature version is disallowed by policy (too old)',
  )
  expect((await open([`bao:${engine.address}`])).keyIds).toEqual(['bao:v2'])
})

test.for([
  {
    name: 'plain http to another machine',
    entries: ['bao:http://bao.example.com:8200/v1/transit/keys/tenon'],
    want: 'TENON_MASTER_KEYS: the address of "bao" must be https, or http on a loopback host: data keys go over this connection',
  },
  {
    name: 'an address of no key',
    entries: ['bao:https://bao.example.com:8200/v1/transit/encrypt/tenon'],
    want: 'TENON_MASTER_KEYS: the address of "bao" must look like https://bao.example.com:8200/v1/transit/keys/tenon',
  },
  {
    name: 'a user in the address',
    entries: ['bao:https://user:secret@bao.example.com/v1/transit/keys/tenon'],
    want: 'TENON_MASTER_KEYS: the address of "bao" must look like https://bao.example.com:8200/v1/transit/keys/tenon',
  },
  {
    name: 'one id for two keys',
    entries: [LOCAL, 'k1:https://bao.example.com/v1/transit/keys/tenon'],
    want: 'TENON_MASTER_KEYS: the id "k1" occurs twice',
  },
  { name: 'no key at all', entries: [], want: 'TENON_MASTER_KEYS holds no key' },
])('$name is refused before anything is asked', async ({ entries, want }) => {
  await expect(open(entries)).rejects.toThrow(want)
})

test('K5 neither token nor data key is in what is said of a failure', async () => {
  const keys = await open([`bao:${engine.address}`])
  engine.isSealed = true
  const error = await keys.wrap(DATA_KEY).catch((thrown: unknown) => thrown as Error)
  const { inspect } = await import('node:util')
  const shown = inspect([error, keys], { depth: 9, showHidden: true })
  expect(shown).not.toContain('token-of-tenon')
  expect(shown).not.toContain(DATA_KEY.toString('base64'))
})
