// The blocks of the guides to the service and to the connect page are run on this machine, in their order.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { manifestTypes } from '../contracts/case-file.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { createTestDatabase, type TestDatabase } from '../fixtures/postgres.ts'
import { runService } from '../fixtures/running-service.ts'
import { blocksOf } from './blocks.ts'
import { withSources } from './with-sources.ts'

const TENON = `'${process.execPath}' '${resolve('bin/tenon.js')}'`
const K1 = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const K2 = `k2:${Buffer.alloc(32, 2).toString('base64')}`

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-docs-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** PostgreSQL for a line that needs it; null: there is none here, and the line is left out. */
async function newDatabase(): Promise<TestDatabase | null> {
  const database = await createTestDatabase()
  if (database !== null) closers.push(() => database.drop())
  return database
}

/** The commands of a file that stand in blocks without a language, a block each. */
const blocks = blocksOf('docs/operation.md')
  .filter(({ language }) => language === '')
  .map((block) => block.text.trim().split('\n'))

interface Ran {
  readonly code: number | null
  readonly out: string
}

/** Runs a line of a shell in a folder; `serving` ends it as an operator would as soon as it serves. */
async function shell(
  line: string,
  folder: string,
  { env = {}, serving = false }: { env?: Readonly<Record<string, string>>; serving?: boolean } = {},
): Promise<Ran> {
  // The shell gives way to the program, so that the signal reaches it.
  const exec = line.replace(/^((?:\w+=\S* )*)tenon /, `$1exec ${TENON} `)
  const child = spawn('bash', ['-euc', exec], {
    cwd: folder,
    env: { ...bareEnvironment, TENON_PORT: '0', TENON_MAX_LOOP_DELAY_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  closers.push(() => child.kill('SIGKILL'))
  let said = ''
  const look = (chunk: Buffer): void => {
    const isNews = !said.includes('listens on')
    said += chunk.toString()
    if (serving && isNews && said.includes('listens on')) child.kill('SIGTERM')
  }
  child.stdout.on('data', look)
  child.stderr.on('data', look)
  await once(child, 'close')
  return { code: child.exitCode, out: said }
}

describe('the guide to running the service', () => {
  const folder = newFolder()

  test('its blocks are those that are run here', () =>
    expect(blocks.map((lines) => lines.map((line) => line.split(/ {2,}#/)[0]))).toEqual([
      [
        'tenon serve --sandbox',
        'tenon serve',
        'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon serve',
      ],
      ['tenon keys generate', 'TENON_MASTER_KEYS=k2:…,k1:… tenon keys rotate', 'tenon keys list'],
      [
        'tenon backup /backups/tenon-monday.backup',
        'tenon restore /backups/tenon-monday.backup --data ./new-data',
      ],
      ['tenon store copy --from ./tenon-data --to "$DATABASE_URL"'],
    ]))

  test('the service starts each way, and ends', async () => {
    const database = await newDatabase()
    for (const line of blocks[0] ?? []) {
      if (line.includes('postgres://…') && database === null) continue
      const filled = line.replace('postgres://…', database?.url ?? '').replace('k1:…', K1)
      const { code, out } = await shell(filled, folder, { serving: true })
      expect({ line, code, out }).toEqual({
        line,
        code: 0,
        out: expect.stringContaining('listens on') as unknown,
      })
    }
  })

  test('keys are generated, rotated and listed', async () => {
    const own = readFileSync(join(folder, 'tenon-data/master.key'), 'utf8').trim()
    const [generate = '', rotate = '', list = ''] = blocks[1] ?? []
    const made = await shell(generate, folder)
    expect(made).toEqual({
      code: 0,
      out: expect.stringMatching(/^k\d{8}:[\w+/]{43}=\n$/) as unknown,
    })
    const rotated = await shell(rotate.replace('k2:…,k1:…', `${K2},${own}`), folder)
    expect(rotated).toMatchObject({
      code: 0,
      out: expect.stringContaining('the other master keys can be dropped') as unknown,
    })
    const listed = await shell(list, folder, { env: { TENON_MASTER_KEYS: K2 } })
    expect(listed).toEqual({
      code: 0,
      out: expect.stringMatching(/^k2 {2}\d+ data keys {2}current\n$/) as unknown,
    })
  })

  test('a backup is made and restored', async () => {
    const backups = join(folder, 'backups/')
    mkdirSync(backups)
    for (const line of blocks[2] ?? []) {
      const { code, out } = await shell(line.replace('/backups/', backups), folder, {
        env: { TENON_MASTER_KEYS: K2 },
      })
      expect({ line, code, ...(code === 0 ? {} : { out }) }).toEqual({ line, code: 0 })
    }
    const apps = await Promise.all(
      ['./tenon-data', './new-data'].map((data) =>
        shell(`tenon apps list --json --data ${data}`, folder, { env: { TENON_MASTER_KEYS: K2 } }),
      ),
    )
    expect(apps[0]).toMatchObject({ code: 0, out: expect.stringContaining('client_id') as unknown })
    expect(apps[1]).toEqual(apps[0])
  })

  test('the store is copied to PostgreSQL', async ({ skip }) => {
    const database = await newDatabase()
    if (database === null) return skip('no PostgreSQL')
    const env = { DATABASE_URL: database.url, TENON_MASTER_KEYS: K2 }
    const [line = ''] = blocks[3] ?? []
    const { code, out } = await shell(line, folder, { env })
    expect({ code, ...(code === 0 ? {} : { out }) }).toEqual({ code: 0 })
    expect(await database.run('select count(*)::int as n from application')).toEqual([{ n: 1 }])
  })

  test('the plugin serves inside a host app', async () => {
    const [program] = blocksOf('docs/operation.md').filter(({ language }) => language === 'ts')
    const home = newFolder()
    symlinkSync(resolve('node_modules'), join(home, 'node_modules'))
    const rest = `
      const url = await app.listen({ host: '127.0.0.1', port: 0 })
      const answer = await fetch(url + '/tenon/v1/connectors')
      const { data } = await answer.json()
      console.log(answer.status, data.map((each) => each.connector_type).join())
      await app.close()
    `
    writeFileSync(join(home, 'program.mts'), withSources(program?.text ?? '') + rest)
    const child = spawn(process.execPath, ['program.mts'], {
      cwd: home,
      env: bareEnvironment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [out] = await Promise.all([text(child.stdout), once(child, 'close')])
    expect(child.exitCode).toBe(0)
    // The log of the service stands around it.
    expect(out.split('\n')).toContain(`200 ${manifestTypes().toSorted().join()}`)
  })
})

test('the guide to the connect page: its request makes a link', async () => {
  const [block] = blocksOf('docs/connect.md').filter(({ language }) => language === 'bash')
  const world = await runService()
  closers.push(() => world[Symbol.asyncDispose]())
  const [, promised = ''] = /^# (\{.*\})$/m.exec(block?.text ?? '') ?? []
  const { code, out } = await shell(block?.text ?? '', newFolder(), {
    env: { url: world.url, token: world.token },
  })
  const made = JSON.parse(out) as Readonly<Record<string, string>>
  expect([code, Object.keys(made)]).toEqual([0, Object.keys(JSON.parse(promised) as object)])
  expect((await fetch(made['connect_url'] ?? '')).status).toBe(200)
})
