// Files that commands make: written whole or not at all, or compared with what is there.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file beside itself first, so that nobody reads half of it. Makes its folder. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.part`
  await writeFile(temporary, text)
  await rename(temporary, path)
}

/** The text of a file; null when there is none. */
export async function textAt(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
