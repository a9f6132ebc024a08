// The type face of the connect page: the files that the build made for the console, so that the package has them once.
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { fileAnswer, KEPT_FOR_A_YEAR } from '../http/static-files.ts'
import type { Mounts } from '../http/site.ts'

/** A rule of the style sheet that names a file of the package of the type face. */
const FACE = /@font-face\s*\{[^}]*?url\('([^']+)'\)[^}]*\}/g

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  ...KEPT_FOR_A_YEAR,
}

/**
 * Serves the files of the type face below `at`. Returns what gives its rules, with the names that the files have there;
 * without the files, in a checkout that was not built, the page has the type face of the system.
 */
export function mountTypeface(
  site: Mounts,
  at: string,
  typeface: string,
  consoleFolder: string,
): () => Promise<string> {
  const folder = join(consoleFolder, 'assets')
  const stems = [...typeface.matchAll(FACE)].map(([, path = '']) => parse(path).name)
  site.on('GET', `${at}/{typeface}`, ({ arrival, path: { typeface: name = '' } }) =>
    // The console's other files are none of the page.
    fileAnswer(folder, stems.some((stem) => isFileOf(stem, name)) ? name : '', arrival, HEADERS),
  )
  return async () => {
    const names = await readdir(folder).catch((): string[] => [])
    return typeface.replaceAll(FACE, (rule, path: string) => {
      const name = names.find((each) => isFileOf(parse(path).name, each))
      return name === undefined ? '' : rule.replace(path, name)
    })
  }
}

/** The build adds the hash of what is in a file to its name. */
function isFileOf(stem: string, name: string): boolean {
  const { name: given, ext } = parse(name)
  return ext === '.woff2' && given.startsWith(`${stem}-`) && given.length === stem.length + 9
}
