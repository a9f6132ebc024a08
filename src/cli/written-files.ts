// Files that commands make: written whole or not at all, or compared with what is there.
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type DiffLine, diffLines } from '../tools/authoring/diff-lines.ts'
import { EXIT, FailedError } from './exit-codes.ts'
import type { Result } from './terminal.ts'

/** A file that a command makes, and what is there now. */
export interface MadeFile {
  readonly path: string
  /** null: there is no such file. */
  readonly before: string | null
  /** null: known to be as it is, without being made. */
  readonly text: string | null
  /** What it was made from is gone, and the file should go as well. */
  readonly isGone?: boolean
}

/** What a command prints of the files that it made. */
export interface Settled<F> extends Result {
  readonly value: {
    readonly files: readonly (Omit<F, keyof MadeFile> & {
      readonly path: string
      readonly state: 'fresh' | 'stale' | 'written' | 'removed'
    })[]
  }
  readonly note: string
}

/**
 * Writes the files that differ and removes those that should go; `check` only finds out, and names the command that
 * writes them. Throws FailedError for a file that cannot be written, with the names of those that were.
 */
export async function settleFiles<F extends MadeFile>(
  folder: string,
  made: readonly F[],
  { check = false, command }: { readonly check: boolean | undefined; readonly command: string },
): Promise<Settled<F>> {
  const files = []
  let shown = ''
  for (const { path, before, text, isGone = false, ...facts } of made) {
    const isFresh = !isGone && (text === null || text === before)
    const state = isFresh ? 'fresh' : check ? 'stale' : isGone ? 'removed' : 'written'
    const name = (relative(folder, path) || path).replaceAll('\\', '/')
    try {
      if (state === 'removed') await unlink(path)
      if (state === 'written') await writeWhole(path, text ?? '')
    } catch (error) {
      const done = files.flatMap((file) => (file.state === 'fresh' ? [] : [file.path]))
      const before =
        done.length === 0 ? 'no file was changed' : `changed before: ${done.join(', ')}`
      throw new FailedError(`${name}: ${(error as Error).message}; ${before}`, { cause: error })
    }
    const difference = isGone ? '  its manifest is gone\n' : shortDiff(before ?? '', text ?? '')
    shown += {
      fresh: '',
      stale: `stale ${name}\n${difference}`,
      written: `${name}\n`,
      removed: `${name} removed, as its manifest is gone\n`,
    }[state]
    files.push({ path: name, state, ...facts } as const)
  }
  const isStale = files.some(({ state }) => state === 'stale')
  const note = isStale ? `Write them with: ${command}\n` : ''
  return { value: { files }, shown, note, code: isStale ? EXIT.failed : EXIT.done }
}

/** Writes a temporary file and renames it, so that no reader sees half of it. Makes its folder. */
export async function writeWhole(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  options: { readonly mode?: number; readonly flag?: 'wx' } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.part`
  await writeFile(temporary, content, options)
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

const MAX_PARTS = 4
const MAX_LINES = 16
const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '-', added: '+' }

/** Every changed part with a few lines around it, `-` before and `+` after; empty for equal texts. */
export function unifiedDiff(before: string, after: string): string {
  return diffLines(before, after)
    .flatMap(({ from, lines }) => [
      `@@ line ${from} @@`,
      ...lines.map(({ kind, text }) => `${SIGNS[kind]} ${text}`),
      '',
    ])
    .join('\n')
}

/** The first changed parts with a few lines around them, `-` before and `+` after; empty for equal texts. */
function shortDiff(before: string, after: string): string {
  const parts = diffLines(before, after)
  const rest = parts.length - MAX_PARTS
  return [
    ...parts
      .slice(0, MAX_PARTS)
      .flatMap(({ from, lines }) => [
        `  @@ line ${from} @@`,
        ...lines.slice(0, MAX_LINES).map(({ kind, text }) => `  ${SIGNS[kind]} ${text}`),
        ...(lines.length > MAX_LINES ? [`    … ${lines.length - MAX_LINES} more lines`] : []),
      ]),
    ...(rest > 0 ? [`  … ${rest} more places`] : []),
    '',
  ].join('\n')
}
