// Many manifests: what a process needs that loads them for the first time, and what it needs when it kept them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { bareEnvironment } from '../test/fixtures/bare-environment.ts'
import { eventually } from '../test/faults/resources.ts'
import type { Row } from './row.ts'
import { spreadOf } from './statistics.ts'

const MANIFESTS = fileURLToPath(new URL('../manifests', import.meta.url))
const BIN = fileURLToPath(new URL('../bin/tenon.js', import.meta.url))
const PRELOAD = new URL('programs/tell-usage.mjs', import.meta.url).href
const FEW = 51
const MANY = 500
const AGAIN = 3

interface Used {
  readonly cpuSeconds: number
  /** At most, resident. */
  readonly mb: number
}

export const manifestsRow: Row = {
  name: 'manifests',
  about: `${FEW} and ${MANY} manifests: lint, types and serve, for the first time and again`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-manifests-'))
    try {
      writeCopies(join(folder, 'few', 'manifests'), FEW)
      writeCopies(join(folder, 'many', 'manifests'), MANY)
      const lines = []
      for (const { title, command, of, limits } of ROWS) {
        const place = join(folder, of)
        const kept = join(folder, `kept-${lines.length}`)
        mkdirSync(kept)
        const run = (): Promise<Used> => used(command, place, kept)
        const first = await run()
        const again: Used[] = []
        while (again.length < AGAIN) again.push(await run())
        const cpu = spreadOf(again.map(({ cpuSeconds }) => cpuSeconds))
        const memory = spreadOf(again.map(({ mb }) => mb))
        lines.push({
          title,
          unit: 'CPU s of the whole process',
          sides: [
            { name: 'first', ...spreadOf([first.cpuSeconds]) },
            { name: 'again', ...cpu },
          ],
          figures: [
            { name: 'again', unit: 's', ...cpu, must: { atMost: limits.cpuSeconds }, goal: null },
            { name: 'memory again', unit: 'MB', ...memory, must: { atMost: 500 }, goal: null },
            {
              name: 'memory first',
              unit: 'MB',
              ...spreadOf([first.mb]),
              must: null,
              goal: { atMost: 500 },
            },
          ],
        })
      }
      return lines
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const ROWS = [
  { title: `tenon lint, ${FEW}`, command: ['lint'], of: 'few', limits: { cpuSeconds: 2 } },
  {
    title: `tenon types, ${FEW}`,
    command: ['types', '--out', 'types'],
    of: 'few',
    limits: { cpuSeconds: 0.6 },
  },
  {
    title: `tenon serve, ${MANY}`,
    command: ['serve', '--dev', '--json'],
    of: 'many',
    limits: { cpuSeconds: 5 },
  },
] as const

/** The packaged manifests in turn, each copy of a type of its own. */
function writeCopies(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(MANIFESTS).filter((name) => name.endsWith('.yaml'))
  const letter = (at: number): string => String.fromCodePoint(97 + at)
  for (let copy = 0; copy < count; copy++) {
    const file = files[copy % files.length] ?? ''
    const round = Math.floor(copy / files.length)
    const type = `${file.slice(0, -'.yaml'.length)}-${letter(Math.floor(round / 26))}${letter(round % 26)}`
    const text = readFileSync(join(MANIFESTS, file), 'utf8')
    writeFileSync(join(folder, `${type}.yaml`), text.replace(/^ {2}type: .*$/m, `  type: ${type}`))
  }
}

/** Of a command until its end, of a service until it listens. */
async function used(command: readonly string[], place: string, kept: string): Promise<Used> {
  const [name] = command
  const usage = join(place, 'usage.json')
  rmSync(usage, { force: true })
  rmSync(join(place, 'data'), { recursive: true, force: true })
  const child = spawn(process.execPath, ['--import', PRELOAD, BIN, ...command], {
    cwd: place,
    env: {
      ...bareEnvironment,
      NODE_COMPILE_CACHE: kept,
      BENCH_USAGE: usage,
      TENON_DATA: join(place, 'data'),
      TENON_PORT: '0',
      ...(name === 'serve' ? { TENON_MANIFESTS: join(place, 'manifests') } : {}),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  if (name === 'serve') await listening(child)
  else child.stdout?.resume()
  if (name === 'serve') child.kill('SIGUSR2')
  else await ended
  await eventually(() => readUsage(usage) !== null, 60_000)
  child.kill('SIGTERM')
  const found = readUsage(usage)
  await ended
  if (found === null) throw new Error(`tenon ${command.join(' ')} did not tell what it used`)
  return found
}

async function listening(child: ChildProcess): Promise<void> {
  let out = ''
  child.stdout?.on('data', (bytes: Buffer) => (out += bytes.toString()))
  await eventually(() => out.includes('"first_application"') || child.exitCode !== null, 600_000)
  if (child.exitCode !== null) throw new Error(`tenon serve ended: ${out}`)
}

function readUsage(path: string): Used | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Used
  } catch {
    return null
  }
}
