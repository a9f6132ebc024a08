// Findings that have one obvious correction, made in the text of the manifest: layout and comments stay as they are.
import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Json, JsonObject } from '../../../language/json/json.ts'
import type { DocumentPath } from '../../../language/manifest/document.ts'
import { loadManifest } from '../../../language/manifest/load.ts'
import type { Finding } from './finding.ts'

export interface Proposal {
  readonly text: string
  /** The findings that it settles, in their order. */
  readonly settled: readonly Finding[]
}

/** Changes a manifest as its vendor's document asks for. A change after which it is no longer valid is undone. */
export function proposeChange(text: string, file: string, findings: readonly Finding[]): Proposal {
  let current = text
  const settled: Finding[] = []
  for (const finding of findings) {
    const changed = changeFor(current, finding)
    if (changed === null || loadManifest({ text: changed, file }).manifest === null) continue
    current = changed
    settled.push(finding)
  }
  return { text: current, settled }
}

function changeFor(text: string, { kind, at, suggested, place }: Finding): string | null {
  const editor = new Editor(text)
  const isMember = at.at(-2) === 'properties'
  if (kind === 'deprecated' && at[2] === 'actions' && at.length === 4)
    return editor.put(at, 'deprecated', true)
  if (suggested !== undefined && 'values' in suggested)
    return editor.replace([...at, 'enum'], suggested['values'] ?? [])
  const bound = suggested?.['bound']
  if (typeof bound === 'string') return editor.replace([...at, bound], suggested?.['to'] ?? 0)
  if (kind === 'unknown' && isMember && at[2] === 'record') return editor.remove(at)
  if (kind !== 'missing' || suggested === undefined) return null
  if (isMember) return editor.put(at.slice(0, -1), String(at.at(-1)), suggested)
  const isQuery = at.at(-2) === 'query' && place.includes(' query.')
  return isQuery ? addParameter(editor, at, suggested) : null
}

/** A parameter of the query under the vendor's own name: among the parameters, and in the request. */
function addParameter(editor: Editor, at: DocumentPath, schema: JsonObject): string | null {
  const name = String(at.at(-1))
  const added = editor.add(at.slice(0, -1), name)
  const params = [...at.slice(0, 4), 'params', 'properties']
  return added === null ? null : new Editor(added).put(params, name, schema)
}

class Editor {
  readonly #text: string
  readonly #root: Node | null

  constructor(text: string) {
    this.#text = text
    this.#root = parseDocument(text).contents
  }

  /** Adds a member at the end of a map. */
  put(at: DocumentPath, name: string, value: Json): string | null {
    const map = this.#find(at)
    if (!isMap(map) || map.has(name)) return null
    const pair = `${name}: ${written(value)}`
    const first = map.items[0]?.key as Node | undefined
    if (map.flow === true || first === undefined) return this.#intoFlow(map, pair)
    const start = first.range?.[0] ?? 0
    const indent = ' '.repeat(start - this.#text.lastIndexOf('\n', start - 1) - 1)
    const [, end = 0] = map.range ?? []
    const before = this.#text.slice(0, end).trimEnd()
    return `${before}\n${indent}${pair}${this.#text.slice(before.length)}`
  }

  /** Adds an element at the end of a list in brackets. */
  add(at: DocumentPath, value: string): string | null {
    const list = this.#find(at)
    return isSeq(list) && list.flow === true ? this.#intoFlow(list, value) : null
  }

  replace(at: DocumentPath, value: Json): string | null {
    const node = this.#find(at)
    if (node?.range == null || !(isScalar(node) || (isSeq(node) && node.flow === true))) return null
    const [start, end] = node.range
    return this.#text.slice(0, start) + written(value) + this.#text.slice(end)
  }

  /** Takes a member with its value out of its map. */
  remove(at: DocumentPath): string | null {
    const map = this.#find(at.slice(0, -1))
    if (!isMap(map) || map.items.length < 2) return null
    const index = map.items.findIndex((pair) => String(pair.key) === at.at(-1))
    const pair = map.items[index]
    const start = (pair?.key as Node | undefined)?.range?.[0]
    const end = (pair?.value as Node | undefined)?.range?.[1]
    if (start === undefined || end === undefined) return null
    if (map.flow !== true) {
      const line = this.#text.indexOf('\n', end - 1)
      const from = this.#text.lastIndexOf('\n', start)
      return this.#text.slice(0, from) + this.#text.slice(line === -1 ? undefined : line)
    }
    const next = (map.items[index + 1]?.key as Node | undefined)?.range?.[0]
    if (next !== undefined) return this.#text.slice(0, start) + this.#text.slice(next)
    const before = (map.items[index - 1]?.value as Node | undefined)?.range?.[1] ?? start
    return this.#text.slice(0, before) + this.#text.slice(end)
  }

  #intoFlow(node: YAMLMap | YAMLSeq, part: string): string | null {
    const [, end = 0] = node.range ?? []
    const close = this.#text[end - 1]
    if (close !== '}' && close !== ']') return null
    const before = this.#text.slice(0, end - 1).trimEnd()
    const comma = node.items.length === 0 || before.endsWith(',') ? '' : ','
    const space = close === '}' ? ' ' : ''
    const gap = node.items.length === 0 ? space : ' '
    return `${before}${comma}${gap}${part}${space}${this.#text.slice(end - 1)}`
  }

  /** The node at a path; references to shapes are followed. */
  #find(at: DocumentPath): Node | null {
    let node: Node | null = this.#root
    for (const step of at) {
      node = this.#followed(node)
      if (!isMap(node) && !isSeq(node)) return null
      node = (node.get(step, true) as Node | undefined) ?? null
    }
    return this.#followed(node)
  }

  #followed(node: Node | null): Node | null {
    const reference = isMap(node) ? node.get('$ref') : undefined
    const name =
      typeof reference === 'string' ? /^#\/shapes\/(.+)$/.exec(reference)?.[1] : undefined
    if (name === undefined || !isMap(this.#root)) return node
    return (this.#root.getIn(['shapes', name], true) as Node | undefined) ?? null
  }
}

/** A value in one line, as manifests are written. */
function written(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one) => written(one as Json)).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, one]) => `${name}: ${written(one)}`)
      .join(', ')} }`
  const isPlain = typeof value === 'string' && /^[A-Za-z_][\w-]*$/.test(value) && !WORDS.has(value)
  return isPlain ? value : JSON.stringify(value)
}

const WORDS: ReadonlySet<string> = new Set(['null', 'true', 'false', 'Null', 'True', 'False'])
