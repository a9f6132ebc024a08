// The Markdown of the documentation as plain data: what docs/, the references and the changelog consist of, and no more.

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly to: string; readonly inside: readonly Inline[] }
  /** A place that links lead to. */
  | { readonly kind: 'anchor'; readonly id: string }

export type Block =
  | {
      readonly kind: 'heading'
      readonly level: number
      readonly id: string
      readonly inside: readonly Inline[]
    }
  | { readonly kind: 'paragraph' | 'quote'; readonly inside: readonly Inline[] }
  | {
      readonly kind: 'code'
      readonly language: string
      readonly text: string
      /** Of the boxes of a page, so that each has a name of its own. */
      readonly number: number
    }
  | {
      readonly kind: 'list'
      readonly isOrdered: boolean
      readonly items: readonly (readonly Block[])[]
    }
  | {
      readonly kind: 'table'
      readonly number: number
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

const FENCE = /^```(\w*)/
const HEADING = /^(#{1,6}) +(.+)$/
const ITEM = /^([-*]|\d+\.) +/

/** Reads a document. Comments are left out; what is no Markdown of ours stays text. */
export function readMarkdown(text: string): readonly Block[] {
  let boxes = 0
  return blocksIn(text.replaceAll(/^<!--[\s\S]*?-->$/gm, '').split('\n'), () => ++boxes)
}

function blocksIn(lines: readonly string[], next: () => number): readonly Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const rest = lines.slice(at)
    const [block, count] =
      line.trim() === ''
        ? [null, 1]
        : FENCE.test(line)
          ? codeAt(rest, next())
          : HEADING.test(line)
            ? [headingOf(line), 1]
            : ITEM.test(line)
              ? listAt(rest, next)
              : line.startsWith('|')
                ? tableAt(rest, next())
                : line.startsWith('> ')
                  ? quoteAt(rest)
                  : paragraphAt(rest)
    if (block !== null) blocks.push(block)
    at += count
  }
  return blocks
}

type Read = readonly [block: Block, lines: number]

function codeAt(lines: readonly string[], number: number): Read {
  const [, language = ''] = FENCE.exec(lines[0] ?? '') ?? []
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('```'))
  const until = end < 0 ? lines.length : end
  return [{ kind: 'code', language, text: lines.slice(1, until).join('\n'), number }, until + 1]
}

function headingOf(line: string): Block {
  const [, marks = '#', title = ''] = HEADING.exec(line) ?? []
  return { kind: 'heading', level: marks.length, id: anchorOf(title), inside: readInline(title) }
}

/** As GitHub and the site spell it. */
function anchorOf(title: string): string {
  const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return words
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

function listAt(lines: readonly string[], next: () => number): Read {
  const items: (readonly Block[])[] = []
  const isOrdered = /^\d/.test(lines[0] ?? '')
  let at = 0
  while (at < lines.length) {
    const mark = ITEM.exec(lines[at] ?? '')?.[0]
    if (mark === undefined || /^\d/.test(mark) !== isOrdered) break
    // What belongs to an item is indented below it.
    const below = lines.slice(at + 1)
    const end = below.findIndex((line) => line.trim() !== '' && !line.startsWith('  '))
    const own = below.slice(0, end < 0 ? below.length : end)
    const indent = ' '.repeat(mark.length)
    const inside = own.map((line) =>
      line.startsWith(indent) ? line.slice(mark.length) : line.trimStart(),
    )
    items.push(blocksIn([(lines[at] ?? '').slice(mark.length), ...inside], next))
    at += own.length + 1
  }
  return [{ kind: 'list', isOrdered, items }, at]
}

function tableAt(lines: readonly string[], number: number): Read {
  const end = lines.findIndex((line) => !line.startsWith('|'))
  const [head = [], , ...rows] = lines.slice(0, end < 0 ? lines.length : end).map(cellsOf)
  return [{ kind: 'table', head, rows, number }, rows.length + 2]
}

function cellsOf(line: string): readonly (readonly Inline[])[] {
  const cells = line.trim().replaceAll(/^\||(?<!\\)\|$/g, '')
  return cells
    .split(/(?<!\\)\|/)
    .map((cell) => readInline(cell.replaceAll(String.raw`\|`, '|').trim()))
}

function paragraphAt(lines: readonly string[]): Read {
  const end = lines.findIndex(
    (line, index) =>
      index > 0 && (line.trim() === '' || [FENCE, HEADING, ITEM].some((other) => other.test(line))),
  )
  const own = lines.slice(0, end < 0 ? lines.length : end)
  const text = own.map((line) => line.trim()).join(' ')
  return [{ kind: 'paragraph', inside: readInline(text) }, own.length]
}

function quoteAt(lines: readonly string[]): Read {
  const end = lines.findIndex((line) => !line.startsWith('> '))
  const own = lines.slice(0, end < 0 ? lines.length : end)
  const text = own.map((line) => line.slice(2).trim()).join(' ')
  return [{ kind: 'quote', inside: readInline(text) }, own.length]
}

/** In the order in which they are tried at each place. */
const INLINE = new RegExp(
  [
    /(?<ticks>`+)(?<code>.+?)\k<ticks>/,
    /<a id="(?<id>[^"]+)"><\/a>/,
    /<(?<address>https?:\/\/[^>]+)>/,
    /\[(?<words>(?:`[^`]*`|[^\]`])*)\]\((?<to>[^)\s]+)\)/,
    /\*\*(?<strong>(?:`[^`]*`|[^*`])+)\*\*/,
    /(?<![\p{L}\p{N}])(?<mark>[_*])(?<emphasis>[^_*`\s](?:[^_*`]*[^_*`\s])?)\k<mark>(?![\p{L}\p{N}])/u,
    /\\(?<escaped>[\\<>|*_[\]`])/,
    /&(?<entity>lt|gt|amp);/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&' }

export function readInline(text: string): readonly Inline[] {
  const parts: Inline[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push(inlineOf(match.groups ?? {}))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

function inlineOf(found: Readonly<Record<string, string | undefined>>): Inline {
  const { code, id, address, to, words = '', strong, emphasis, escaped, entity = '' } = found
  if (code !== undefined) return { kind: 'code', text: code.replaceAll(/^ (.*\S.*) $/g, '$1') }
  if (id !== undefined) return { kind: 'anchor', id }
  if (address !== undefined)
    return { kind: 'link', to: address, inside: [{ kind: 'text', text: address }] }
  if (to !== undefined) return { kind: 'link', to, inside: readInline(words) }
  if (strong !== undefined) return { kind: 'strong', inside: readInline(strong) }
  if (emphasis !== undefined) return { kind: 'emphasis', inside: readInline(emphasis) }
  return { kind: 'text', text: escaped ?? ENTITIES[entity] ?? '' }
}

/** The words alone. */
export function wordsIn(parts: readonly Inline[]): string {
  return parts
    .map((part) =>
      'inside' in part ? wordsIn(part.inside) : part.kind === 'anchor' ? '' : part.text,
    )
    .join('')
}
