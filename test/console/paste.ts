// Code of the console as somebody pastes it: into a shell, or into a program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '../fixtures/bare-environment.ts'

const SOURCES = new URL('../../src/index.ts', import.meta.url).href
const BIN = fileURLToPath(new URL('../../bin/tenon.js', import.meta.url))

export interface Pasted extends AsyncDisposable {
  /** What a shell prints; `npx tenon` is ours. Throws what it says on standard error when it fails. */
  shell(lines: string): Promise<string>
  /** What a program prints, behind the shell's lines. */
  program(source: string, behind: string): Promise<string>
}

/** A folder of its own, with the secret of the application in the environment. */
export async function paste(secret: string): Promise<Pasted> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-paste-'))

  async function shell(lines: string): Promise<string> {
    const tenon = `npx() { shift; '${process.execPath}' '${BIN}' "$@"; }`
    const child = spawn('bash', ['-euo', 'pipefail', '-c', `${tenon}\n${lines}`], {
      cwd: folder,
      env: { ...bareEnvironment, TENON_CLIENT_SECRET: secret },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    await once(child, 'close')
    const [out, err] = await output
    if (child.exitCode !== 0) throw new Error(`exit code ${child.exitCode}: ${err}`)
    return out
  }

  return {
    shell,
    async program(source, behind) {
      const file = join(folder, 'program.ts')
      await writeFile(file, source.replace("'tenon'", `'${SOURCES}'`))
      return await shell(`${behind}\n'${process.execPath}' '${file}'`)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
