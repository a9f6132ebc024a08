// What is delivered, as a user has it: a checkout in a folder of its own, and the package in an empty project.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { SERVICE_PEERS } from '../package/project.ts'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** Nothing of the settings of this machine, and no tool of this project before those of the machine. */
export function userEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(?:TENON_|VITEST|npm_)/i.test(name),
  )
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.startsWith(join(root, 'node_modules')))
  // The undefined ones are left out above.
  return { ...(Object.fromEntries(entries) as Record<string, string>), PATH: path.join(':') }
}

/** The files that git knows or would take, as they are now. */
export function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-checkout-'))
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.stdout.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  return folder
}

/** What `tenon serve`, `tenon types` and `tenon mcp` ask for. */
const OPTIONAL = [...SERVICE_PEERS, 'json-schema-to-typescript']
const versions: Readonly<Record<string, string>> = packageJson.devDependencies

/** An empty project with the packed package, the packages that parts of it need, and more, installed by npm. */
export async function installed(more: readonly string[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-installed-'))
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "host", "type": "module", "private": true }',
  )
  await built()
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  })
  await succeeds(folder, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `./${packed.stdout.trim()}`,
    ...OPTIONAL.map((name) => `${name}@${versions[name]}`),
    ...more,
  ])
  return folder
}

/** Packages at these versions, by npm from where it has them. Nothing of theirs runs while they are installed. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  await succeeds(folder, 'npm', ['install', ...quiet, ...packages])
}

/** Runs a command of the packages that are installed in a folder, with the Node that runs the tests. */
export async function runHere(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const found = [join(folder, 'node_modules/.bin'), dirname(process.execPath)]
  const PATH = [...found, userEnvironment()['PATH']].join(':')
  return await succeeds(folder, command, args, { PATH, ...env })
}

async function built(): Promise<void> {
  await succeeds(root, process.execPath, ['scripts/setup.mjs', 'scripts/build.ts'])
}

/** Less than a test may take, so that no command outlives its test. */
const MAX_COMMAND_MS = 280_000

/** Runs a command to its end, with nothing on standard input, and gives what it wrote. Throws with all of it when it fails. */
export async function succeeds(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...userEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // Waits for time: a command that hangs is ended.
  const timer = setTimeout(() => {
    // npm starts others: the whole group is ended.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, MAX_COMMAND_MS)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')}: ${code}\n${out}\n${err}`)
  return out
}

export interface Serving extends AsyncDisposable {
  readonly url: string
}

/** Starts `tenon serve`, or an app, by this command, in a process group of its own, and waits until it listens. */
export async function serving(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  /** What it says when it listens, with its address where that is not known. */
  sign: RegExp = /listens on (\S+) /,
): Promise<Serving> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...userEnvironment(), TENON_HOST: '127.0.0.1', TENON_MAX_LOOP_DELAY_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const url = await new Promise<string>((found, failed) => {
    let said = ''
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      const heard = sign.exec(said)
      if (heard !== null) found(heard[1] ?? '')
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => failed(new Error(said)))
  })
  return { url, [Symbol.asyncDispose]: () => end(child) }
}

/** npm starts others: the whole group is told to end, and all of it has ended when nobody can write any more. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = once(child, 'close')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
