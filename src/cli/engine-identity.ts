// What tells the program that runs from others, as far as it loads manifests.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFacts } from '../late-modules.ts'
import { FROM_SOURCES, packageFile } from '../package-file.ts'

/**
 * Its version, and the names, sizes and times of its files: those of a checkout change without a version, and a package may
 * be built twice of one.
 */
export function engineIdentity(): string {
  const places = FROM_SOURCES ? ['src/language/', 'package-lock.json'] : ['dist/']
  const files = places.flatMap((place) => filesOf(fileURLToPath(packageFile(place))))
  return JSON.stringify([packageFacts().version, process.version, files])
}

function filesOf(path: string): readonly (readonly [string, number, number])[] {
  const found = statSync(path)
  if (!found.isDirectory()) return [[path, found.size, found.mtimeMs]]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map(({ parentPath, name }) => {
      const { size, mtimeMs } = statSync(join(parentPath, name))
      return [join(parentPath, name), size, mtimeMs]
    })
}
