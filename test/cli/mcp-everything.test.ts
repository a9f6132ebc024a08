// The reference server of the Model Context Protocol, as it is published on npm: drafted, called, and held to. Installing it
// takes a while, so it is no part of `npm test`.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { IS_FULL } from '../fixtures/sizes.ts'
import { tenonHere } from './run-here.ts'
import { folderOf } from './run-tenon.ts'

const SERVER = '@modelcontextprotocol/server-everything'
const VERSION = '2026.8.31'

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Starts the server; resolves when it listens. */
async function start(folder: string, port: number): Promise<AsyncDisposable> {
  const main = join(folder, 'node_modules', SERVER, 'dist/index.js')
  const child = spawn(process.execPath, [main, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  for await (const chunk of child.stderr) if ((said += String(chunk)).includes('listening')) break
  return {
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

test.runIf(IS_FULL)(
  'the reference server is drafted, called and held to',
  { timeout: 180_000 },
  async () => {
    const folder = folderOf({ 'package.json': '{"private":true}' })
    const install = spawnSync(
      'npm',
      ['install', '--no-audit', '--no-fund', `${SERVER}@${VERSION}`],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    expect(install).toMatchObject({ status: 0 })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const init = ['init', 'everything', '--from-mcp', `${url}/mcp`]
    const check = ['check', 'everything', '--against', `${url}/mcp`]
    await using open = new AsyncDisposableStack()
    {
      await using _first = await start(folder, port)
      expect(await tenonHere(init, { folder })).toMatchObject({ code: 0 })
      expect(await tenonHere(['lint'], { folder })).toMatchObject({ code: 0 })
      expect(await tenonHere(check, { folder })).toMatchObject({
        code: 0,
        out: expect.stringMatching(
          /^(\d+) of \1 requests compared with \d+ tools: 0 errors, 0 warnings/,
        ),
      })
      const file = join(folder, 'manifests/everything.yaml')
      writeFileSync(file, readFileSync(file, 'utf8').replace('mcp: get-sum', 'mcp: get-sums'))
      const changed = await tenonHere(check, { folder })
      expect([changed.code, changed.out]).toEqual([
        1,
        expect.stringContaining(
          'unknown sum.get: the server has no tool "get-sums"; did you mean "get-sum"?',
        ),
      ])
      writeFileSync(file, readFileSync(file, 'utf8').replace('mcp: get-sums', 'mcp: get-sum'))
    }
    const manifest = await loadManifest(join(folder, 'manifests/everything.yaml'))
    const options = { serverUrl: url, allowHosts: ['127.0.0.1'], retries: 0 }
    const client = open.use(await connect(manifest, { credentials: {}, ...options }))
    const get = async (entity: string, params: object): Promise<unknown> =>
      ((await client.execute(entity, 'get', params)) as { readonly data: unknown }).data
    const sum = { content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }] }
    {
      await using _second = await start(folder, port)
      expect([
        await get('sum', { a: 2, b: 3 }),
        await get('structured_content', { location: 'Chicago' }),
        // Longer than a body may be silent elsewhere.
        await get('trigger_long_running_operation', { duration: 18, steps: 1 }),
      ]).toEqual([
        sum,
        { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
        { content: [{ type: 'text', text: expect.stringContaining('Duration: 18 seconds') }] },
      ])
      expect((await client.check()).result).toBe('ok')
    }
    // A server that was started again knows no session of before.
    await using _third = await start(folder, port)
    expect(await get('sum', { a: 2, b: 3 })).toEqual(sum)
  },
)
