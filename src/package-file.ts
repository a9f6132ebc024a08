// Where this package's own files are: manifests, schemas, built connectors.
import { existsSync } from 'node:fs'

/** Where this code is. A bundle in the form of CommonJS may not say; it has no files of this package in any case. */
const HERE = (import.meta.url as string | undefined) ?? 'file:///'

/** Whether this is a checkout: what was built from its sources earlier may be old. */
export const FROM_SOURCES: boolean = HERE.endsWith('.ts')

let root: URL | undefined

/**
 * The place of a file of this package, by its path from the folder of package.json.
 *
 * The folder is the nearest one above this code that has a package.json: sources, the built package and its chunks lie
 * at different depths. In a host's bundle it is the host's, which has no such files.
 */
export function packageFile(path: string): URL {
  return new URL(path, (root ??= findRoot()))
}

function findRoot(): URL {
  let folder = new URL('.', HERE)
  while (!existsSync(new URL('package.json', folder))) {
    const above = new URL('..', folder)
    if (above.href === folder.href) break
    folder = above
  }
  return folder
}
