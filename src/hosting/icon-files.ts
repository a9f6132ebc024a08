// The operator's folder of pictures: one file per connector, read once at the start.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ConnectorError } from '../errors.ts'
import { nearest } from '../language/manifest/suggest.ts'
import type { ConnectorIcon, ConnectorIcons } from '../service/connector-icons.ts'

const MAX_ICON_BYTES = 64 * 1024

/** Every PNG begins with them. Source: PNG specification, section 5.2. */
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const KINDS: Readonly<
  Record<string, { readonly type: ConnectorIcon['type']; is(bytes: Buffer): boolean }>
> = {
  '.svg': { type: 'image/svg+xml', is: (bytes) => bytes.toString('utf8').includes('<svg') },
  '.png': {
    type: 'image/png',
    is: (bytes) => bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE),
  },
}

/**
 * The pictures in a folder, by connector type: `jira.svg`, `gong.png`, at most 64 KiB each. Hidden files are left out.
 * `types`: the connectors that there are; null: more may be published. Throws `config_invalid` with every file that is no such picture.
 */
export async function loadIcons(
  folder: string | null,
  types: readonly string[] | null,
): Promise<ConnectorIcons> {
  const icons = new Map<string, ConnectorIcon>()
  if (folder === null) return icons
  const mistakes: string[] = []
  for (const name of await namesIn(folder)) {
    const type = name.slice(0, -extname(name).length)
    const icon =
      types === null || types.includes(type)
        ? await readIcon(join(folder, name))
        : `is named after no connector${nearWords(type, types)}`
    if (typeof icon === 'string') mistakes.push(`${join(folder, name)} ${icon}`)
    else if (icons.has(type)) mistakes.push(`${join(folder, name)} is the second icon of ${type}`)
    else icons.set(type, icon)
  }
  if (mistakes.length === 0) return icons
  throw new ConnectorError('config_invalid', `TENON_ICONS: ${mistakes.join('; ')}`)
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    const message = `TENON_ICONS: ${folder} is no folder that can be read`
    throw new ConnectorError('config_invalid', message, { cause })
  })
  return names.filter((name) => !name.startsWith('.')).toSorted()
}

/** The picture, or what is wrong with it. */
async function readIcon(file: string): Promise<ConnectorIcon | string> {
  const kind = KINDS[extname(file)]
  if (kind === undefined) return 'is neither .svg nor .png'
  const facts = await stat(file)
  if (!facts.isFile()) return 'is no file'
  if (facts.size > MAX_ICON_BYTES) return `has ${facts.size} bytes; ${MAX_ICON_BYTES} are allowed`
  const bytes = await readFile(file)
  if (!kind.is(bytes)) return `is no ${extname(file).slice(1).toUpperCase()}`
  const hash = createHash('sha256').update(bytes).digest('base64url')
  return { type: kind.type, bytes, etag: `"${hash}"` }
}

function nearWords(type: string, types: readonly string[]): string {
  const near = nearest(type, types)
  return near === null ? `; there is ${types.join(', ')}` : `; did you mean ${near}?`
}
