// The container image without a container: what the steps of the Dockerfile leave, started as its entry point says.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildEnvironment, root } from './fresh-process.ts'
import { eventually } from '../faults/resources.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Instruction {
  readonly word: string
  readonly rest: string
}

/** The instructions of each stage. */
const stages = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .flatMap((line): Instruction[] => {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return word === undefined || rest === undefined ? [] : [{ word, rest }]
  })
  .reduce<Instruction[][]>((found, instruction) => {
    if (instruction.word === 'FROM') found.push([])
    found.at(-1)?.push(instruction)
    return found
  }, [])
const [build = [], install = [], image = []] = stages

function only(word: string): string {
  const found = image.filter((each) => each.word === word)
  expect([word, found.length]).toEqual([word, 1])
  return found[0]?.rest ?? ''
}

/** What `/app` and `/data` are here. */
function here(text: string): string {
  return text.replaceAll('/app/', `${folder}/app/`).replaceAll('/data', `${folder}/data`)
}

test('K6 the image runs without root, core dumps and a way into its memory', () => {
  expect(only('USER')).toBe('1000:1000')
  const [shell, flag, script] = JSON.parse(only('ENTRYPOINT')) as readonly string[]
  expect([shell, flag]).toEqual(['/bin/sh', '-c'])
  expect(script).toMatch(/^ulimit -c 0 && exec node --disable-sigusr1 --report-exclude-env /)
  const texts = image.map(({ word, rest }) => `${word} ${rest}`).join('\n')
  expect(texts).not.toMatch(/MASTER_KEYS|DATABASE_URL|SECRET|--inspect/)
})

test('the stages build, pack and install the package, and nothing else is copied', () => {
  const runs = (stage: readonly Instruction[]): readonly string[] =>
    stage.filter(({ word }) => word === 'RUN').map(({ rest }) => rest)
  expect(runs(build)).toEqual([
    'npm ci --no-audit --no-fund',
    'PATH=/src/node_modules/.bin:$PATH node scripts/build.ts',
    'mkdir /pack && npm pack --ignore-scripts --pack-destination /pack',
  ])
  // Nothing comes from a registry that the lockfile does not name.
  expect(runs(install)).toEqual([
    'node image-packages.mjs && npm ci --omit=dev --ignore-scripts --no-audit --no-fund',
    'mkdir node_modules/tenon && tar -xzf /pack/*.tgz -C node_modules/tenon --strip-components=1',
  ])
  expect(image.filter(({ word }) => word === 'COPY')).toEqual([
    { word: 'COPY', rest: '--from=install /app /app' },
  ])
})

test('the entry point serves, its health check answers, and it ends in order', async () => {
  installPackage()
  const settings = only('ENV')
    .split(' ')
    .map((pair) => here(pair).split('=') as [string, string])
  const env = {
    PATH: buildEnvironment.PATH,
    ...Object.fromEntries(settings),
    TENON_HOST: '127.0.0.1',
    TENON_PORT: String(await freePort()),
  }
  const [command = '', ...args] = JSON.parse(only('ENTRYPOINT')) as readonly string[]
  const served = JSON.parse(only('CMD')) as readonly string[]
  expect(served).toEqual(['serve'])
  const child = spawn(command, [...args.map(here), ...served, '--sandbox'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  try {
    expect([await readiness(env.TENON_PORT), said]).toEqual([200, expect.any(String)])
    expect(readFileSync(`/proc/${child.pid}/limits`, 'utf8')).toMatch(/^Max core file size +0 +0 /m)
    expect(health(env)).toBe(0)
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(health(env)).toBe(1)
  } finally {
    child.kill('SIGKILL')
  }
})

/** What the second stage leaves, with links to packages that are there in place of a registry. */
function installPackage(): void {
  const pack = spawnSync(
    'npm',
    ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
    { cwd: root, env: buildEnvironment, encoding: 'utf8' },
  )
  expect(pack.status).toBe(0)
  const installed = join(folder, 'app/node_modules/tenon')
  mkdirSync(installed, { recursive: true })
  const archive = join(folder, pack.stdout.trim())
  spawnSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
  for (const file of ['package.json', 'package-lock.json', 'deploy/image-packages.mjs'])
    copyFileSync(join(root, file), join(folder, 'app', basename(file)))
  const made = spawnSync('node', ['image-packages.mjs'], {
    cwd: join(folder, 'app'),
    env: buildEnvironment,
  })
  expect(made.status).toBe(0)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'app/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'app/node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
}

function health(env: Readonly<Record<string, string>>): number | null {
  const [, check = ''] = / CMD (\[.*\])$/.exec(only('HEALTHCHECK')) ?? []
  const [command = '', ...args] = JSON.parse(check) as readonly string[]
  return spawnSync(command, args, { env }).status
}

async function readiness(port: string): Promise<number | null> {
  let answer: Response | null = null
  await eventually(async () => {
    answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return answer !== null
  }, 120_000)
  return (answer as Response | null)?.status ?? null
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
