// Programs of the benchmark that answer over HTTP, each in a process of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { CREDENTIALS, SETTINGS } from './jira-sides.ts'

/** What a process has used since it began. */
export interface Usage {
  /** Microseconds, collector and threads included. */
  readonly cpuUs: number
  /** Resident memory now, in bytes. */
  readonly rss: number
}

export interface Running extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string
  usage(): Promise<Usage>
}

/** A service with its store, and an application's token for it. */
export interface RunningService extends Running {
  readonly token: string
  /** Makes an instance that asks this vendor; gives its id. */
  connect(type: string, vendor: string, input?: object): Promise<string>
}

const JIRA = { credentials: CREDENTIALS, config: SETTINGS }

/** `node:http` that pipes what the vendor answers at this path. */
export async function startProxy(vendor: string, path: string): Promise<Running> {
  return (await start('proxy', [vendor, path])).running
}

/** `undici.stream` from the vendor's path into every response. */
export async function startPipe(vendor: string, path: string): Promise<Running> {
  return (await start('pipe', [vendor, path])).running
}

/** `node:http` that sends what it gets on to the vendor's path, by `undici.request`. */
export async function startPassing(vendor: string, path: string): Promise<Running> {
  return (await start('passing', [vendor, path])).running
}

/** The built service with a new embedded store; `manifests` come beside the built-in ones. */
export async function startService(
  manifests: readonly string[] = [],
  { logs = true }: { readonly logs?: boolean } = {},
): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-bench-'))
  const { running, told } = await start(
    'service',
    [folder, ...manifests],
    logs ? {} : { TENON_BENCH_NO_LOGS: '1' },
  )
  const { access_token: token } = (await post(
    running.url,
    '/api/v1/account/applications/token',
    null,
    {
      client_id: told.clientId,
      client_secret: told.clientSecret,
    },
  )) as { readonly access_token: string }
  return {
    ...running,
    token,
    async connect(type, vendor, input = JIRA) {
      const instance = { connector_type: type, name: type, external_user_id: 'ada', ...input }
      const { id } = (await post(running.url, '/v1/integrations/connectors', token, {
        ...instance,
        server_url: vendor,
      })) as { readonly id: string }
      return id
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What a program says of itself when it is ready. */
interface Told {
  readonly url: string
  readonly clientId?: string
  readonly clientSecret?: string
}

async function start(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly running: Running; readonly told: Told }> {
  // Lines of a log are written like anywhere, and read by nobody.
  const child = fork(fileURLToPath(new URL(`programs/${program}.mjs`, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  const told = await answerOf<Told>(child)
  const running: Running = {
    url: told.url,
    async usage() {
      child.send('usage')
      return await answerOf<Usage>(child)
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
  return { running, told }
}

/** Its next message. Rejects when it ends instead. */
async function answerOf<T>(child: ChildProcess): Promise<T> {
  return await new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('a program of the benchmark ended'))
    child.once('exit', onExit).once('message', (message) => {
      child.off('exit', onExit)
      // Programs say what their first lines promise.
      resolve(message as T)
    })
  })
}

async function post(
  url: string,
  path: string,
  token: string | null,
  body: object,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return await response.json()
}
