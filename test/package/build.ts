// Builds the package, once for all tests of what is built.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { buildEnvironment, root } from './fresh-process.ts'

export default async function build(): Promise<void> {
  const child = spawn(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: buildEnvironment,
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error('the package could not be built')
}
