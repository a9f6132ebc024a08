// A Citus for one test file alone, whose servers may be restarted and killed: scripts/citus.sh on ports of its own.
import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, runSql } from '../fixtures/postgres.ts'

export interface CitusServers extends AsyncDisposable {
  /** The coordinator, and its workers after it, by their ports on 127.0.0.1. */
  readonly ports: readonly [number, number, number]
  /** The connection string of the coordinator. */
  readonly url: string
  /** Starts a server again as an operator does: running statements are broken off. */
  restart(port: number): Promise<void>
  /** kill -9 of a server, and its start. */
  kill(port: number): Promise<void>
  start(port: number): Promise<void>
  /** Starts a standby of a server, which from now on commits nothing that the standby has not. Gives its port. */
  addStandby(of: number): Promise<number>
}

const SCRIPT = join(import.meta.dirname, '../../scripts/citus.sh')
const NODES = ['coordinator', 'worker1', 'worker2']
const ATTEMPTS = 5
const run = promisify(execFile)

export async function startCitusServers(): Promise<CitusServers> {
  // The folder of a test run is closed to the account of the servers.
  const above = mkdtempSync('/tmp/tenon-citus-')
  chmodSync(above, 0o711)
  const folder = join(above, 'servers')
  let url = ''
  let port = 0
  for (let attempt = 1; url === ''; attempt++) {
    // Three in a row, of which only the first is known to be free.
    port = await freePort()
    const env = { ...process.env, CITUS_PORT: String(port) }
    try {
      url = (await run(SCRIPT, ['start', folder], { env })).stdout.trim()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
  const programs = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()
  const folders = new Map(NODES.map((name, n) => [port + n, join(folder, name)]))
  const folderOf = (of: number): string => folders.get(of) ?? ''
  /** Runs a program of PostgreSQL as the account of the servers. */
  const as = async (program: string, cwd: string, args: readonly string[]): Promise<void> => {
    const { uid, gid } = statSync(cwd)
    const options = { cwd, ...(process.getuid?.() === 0 ? { uid, gid } : {}) }
    await run(join(programs, program), args, options)
  }
  const control = async (of: number, ...args: readonly string[]): Promise<void> => {
    const data = folderOf(of)
    await as('pg_ctl', data, [...args, '-D', data, '-w', '-t', '60', '-l', `${data}/server.log`])
  }
  async function addStandby(of: number): Promise<number> {
    const added = await freePort()
    const data = join(folder, 'standby')
    mkdirSync(data, { mode: 0o700 })
    const { uid, gid } = statSync(folderOf(of))
    chownSync(data, uid, gid)
    const from = `host=127.0.0.1 port=${of} user=tenon`
    await as('pg_basebackup', data, ['-d', from, '-D', data, '-R', '-c', 'fast'])
    appendFileSync(join(data, 'postgresql.auto.conf'), `port = ${added}\n`)
    folders.set(added, data)
    await control(added, 'start')
    const server = new URL(url)
    server.port = String(of)
    await runSql(server.href, "alter system set synchronous_standby_names = '*'")
    await runSql(server.href, 'select pg_reload_conf()')
    return added
  }
  return {
    ports: [port, port + 1, port + 2],
    url,
    restart: (of) => control(of, 'restart', '-m', 'fast'),
    kill: (of) => control(of, 'stop', '-m', 'immediate'),
    start: (of) => control(of, 'start'),
    addStandby,
    async [Symbol.asyncDispose]() {
      for (const of of [...folders.keys()].slice(NODES.length))
        await control(of, 'stop', '-m', 'immediate')
      await run(SCRIPT, ['stop', folder])
      rmSync(above, { recursive: true })
    },
  }
}
