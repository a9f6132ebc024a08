// Files that commands make: written whole or not at all, or compared with what is there.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes a file beside itself first, so that nobody reads half of it. Makes its folder. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.part`
  await writeFile(temporary, text)
  await rename(temporary, path)
}

/** The text of a file, its lines ended as ours are: a checkout may have other ends. Null when there is none. */
export async function textAt(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The files of a folder with this ending that `isOurs` knows as made by a command: path and text, by path. */
export async function madeFiles(
  folder: string,
  ending: string,
  isOurs: (text: string) => boolean,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map(async (name) => {
        const path = join(folder, name)
        return { path, text: (await textAt(path)) ?? '' }
      }),
  )
  return files.filter(({ text }) => isOurs(text))
}
