// The words of documents as the full-text table takes them. Words are looked up by their letters in a few typed arrays,
// which stay in the processor's cache; maps and sets of texts take twice as long.
import type { JsonObject } from '../../language/json/json.ts'
import type { SearchLayout } from '../search/layout.ts'
import { fieldPrefix } from '../search/opened-row.ts'
import type { CopyName } from '../search/search-index.ts'
import { isPlainText, MAX_WORD_LENGTH, words } from '../search/text.ts'
import { type TermsByField, wordedTextsAt } from '../search/values.ts'
import { isSpelled } from '../sql/vocabulary.ts'
import { scopePrefix } from '../sql/word-query.ts'

/** Words that are remembered, a power of two; with more, all are forgotten. */
const MAX_WORDS = 65_536
const MAX_TABLES = 4
/** Twice as many places, so that a word is found near where it is looked for. */
const PLACES = 2 * MAX_WORDS

/** Whether it is a letter or digit of folded ASCII. */
function isInWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

export class TermTable {
  readonly layout: SearchLayout
  readonly scopeNo: number
  /** Per field: a blank, copy and field. */
  readonly #prefixes: readonly Uint8Array[]

  /** Place → number of the word, from 1 on; 0 is free. */
  readonly #places = new Int32Array(PLACES)
  #count = 0
  /** By number: the sum of the letters, where its bytes begin, and whether it belongs to the vocabulary. */
  readonly #sums = new Int32Array(MAX_WORDS + 1)
  readonly #starts = new Int32Array(MAX_WORDS + 2)
  readonly #spelled = new Uint8Array(MAX_WORDS + 1)
  /** The field of a document it was last met in, and the batch. */
  readonly #fields = new Int32Array(MAX_WORDS + 1)
  readonly #batches = new Int32Array(MAX_WORDS + 1)
  /** The bytes of all words. */
  #letters: Buffer = Buffer.alloc(65_536)

  #field = 0
  #prefix: Uint8Array = new Uint8Array()
  #batch = 0
  #met: string[] = []
  /** The terms of the document that is read. */
  #text: Buffer = Buffer.alloc(16_384)
  #length = 0

