// A manifest as it was written: its text, its plain value, and where in the text each value stands.
import type { InnerSpan } from '../expression/parse-text.ts'
import type { JsonObject } from '../json/json.ts'
import type { ManifestProblem, ProblemSeverity } from './problem.ts'

/** Where a value stands in a manifest: keys of maps and indexes of lists, from the root. */
export type DocumentPath = readonly (string | number)[]

/** A piece of one line. Line and column count from 1, in UTF-16 units. */
export interface Span {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** Turns offsets of a text into lines and columns; a line ends at LF, CRLF or CR. */
export class LineIndex {
  readonly #text: string
  readonly #starts = [0]

  constructor(text: string) {
    this.#text = text
    for (const end of text.matchAll(/\r\n?|\n/g)) this.#starts.push(end.index + end[0].length)
  }

  /** `end` is cut at the end of the line. */
  span(start: number, end: number): Span {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= start) low = middle
      else high = middle - 1
    }
    const lineStart = this.#starts[low] ?? 0
    const line = this.#text.slice(lineStart, this.#starts[low + 1]).replace(/[\r\n]+$/, '')
    return {
      line: low + 1,
      column: start - lineStart + 1,
      length: Math.max(1, Math.min(end, lineStart + line.length) - start),
    }
  }
}

/** Where one value stands in the text, as offsets; and the same of what is inside it. */
export interface Placed {
  readonly start: number
  readonly end: number
  /** The key of the map entry whose value this is. */
  readonly key: { readonly start: number; readonly end: number } | null
  /** Written over several lines by indentation, so that only its key can be marked. */
  readonly block: boolean
  readonly members: ReadonlyMap<string, Placed> | null
  readonly items: readonly Placed[] | null
}

/** A document whose plain value and places are known. */
export class ManifestDocument {
  readonly file: string
  readonly text: string
  readonly value: JsonObject
  readonly #root: Placed
  readonly #lines: LineIndex
  readonly #moved: ReadonlyMap<string, DocumentPath>

  constructor(
    { file, text, lines }: Pick<ManifestDocument, 'file' | 'text'> & { readonly lines: LineIndex },
    { value, root }: { readonly value: JsonObject; readonly root: Placed },
    moved: ReadonlyMap<string, DocumentPath> = new Map(),
  ) {
    this.file = file
    this.text = text
    this.value = value
    this.#root = root
    this.#lines = lines
    this.#moved = moved
  }

  /** The same document with another value, whose places are those of the text. */
  holding(value: JsonObject): ManifestDocument {
    const { file, text } = this
    return new ManifestDocument(
      { file, text, lines: this.#lines },
      { value, root: this.#root },
      this.#moved,
    )
  }

  /** The same document whose values at some places (as `formatPath` writes them) were written at others. */
  moved(moved: ReadonlyMap<string, DocumentPath>): ManifestDocument {
    const { file, text, value } = this
    return new ManifestDocument(
      { file, text, lines: this.#lines },
      { value, root: this.#root },
      moved,
    )
  }

  /** Where the value at a place was written. */
  written(path: DocumentPath): DocumentPath {
    if (this.#moved.size === 0) return path
    for (let end = path.length; end > 0; end--) {
      const written = this.#moved.get(formatPath(path.slice(0, end)))
      if (written !== undefined) return [...written, ...path.slice(end)]
    }
    return path
  }

  /**
   * Where the value at `path` stands, or its key.
   *
   * A block map or list is located at its key (or its first line), since it spans many lines; so is a value that was
   * left out. A path that does not exist is located at its nearest existing parent. `inner` narrows a text value to a
   * piece of it, where the text is written on one line.
   */
  locate(path: DocumentPath, part: 'key' | 'value' = 'value', inner?: InnerSpan): Span {
    const { placed, complete } = find(this.#root, this.written(path))
    const hidden = placed.block || placed.start === placed.end
    const marked = (part === 'key' || !complete || hidden ? placed.key : null) ?? placed
    if (inner !== undefined && marked === placed && complete) {
      const piece = innerRange(this.text, placed, inner)
      if (piece !== null) return this.#lines.span(piece[0], piece[1])
    }
    return this.#lines.span(marked.start, marked.end)
  }
}

/** A path in words: `entities.calls.actions.list.request.query[0]`, odd keys as `["a b"]`. */
export function formatPath(path: DocumentPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text
}

/** A finding about the value (or the key) at `at`. */
export function problemAt(
  document: ManifestDocument,
  finding: {
    readonly at: DocumentPath
    readonly rule: string
    readonly message: string
    readonly hint?: string | null
    readonly part?: 'key' | 'value'
    readonly inner?: InnerSpan | undefined
    readonly severity?: ProblemSeverity
  },
): ManifestProblem {
  const { at, rule, message, hint = null, part = 'value', inner, severity = 'error' } = finding
  return {
    file: document.file,
    ...document.locate(at, part, inner),
    path: formatPath(document.written(at)),
    severity,
    rule,
    message,
    hint,
  }
}

function find(root: Placed, path: DocumentPath): { placed: Placed; complete: boolean } {
  let placed = root
  for (const step of path) {
    const next = typeof step === 'number' ? placed.items?.[step] : placed.members?.get(step)
    if (next === undefined) return { placed, complete: false }
    placed = next
  }
  return { placed, complete: true }
}

/** Where a piece of a text value stands; null when the source is not one line of plain or quoted text. */
function innerRange(
  text: string,
  placed: Placed,
  inner: InnerSpan,
): readonly [number, number] | null {
  const source = text.slice(placed.start, placed.end)
  if (placed.members !== null || placed.items !== null || /[\r\n]/.test(source)) return null
  const offsets = sourceOffsets(source)
  const from = offsets[inner.offset]
  const to = offsets[inner.offset + inner.length]
  return from === undefined || to === undefined ? null : [placed.start + from, placed.start + to]
}

/** For each unit of the value the offset of its source; one more for the end. */
function sourceOffsets(source: string): readonly number[] {
  const quote = source[0]
  if (quote !== '"' && quote !== "'") {
    return Array.from({ length: source.length + 1 }, (_, offset) => offset)
  }
  const offsets: number[] = []
  let at = 1
  while (at < source.length - 1) {
    offsets.push(at)
    const width = quote === '"' ? escapeWidth(source, at) : source.startsWith("''", at) ? 2 : 1
    if (width === 10 && Number.parseInt(source.slice(at + 2, at + 10), 16) > 0xffff)
      offsets.push(at)
    at += width
  }
  offsets.push(at)
  return offsets
}

const ESCAPE_WIDTHS: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 }

function escapeWidth(source: string, at: number): number {
  return source[at] === '\\' ? (ESCAPE_WIDTHS[source[at + 1] ?? ''] ?? 2) : 1
}
