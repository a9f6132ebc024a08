// The real command line as a process that serves until it is told to stop.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { folderOf } from './run-tenon.ts'

const BIN = fileURLToPath(new URL('../../bin/tenon.js', import.meta.url))

/** Of the first application. */
const CLIENT_SECRET = 'the-secret-of-the-first-application-of-tests'

export interface StartedTenon extends StartedProgram {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

/** A process of the command line that serves. */
export interface StartedProgram extends AsyncDisposable {
  /** What the sign of its being ready holds in its first group. */
  readonly found: string
  /** What it wrote so far, both outputs. */
  text(): string
  /** Ends it as an operator would, and gives its exit code. */
  stop(): Promise<number | null>
}

/** Starts `tenon serve --sandbox`, without jobs, on a free port and an empty folder, and waits until it listens. */
export async function startTenon(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ['serve', '--sandbox', '--port', '0', '--no-jobs'],
): Promise<StartedTenon> {
  const program = await startProgram(
    { TENON_CLIENT_SECRET: CLIENT_SECRET, ...env },
    args,
    /listens on (\S+)[^]*Local vendors/,
  )
  return { ...program, url: program.found, clientId: 'default', clientSecret: CLIENT_SECRET }
}

/** Starts a command in an empty folder, without a terminal, and waits until both outputs together have a sign. */
export async function startProgram(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  sign: RegExp,
): Promise<StartedProgram> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folderOf({}),
    env: { ...bareEnvironment, TENON_MAX_LOOP_DELAY_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const closed = once(child, 'close')
  const found = await new Promise<string>((ready, failed) => {
    const look = (chunk: Buffer): void => {
      text += chunk.toString()
      const seen = sign.exec(text)
      if (seen !== null) ready(seen[1] ?? '')
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    void closed.then(() => failed(new Error(text)))
  })
  return {
    found,
    text: () => text,
    async stop() {
      child.kill('SIGTERM')
      await closed
      return child.exitCode
    },
    // Whatever became of the test.
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