  constructor(layout: SearchLayout, scopeNo: number) {
    this.layout = layout
    this.scopeNo = scopeNo
    this.#prefixes = layout.fields.map((_, field) =>
      Uint8Array.from(Buffer.from(` ${scopePrefix(scopeNo)}${fieldPrefix(field)}`)),
    )
  }

  /** From now on every word is met again. */
  beginBatch(): void {
    this.#batch++
    this.#met = []
  }

  /** The words of the vocabulary met since it was last asked, and not before in this batch. */
  takeMet(): readonly string[] {
    const met = this.#met
    this.#met = []
    return met
  }

  /** The words of a document, each with copy and field before it. `limited`: those of one that may have too many. */
  take(document: JsonObject, limited: TermsByField | null): string {
    this.#length = 0
    for (let field = 0; field < this.layout.fields.length; field++) {
      const prefix = this.#prefixes[field]
      if (prefix === undefined) continue
      this.#field++
      this.#prefix = prefix
      if (limited !== null) for (const word of limited.get(field) ?? []) this.#addWord(word)
      else
        for (const text of wordedTextsAt(this.layout, { field, path: [] }, document))
          this.#readText(text)
    }
    // Behind the first blank.
    return this.#length === 0 ? '' : this.#text.toString('utf8', 1, this.#length)
  }

  #readText(text: string): void {
    if (!isPlainText(text)) {
      for (const word of words(text)) this.#addWord(word)
      return
    }
    const folded = text.toLowerCase()
    const end = folded.length
    let at = 0
    for (;;) {
      while (at < end && !isInWord(folded.charCodeAt(at))) at++
      if (at >= end) return
      const start = at
      let sum = 0
      for (; at < end; at++) {
        const code = folded.charCodeAt(at)
        if (!isInWord(code)) break
        sum = (Math.imul(sum, 31) + code) | 0
      }
      if (at - start <= MAX_WORD_LENGTH) this.#add(folded, start, at, sum)
      else for (const cut of words(folded.slice(start, at))) this.#addWord(cut)
    }
  }

  #addWord(word: string): void {
    // Its bytes as characters.
    const bytes = isPlainText(word) ? word : Buffer.from(word).toString('latin1')
    let sum = 0
    for (let at = 0; at < bytes.length; at++) sum = (Math.imul(sum, 31) + bytes.charCodeAt(at)) | 0
    this.#add(bytes, 0, bytes.length, sum)
  }

  /** The word between two places of a text whose characters are bytes. */
  #add(bytes: string, start: number, end: number, sum: number): void {
    // The last bits of a sum are those of its last letters.
    let place = (sum ^ (sum >>> 15)) & (PLACES - 1)
    for (;;) {
      const number = this.#places[place] ?? 0
      if (number === 0) break
      if (this.#sums[number] === sum && this.#isWord(number, bytes, start, end))
        return this.#meet(number)
      place = (place + 1) & (PLACES - 1)
    }
    if (this.#count >= MAX_WORDS) {
      this.#places.fill(0)
      this.#count = 0
      return this.#add(bytes, start, end, sum)
    }
    const number = ++this.#count
    this.#places[place] = number
    this.#learn(number, bytes.slice(start, end), sum)
    this.#meet(number)
  }

  #isWord(number: number, bytes: string, start: number, end: number): boolean {
    const letters = this.#letters
    const from = this.#starts[number] ?? 0
    if ((this.#starts[number + 1] ?? 0) - from !== end - start) return false
    for (let at = start; at < end; at++)
      if (letters[from + at - start] !== bytes.charCodeAt(at)) return false
    return true
  }

  #learn(number: number, bytes: string, sum: number): void {
    const from = this.#starts[number] ?? 0
    const end = from + bytes.length
    if (end > this.#letters.length) this.#letters = Buffer.concat([this.#letters], 2 * end)
    this.#letters.write(bytes, from, 'latin1')
    this.#starts[number + 1] = end
    this.#sums[number] = sum
    this.#fields[number] = 0
    this.#batches[number] = 0
    this.#spelled[number] = Number(isSpelled(this.#letters.toString('utf8', from, end)))
  }

  #meet(number: number): void {
    if (this.#fields[number] === this.#field) return
    this.#fields[number] = this.#field
    const from = this.#starts[number] ?? 0
    const end = this.#starts[number + 1] ?? 0
    this.#write(from, end)
    if (this.#batches[number] === this.#batch) return
    this.#batches[number] = this.#batch
    if (this.#spelled[number] === 1) this.#met.push(this.#letters.toString('utf8', from, end))
  }

  #write(from: number, end: number): void {
    const prefix = this.#prefix
    const needed = this.#length + prefix.length + end - from
    if (needed > this.#text.length) this.#text = Buffer.concat([this.#text], 2 * needed)
    const text = this.#text
    const letters = this.#letters
    // Quicker than calls for so few bytes.
    let to = this.#length
    for (let at = 0; at < prefix.length; at++) text[to++] = prefix[at] ?? 0
    for (let at = from; at < end; at++) text[to++] = letters[at] ?? 0
    this.#length = to
  }
}

/** Tables of the copies written last: each takes two megabytes. */
export class TermTables {
  readonly #tables = new Map<string, TermTable>()

  /** The table of a copy, at the beginning of a batch. */
  begin({ instanceId }: CopyName, layout: SearchLayout, scopeNo: number): TermTable {
    const key = `${instanceId} ${scopeNo} ${layout.hash}`
    const table = this.#tables.get(key) ?? new TermTable(layout, scopeNo)
    this.#tables.delete(key)
    this.#tables.set(key, table)
    const [oldest] = this.#tables.keys()
    if (this.#tables.size > MAX_TABLES && oldest !== undefined) this.#tables.delete(oldest)
    table.beginBatch()
    return table
  }
}
