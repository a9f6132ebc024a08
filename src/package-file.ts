// Where this package's own files are: manifests, schemas, built connectors.
import { existsSync } from 'node:fs'

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
  let folder = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', folder))) {
    const above = new URL('..', folder)
    if (above.href === folder.href) break
    folder = above
  }
  return folder
}
