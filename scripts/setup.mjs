// Makes a fresh machine ready and then runs one command with the project's own Node.
// Plain JavaScript without dependencies: any Node from v20 on can run it, before anything is installed.
//
//   node scripts/setup.mjs vitest run        installs when needed, then runs node_modules/.bin/vitest
//   node scripts/setup.mjs scripts/demo.ts   the same for a program of the project
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const stamp = join(root, 'node_modules', '.setup-stamp')

installIfNeeded()
const [command, ...rest] = process.argv.slice(2)
if (command === 'bin/tenon.js' && rest[0] === 'serve') buildConsoleIfNeeded()
if (command !== undefined) run(command, rest)

function installIfNeeded() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isInstalled()) return
  // Two terminals of a fresh checkout would take each other's packages away.
  const release = waitForTurn()
  try {
    if (!isInstalled()) install(wanted)
  } finally {
    release()
  }
}

function install(wanted) {
  process.stderr.write('Installing the pinned packages (once, about half a minute) …\n')
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    process.stderr.write('The installation failed; its own message stands above.\n')
    process.exit(result.status ?? 1)
  }
  writeFileSync(stamp, wanted)
}

// Holds a file that names this process, until the function that it gives is called.
function waitForTurn() {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `tenon-setup-${name}`)
  // Linked in one step, so that whoever finds it can read whose it is.
  const own = `${lock}.${process.pid}`
  writeFileSync(own, String(process.pid))
  const release = () => {
    process.off('exit', release)
    rmSync(lock, { force: true })
  }
  for (;;) {
    try {
      linkSync(own, lock)
      rmSync(own)
      process.on('exit', release)
      return release
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  }
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// In a checkout a service finds its console built.
function buildConsoleIfNeeded() {
  const program = join(root, 'scripts', 'build-console.ts')
  spawnSync(join(bin, 'node'), [program, '--if-needed'], { cwd: root, stdio: 'inherit' })
}

function run(command, args) {
  const isProgram = /\.(ts|mjs|js)$/.test(command)
  const program = isProgram ? command : join(bin, command)
  const child = spawn(
    isProgram ? join(bin, 'node') : program,
    isProgram ? [command, ...args] : args,
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  // A shell between npm and this program takes the signal that npm passes on, and ends alone.
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    child.kill('SIGTERM')
  }, 500)
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 130))
}
