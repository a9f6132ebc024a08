// Installs and loads the packages we compare ourselves with. They live in bench/rivals with a lockfile of their own.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Rival {
  readonly name: string
  readonly record: () => Promise<unknown>
  readonly page: () => Promise<unknown>
}

const folder = fileURLToPath(new URL('rivals/', import.meta.url))

/**
 * Each rival opened for the given address. Installs them when needed; where that is impossible, says so and gives
 * none, so that the benchmark still runs offline.
 */
export async function loadRivals(
  url: string,
  credentials: { readonly username: string; readonly password: string },
): Promise<readonly Rival[]> {
  if (!installRivals()) return []
  const { openRivals } = (await import(new URL('rivals/open.mjs', import.meta.url).href)) as {
    openRivals: (url: string, credentials: object) => Promise<Rival[]>
  }
  return await openRivals(url, credentials)
}

function installRivals(): boolean {
  const stamp = `${folder}node_modules/.installed`
  const wanted = readFileSync(`${folder}package-lock.json`, 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  process.stderr.write('Installing the rivals (once) …\n')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    process.stderr.write('The rivals could not be installed; they are left out.\n')
    return false
  }
  writeFileSync(stamp, wanted)
  return true
}
