// Where in a YAML document the cursor is: below which keys, and whether a key or a value is being written.
import { yamlLanguage } from '@codemirror/lang-yaml'

export type Step = string | number

export interface Place {
  readonly kind: 'key' | 'value'
  /** Of the mapping that gets the key, or of the value. */
  readonly path: readonly Step[]
  readonly from: number
  readonly typed: string
  /** The members of the same mapping with their scalars as text, null where they are none. Without the one being typed. */
  readonly siblings: ReadonlyMap<string, string | null>
  /** Columns before the key; of a flow mapping null. */
  readonly indent: number | null
  /** Names that the document declares, by the top key they stand below: `shapes`, `entities`. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>
}

type Node = ReturnType<ReturnType<typeof yamlLanguage.parser.parse>['resolveInner']>

/** A line on which a key of a block mapping can begin. */
const LINE_START = /(^|\n)[ ]*(- +)*([\w$-]|-)*$/
const COLLECTIONS = new Set(['BlockMapping', 'BlockSequence', 'FlowMapping', 'FlowSequence'])

/**
 * Null: in a comment, a text of several lines, or quotes. The document is being typed and need not be whole: it is read
 * with a word at the cursor, which is a key where one can begin.
 */
export function placeIn(text: string, cursor: number): Place | null {
  const [before, behind] = [text.slice(0, cursor), text.slice(cursor)]
  const isWord = /[\w$]$/.test(before) || /^[\w$]/.test(behind)
  let reading = read(isWord ? text : `${before}x${behind}`)
  let word = reading.at(cursor, /^[\w$]/.test(behind) || !isWord ? 1 : -1)
  if (word.name !== 'Literal' && !word.type.isError) return null
  const isInFlow = ancestor(word, COLLECTIONS)?.name.startsWith('Flow') ?? false
  if (!isInFlow && LINE_START.test(before) && word.parent?.name !== 'Key') {
    reading = read(`${before}x:${behind}`)
    word = reading.at(cursor, 1)
  }
  const pair = word.parent?.name === 'Key' ? word.parent.parent : null
  if (pair === null && word.parent?.name !== 'Pair' && word.parent?.name !== 'Item') return null
  const place = {
    from: word.from,
    typed: text.slice(word.from, cursor),
    names: reading.names(),
  }
  if (pair === null)
    return { ...place, kind: 'value', path: reading.path(word), siblings: new Map(), indent: null }
  return {
    ...place,
    kind: 'key',
    path: reading.path(pair),
    siblings: reading.members(pair.parent, pair),
    indent: isInFlow ? null : word.from - before.lastIndexOf('\n', word.from - 1) - 1,
  }
}

function ancestor(node: Node, names: ReadonlySet<string>): Node | null {
  for (let each = node.parent; each !== null; each = each.parent)
    if (names.has(each.name)) return each
  return null
}

let last: Reading | null = null

/** Moving through a text that stays the same, as a reader does, costs one parse. */
function read(text: string): Reading {
  if (last?.text !== text) last = new Reading(text)
  return last
}

class Reading {
  readonly text: string
  readonly #top: Node

  constructor(text: string) {
    this.text = text
    this.#top = yamlLanguage.parser.parse(text).topNode
  }

  /** The word at an offset that ends (-1) or begins (1) there, or goes on. */
  at(offset: number, side: -1 | 1): Node {
    return this.#top.resolveInner(offset, side)
  }

  path(node: Node): readonly Step[] {
    const { parent } = node
    if (parent === null) return []
    if (parent.name === 'Pair') return [...this.path(parent), this.#key(parent)]
    if (parent.name !== 'Item') return this.path(parent)
    const items = parent.parent?.getChildren('Item') ?? []
    return [...this.path(parent), items.findIndex(({ from }) => from === parent.from)]
  }

  /** Members of a mapping except one of its pairs: scalars as text, else null. */
  members(mapping: Node | null, except: Node | null): ReadonlyMap<string, string | null> {
    const pairs = mapping?.getChildren('Pair') ?? []
    return new Map(
      pairs
        .filter(({ from }) => from !== except?.from)
        .map((pair) => [this.#key(pair), this.#scalar(pair.lastChild)]),
    )
  }

  names(): Place['names'] {
    const mapping = this.#top.getChild('Document')?.getChild('BlockMapping')
    const pairs = mapping?.getChildren('Pair') ?? []
    return new Map(
      pairs.map((pair) => [this.#key(pair), new Set(this.members(pair.lastChild, null).keys())]),
    )
  }

  #key(pair: Node): string {
    return this.#scalar(pair.getChild('Key')?.firstChild ?? null) ?? ''
  }

  /** A scalar without its quotes; null: it is none. */
  #scalar(node: Node | null): string | null {
    const text = this.text.slice(node?.from, node?.to)
    if (node?.name === 'QuotedLiteral') return text.slice(1, -1)
    return node?.name === 'Literal' ? text : null
  }
}
