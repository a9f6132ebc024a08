// The real command line as a process that serves until it is told to stop.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { folderOf } from './run-tenon.ts'

const BIN = fileURLToPath(new URL('../../bin/tenon.js', import.meta.url))

export interface StartedTenon extends AsyncDisposable {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
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
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folderOf({}),
    env: { ...bareEnvironment, TENON_MAX_LOOP_DELAY_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const closed = once(child, 'close')
  await new Promise<void>((listening, failed) => {
    const look = (chunk: Buffer): void => {
      text += chunk.toString()
      if (text.includes('Local vendors')) listening()
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    void closed.then(() => failed(new Error(text)))
  })
  const found = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
  return {
    url: found(/listens on (\S+)/),
    clientId: found(/client_id +(\S+)/),
    clientSecret: found(/client_secret +(\S+)/),
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
