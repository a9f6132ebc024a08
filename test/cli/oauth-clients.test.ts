// `tenon oauth-clients` against a running service.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import type { Run } from './run-tenon.ts'

let world: RunningService
let folder: string

beforeAll(async () => {
  world = await runService({ mode: 'dev', connectors: ['gong'] })
  folder = await mkdtemp(join(tmpdir(), 'tenon-clients-'))
  await writeFile(join(folder, 'secret.txt'), 'client-secret-1\n')
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function clients(...words: readonly string[]): Promise<Run> {
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  return await tenonHere(['oauth-clients', ...words], { env, folder })
}

test('a client is kept with a secret from a file, listed without it, and removed', async () => {
  const kept = await clients('put', 'gong', 'client-1', '--secret', '@secret.txt')
  expect([kept.code, kept.out + kept.err]).toEqual([0, 'the client of gong is kept\n'])
  expect(world.service.oauthClients.of('default', 'gong')).toMatchObject({
    id: 'client-1',
    secret: 'client-secret-1',
  })
  const listed = await clients('list')
  expect(listed.out).toMatch(/gong +client-1 +kept/)
  expect(listed.out).not.toContain('client-secret-1')
  const open = await clients('put', 'gong', 'client-1', '--public')
  expect(open).toMatchObject({ code: 1, err: expect.stringContaining('/client_secret') })
  expect((await clients('remove', 'gong')).code).toBe(0)
  expect((await clients('remove', 'gong')).code).toBe(1)
})

test('a secret that stands in the command itself is refused, and is not repeated', async () => {
  const typed = await clients('put', 'gong', 'client-1', '--secret', 'typed-secret')
  expect(typed).toMatchObject({ code: 2, err: expect.stringContaining('@file') })
  expect(typed.err).not.toContain('typed-secret')
})
