// A chapter of the runbook, walked as written: its blocks are run by a shell while callers use two processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { BIN } from '../cli/run-tenon.ts'
import { blocksOf } from '../docs/blocks.ts'
import type { TestDatabase } from '../fixtures/postgres.ts'
import { type Load, LOAD_ENV, type Seen, startLoad } from './load.ts'
import { execute, type Fleet, fleetAt, type ServeProcess, type StartOptions } from './processes.ts'

/** Of a balancer that asks whether a process is ready. */
const PROBE_MS = 500

const ENV = { ...LOAD_ENV, DATABASE_POOL: '8' }

/** What callers saw while a block was run. */
export interface Step {
  readonly block: string
  /** What the block printed. */
  readonly out: string
  readonly seen: Readonly<Record<string, Seen>>
}

export interface WalkOptions {
  /** Writes a block as this machine needs it: names of hosts and databases. */
  readonly here?: (block: string) => string
  /** What is done in the place of a command that this machine cannot run. */
  readonly instead?: Readonly<Record<string, (fleet: Fleet) => Promise<unknown>>>
  /** What happens once a block has been run. */
  readonly after?: Readonly<Record<string, () => Promise<unknown>>>
  /** The settings that processes and commands get with each `kubectl rollout restart` or `scale`. */
  readonly settings?: readonly Readonly<Record<string, string>>[]
  /** Commands that say by their code, 1, that something is wrong. */
  readonly complaining?: readonly string[]
  /** The program that is replaced by this one; default: this one. */
  readonly before?: string
}

export interface Walk extends AsyncDisposable {
  readonly load: Load
  readonly fleet: Fleet
  readonly processes: readonly ServeProcess[]
  /** Runs the blocks of a chapter, and prints what callers saw of each; waits behind each for an answer to every caller. */
  chapter(title: string): Promise<readonly Step[]>
}

/** What went wrong for callers: `503 store_unavailable`, … */
export function problemsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ seen }) =>
    Object.values(seen).flatMap(({ problems }) => Object.keys(problems)),
  )
}

/** Two processes on a database, or one on a folder, with callers. */
export async function startWalk(
  at: TestDatabase | Fleet,
  {
    here = (block) => block,
    instead = {},
    after = {},
    settings = [],
    complaining = ['tenon migrate --check'],
    before = BIN,
  }: WalkOptions = {},
): Promise<Walk> {
  const fleet = 'start' in at ? at : fleetAt(at)
  const folder = mkdtempSync(join(tmpdir(), 'tenon-runbook-'))
  const next = [...settings]
  let options: StartOptions = { env: ENV, bin: before }
  const processes = [await fleet.start(options)]
  if (fleet.database !== null) processes.push(await fleet.start(options))
  // As a balancer does: requests go to processes that were ready when they were asked last.
  let ready: readonly ServeProcess[] = processes
  const load = await startLoad(() => ready)
  const probing = new AbortController()
  const probe = async (): Promise<void> => {
    const asked = processes.slice()
    const answers = await Promise.all(
      asked.map((each) => each.call('GET', '/readyz').catch(() => ({ status: 0 }))),
    )
    ready = asked.filter((each, n) => answers[n]?.status === 200 && processes.includes(each))
  }
  const probes = (async () => {
    while (!probing.signal.aborted) {
      await probe()
      // Waits for time: the period of the balancer.
      await sleep(PROBE_MS)
    }
  })()

  /** Starts a new one for each, and ends the old one once it gets no more requests. */
  async function replaceProcesses(): Promise<void> {
    options = { env: { ...options.env, ...next.shift() } }
    for (const old of processes.slice()) {
      processes.push(await fleet.start(options))
      await probe()
      processes.splice(processes.indexOf(old), 1)
      await probe()
      await load.round()
      expect(await old.stop()).toEqual({ code: 0, signal: null })
    }
  }

  async function stopProcesses(): Promise<void> {
    await load.end()
    for (const process of processes.splice(0)) await process.stop()
    ready = []
    options = { env: { ...options.env, ...next.shift() } }
  }

  async function startProcesses(): Promise<void> {
    const first = await fleet.start(options)
    processes.push(first, await fleet.start(options))
    await probe()
    // The callers have ended: what they would call.
    for (const id of load.refreshing) await execute(first, id, 'customers.list')
  }

  const doings: Readonly<Record<string, (fleet: Fleet) => Promise<unknown>>> = {
    'kubectl rollout restart deploy/tenon': replaceProcesses,
    'kubectl scale deploy/tenon --replicas 0': stopProcesses,
    'kubectl scale deploy/tenon --replicas 2': startProcesses,
    'systemctl stop tenon': stopProcesses,
    'systemctl start tenon': startProcesses,
    ...instead,
  }

  async function run(block: string): Promise<string> {
    const doing = doings[block]
    if (doing !== undefined) {
      await doing(fleet)
      return ''
    }
    // A backup is made with the version that runs.
    const bin = block.startsWith('tenon backup') ? before : BIN
    const script = `tenon() { '${process.execPath}' '${bin}' "$@"; }\n${block}`
    const [serving] = processes
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        ...fleet.env,
        ...options.env,
        ...(serving === undefined
          ? {}
          : { TENON_URL: serving.url, TENON_TOKEN: fleet.env['TENON_DEV_TOKEN'] }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    const good = complaining.includes(block) ? [0, 1] : [0]
    if (!good.includes(child.exitCode ?? -1))
      throw new Error(`${block}\nended with ${child.exitCode}: ${out}${err}`)
    return out
  }

  return {
    load,
    fleet,
    processes,
    async chapter(title) {
      await load.round()
      load.seen()
      const steps: Step[] = []
      const blocks = blocksOf('docs/runbook.md', title)
      expect(blocks).not.toEqual([])
      for (const { text: written } of blocks) {
        const block = here(written.replaceAll(/^ +/gm, '').trim())
        const began = performance.now()
        const out = await run(block)
        await after[block]?.()
        const seconds = ((performance.now() - began) / 1000).toFixed(1)
        await load.round()
        // So that there is something that the backup does not know.
        if (block.startsWith('tenon backup')) await load.refreshed()
        const seen = load.seen()
        steps.push({ block, out, seen })
        console.log(`${seconds} s: ${block}\n${JSON.stringify(seen)}`)
      }
      return steps
    },
    async [Symbol.asyncDispose]() {
      probing.abort()
      await probes
      await load[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
      await fleet[Symbol.asyncDispose]()
    },
  }
}
