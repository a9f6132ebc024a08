// Real `tenon serve` processes on one store, started, paused and ended as an operator or the kernel would.
//
// A process that a test started is ended by its own id when the test is over, whatever became of the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '../faults/resources.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { createTestDatabase, type TestDatabase } from '../fixtures/postgres.ts'

const BIN = fileURLToPath(new URL('../../bin/tenon.js', import.meta.url))
const MANIFEST = join(import.meta.dirname, 'acme.yaml')
/** A start costs a second of processor time; five at once on a busy machine last a minute. */
const START_MS = 150_000

/** Acts as an application token in every process, in development mode. */
export const DEV_TOKEN = 'development-token-of-the-tests'
export const MASTER_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`

/** How much larger than in `npm test` the tests of this folder are: `npm run test:chaos -- --scale 10`. */
export const SCALE: number = Number(process.env['TENON_TEST_SCALE'] ?? '1')

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown
}

export interface CallOptions {
  /** Null: none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly agent?: Agent
}

/** A process of the command line that goes on until it is told to stop. */
export interface TenonProcess {
  readonly pid: number
  readonly child: ChildProcess
  /** All of standard output and standard error so far. */
  readonly output: { readonly out: string; readonly err: string }
  /** Resolves when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** The lines of its log. */
  log(): readonly Readonly<Record<string, unknown>>[]
  signal(name: NodeJS.Signals): void
  /** kill -9. */
  kill(): Promise<void>
  /** SIGTERM, and its end. */
  stop(): TenonProcess['ended']
}

export interface ServeProcess extends TenonProcess {
  readonly url: string
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ) => Promise<Answer>
}

export type Place = { readonly folder: string } | { readonly databaseUrl: string }

export interface StartOptions {
  /** The program's file; default: that of this checkout. */
  readonly bin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** How many files and sockets it may have open. Default: as many as this process. */
  readonly descriptors?: number
}

/** Processes on one store. */
export interface Fleet extends AsyncDisposable {
  readonly place: Place
  /** Null: the store is a folder. */
  readonly database: TestDatabase | null
  /** The environment of every process of this fleet. */
  readonly env: Readonly<Record<string, string>>
  start(options?: StartOptions): Promise<ServeProcess>
  /** So many at once. */
  startAll(count: number, options?: StartOptions): Promise<readonly ServeProcess[]>
  /** `tenon worker`. */
  startWorker(options?: StartOptions): Promise<TenonProcess>
  /** Runs another command of the command line on the same store. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>
  /** The same, killed -9 as soon as a condition holds, unless it has ended before; whether it was killed. */
  runUntil(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    condition: () => Promise<boolean>,
  ): Promise<boolean>
}

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** An embedded store in a new folder. */
export function folderFleet(): Fleet {
  const above = mkdtempSync(join(tmpdir(), 'tenon-chaos-'))
  return fleetOf({ folder: join(above, 'data') }, null, async () =>
    rmSync(above, { recursive: true, force: true }),
  )
}

/** A new database; null: there is no PostgreSQL here. */
export async function postgresFleet(): Promise<Fleet | null> {
  const database = await createTestDatabase()
  return database === null ? null : fleetAt(database)
}

/** A database that is there; dropped with the fleet. */
export function fleetAt(database: TestDatabase): Fleet {
  return fleetOf({ databaseUrl: database.url }, database, () => database.drop())
}

function fleetOf(place: Place, database: TestDatabase | null, remove: () => Promise<void>): Fleet {
  const children = new Set<ChildProcess>()
  const scratch = mkdtempSync(join(tmpdir(), 'tenon-chaos-files-'))
  const env = {
    ...bareEnvironment,
    TENON_DEV: '1',
    TENON_DEV_TOKEN: DEV_TOKEN,
    TENON_PORT: '0',
    TENON_MANIFESTS: MANIFEST,
    TENON_CONNECTORS: 'acme',
    TENON_ALLOW_HOSTS: '127.0.0.1',
    TENON_DOCS: '0',
    // The machine that runs the tests may be busy with others: a second without a turn counts as endless.
    TENON_MAX_LOOP_DELAY_MS: '0',
    ...('folder' in place
      ? { TENON_DATA: place.folder }
      : {
          DATABASE_URL: place.databaseUrl,
          TENON_MASTER_KEYS: MASTER_KEY,
          DATABASE_POOL: '6',
          // The first start puts the secret of its application there.
          TENON_DATA: scratch,
        }),
  }
  const spawnTenon = (
    args: readonly string[],
    more: Readonly<Record<string, string>>,
    { descriptors, bin = BIN }: Pick<StartOptions, 'descriptors' | 'bin'> = {},
  ) => {
    const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `
    const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, bin, ...args], {
      cwd: dirname(bin),
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  const start: Fleet['start'] = async (options = {}) =>
    await listening(spawnTenon(['serve', ...(options.args ?? [])], options.env ?? {}, options))
  return {
    place,
    database,
    env,
    start,
    async startWorker(options = {}) {
      const child = spawnTenon(['worker', ...(options.args ?? [])], options.env ?? {})
      return (await started(child, /"msg":"working"/)).process
    },
    startAll: (count, options) => Promise.all(Array.from({ length: count }, () => start(options))),
    async run(args, more = {}) {
      const child = spawnTenon(args, more)
      const output = collect(child)
      await once(child, 'close')
      return { code: child.exitCode, ...output }
    },
    async runUntil(args, more, condition) {
      const child = spawnTenon(args, more)
      const closed = once(child, 'close')
      collect(child)
      await eventually(async () => child.exitCode !== null || (await condition()), START_MS)
      child.kill('SIGKILL')
      await closed
      return child.signalCode === 'SIGKILL'
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        [...children].map(async (child) => {
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          await gone
        }),
      )
      rmSync(scratch, { recursive: true, force: true })
      await remove()
    },
  }
}

