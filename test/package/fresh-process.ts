// Programs in processes of their own, as a host app would run them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** With the project's own tools before those of the machine. */
export const buildEnvironment = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a command to its end. */
export async function run(cwd: string, command: string, ...args: string[]): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: buildEnvironment,
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  await once(child, 'close')
  const [out, err] = await output
  return { code: child.exitCode, out, err }
}

/** Runs the text of a module in the folder of this project, whose name it can import. */
export async function runModule(program: string, ...args: string[]): Promise<Ended> {
  return await run(root, process.execPath, '--input-type=module', '-e', program, '--', ...args)
}

/** Runs the text of a CommonJS program. */
export async function runCommonJs(program: string): Promise<Ended> {
  return await run(root, process.execPath, '--input-type=commonjs', '-e', program)
}
