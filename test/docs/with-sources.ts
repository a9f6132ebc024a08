// Programs of the documentation with our sources in the place of the package.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ENTRY_FILES } from '../../scripts/entries.ts'

/** The source of each entry that hosts program against, by its name: `tenon/testing` and its absolute path. */
export const entrySources: readonly (readonly [string, string])[] = Object.entries(
  ENTRY_FILES,
).flatMap(([entry, file]) => {
  if (!/^\.(\/(agents|fetch|mcp|service|testing))?$/.test(entry)) return []
  const source = file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
  return [[entry.replace('.', 'tenon'), resolve(source)] as const]
})

/** The text of a program in which each entry of the package is the source file that it is built from. */
export function withSources(text: string): string {
  return entrySources.reduce(
    (program, [name, path]) => program.replaceAll(`'${name}'`, `'${pathToFileURL(path).href}'`),
    text,
  )
}