function collect(child: ChildProcess): { out: string; err: string } {
  const output = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (output.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (output.err += text))
  return output
}

/** Waits until the process has said something. */
async function started(
  child: ChildProcess,
  sign: RegExp,
): Promise<{ readonly process: TenonProcess; readonly said: RegExpExecArray }> {
  const output = collect(child)
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const isSaid = (): boolean => sign.test(output.out)
  await eventually(() => isSaid() || child.exitCode !== null, START_MS).catch(() => null)
  const said = sign.exec(output.out)
  if (said === null) {
    child.kill('SIGKILL')
    throw new Error(`tenon did not start: ${output.err}${output.out}`)
  }
  const process: TenonProcess = {
    pid: child.pid ?? 0,
    child,
    output,
    ended,
    log: () =>
      output.out
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
  return { process, said }
}

async function listening(child: ChildProcess): Promise<ServeProcess> {
  const { process, said } = await started(child, /"url":"(http:[^"]+)"/)
  const url = said[1] ?? ''
  return {
    ...process,
    url,
    call: (method, path, body, options) => call(url, method, path, body, options),
  }
}

/** One request over a connection of its own, or of the agent. Rejects with what the socket says. */
export async function call(
  origin: string,
  method: string,
  path: string,
  body?: unknown,
  { token = DEV_TOKEN, headers = {}, agent }: CallOptions = {},
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const sent = httpRequest(origin + path, {
    method,
    agent: agent ?? false,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
  })
  return await new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const whole = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: whole,
          body: jsonOrNot(whole),
        })
      })
      response.on('close', () => {
        if (!response.complete) reject(new Error('the answer broke off'))
      })
    })
    sent.end(text)
  })
}

function jsonOrNot(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const COLLECTION = '/v1/integrations/connectors'

/** Creates an instance of acme and gives its id. */
export async function connectAcme(
  { call }: Pick<ServeProcess, 'call'>,
  vendorUrl: string,
  credentials: object,
  { user = 'user-1', query = '?check=false' }: { user?: string; query?: string } = {},
): Promise<string> {
  const create = (): Promise<Answer> =>
    call('POST', COLLECTION + query, {
      external_user_id: user,
      connector_type: 'acme',
      name: 'acme',
      credentials,
      server_url: vendorUrl,
    })
  let answer = await create()
  // Many at once may be more than the machine has room for.
  if (answer.status === 503) await eventually(async () => (answer = await create()).status !== 503)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return (answer.body as { readonly id: string }).id
}

/** Runs an operation. */
export async function execute(
  { call }: Pick<ServeProcess, 'call'>,
  id: string,
  operation: string,
  params: object = {},
  options: CallOptions = {},
): Promise<Answer> {
  const [entity, action] = operation.split('.')
  return await call(
    'POST',
    `/api/v1/connectors/sources/${id}/execute`,
    { entity, action, params },
    options,
  )
}

/** Callers that ask again and again. */
export interface Calling {
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** The problems among them, each with its code and what it says, and how often. */
  readonly problems: ReadonlyMap<string, number>
  /** Waits until so many more calls were answered. */
  more(count: number): Promise<void>
  /** Waits until every caller has made a whole call: those under way now are over then. */
  round(): Promise<void>
  /** Waits for the calls under way. */
  end(): Promise<void>
}

/** Starts callers, each of which makes one call after the other. */
export function keepCalling(callers: readonly ((turn: number) => Promise<Answer>)[]): Calling {
  const ending = new AbortController()
  const statuses = new Map<number, number>()
  const problems = new Map<string, number>()
  const seen = { calls: 0 }
  const turns = callers.map(() => 0)
  const calling = callers.map(async (ask, caller) => {
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const { status, body } = await ask(turn)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 400) {
        const { code, detail } = body as { readonly code: string; readonly detail: string }
        const problem = `${status} ${code}: ${detail}`
        problems.set(problem, (problems.get(problem) ?? 0) + 1)
      }
      seen.calls++
      turns[caller] = turn + 1
    }
  })
  return {
    statuses,
    problems,
    async more(count) {
      const from = seen.calls
      await eventually(() => seen.calls >= from + count, START_MS * SCALE)
    },
    async round() {
      const from = [...turns]
      await eventually(
        () => turns.every((turn, caller) => turn >= (from[caller] ?? 0) + 2),
        START_MS * SCALE,
      )
    },
    async end() {
      ending.abort()
      await Promise.all(calling)
    },
  }
}
