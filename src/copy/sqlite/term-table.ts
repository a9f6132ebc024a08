// The words of documents as the full-text table takes them. Words are looked up by their letters, and all that is known of
// one lies together, so that it is fetched into the processor's cache at once: a table of our own, because maps and sets of
// texts take four times as long, and words are an eighth of what a first sync costs (bench/README.md, "First syncs").
import { RecentlyUsed } from '../../database/recently-used.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { SearchLayout } from '../search/layout.ts'
import { fieldPrefix } from '../search/opened-row.ts'
import type { CopyName } from '../search/search-index.ts'
import { isPlainText, MAX_WORD_LENGTH, words } from '../search/text.ts'
import { type TermsByField, wordedTextsAt } from '../search/values.ts'
import { isSpelled } from '../sql/vocabulary.ts'
import { scopePrefix } from '../sql/word-query.ts'

/** Words that are remembered; with more, all are forgotten. */
const MAX_WORDS = 32_768
const MAX_TABLES = 4
/** Places and bytes at first; there are always twice as many places as words. */
const PLACES = 4_096
const ROOM = 65_536

/** What is known of a word, in four bytes each; its letters follow. */
const SUM = 0
/** Twice the number of its letters in bytes, and one more if it belongs to the vocabulary. */
const LENGTH = 1
/** The field of a document it was last met in, and the batch. */
const FIELD = 2
const BATCH = 3
const HEAD = 4

/** By byte of ASCII: the folded letter or digit; 0: it is in no word. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase()
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0
})

export class TermTable {
  readonly layout: SearchLayout
  readonly scopeNo: number
  /** Per field: a blank, copy and field. */
  readonly #prefixes: readonly Uint8Array[]

  /** By sum: where what is known of a word begins, in units of four bytes; 0 is free. */
  #places = new Int32Array(PLACES)
  #count = 0
  #known = new Int32Array(ROOM / 4)
  /** The same bytes. */
  #letters: Buffer = Buffer.from(this.#known.buffer)
  #end = HEAD

  #field = 0
  #prefix: Uint8Array = new Uint8Array()
  #batch = 0
  #met: string[] = []
  /** The text that is read, and the terms of the document. */
  #read: Buffer = Buffer.alloc(16_384)
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
    const end = this.#spell(text, 'latin1')
    const bytes = this.#read
    let at = 0
    for (;;) {
      while (at < end && FOLDED[bytes[at] ?? 0] === 0) at++
      if (at >= end) return
      const start = at
      let sum = 0
      for (; at < end; at++) {
        const letter = FOLDED[bytes[at] ?? 0] ?? 0
        if (letter === 0) break
        bytes[at] = letter
        // A longer word counts as its beginning.
        if (at - start < MAX_WORD_LENGTH) sum = sumWith(sum, letter)
      }
      this.#add(start, Math.min(at, start + MAX_WORD_LENGTH), sum)
    }
  }

  #addWord(word: string): void {
    const end = this.#spell(word, 'utf8')
    let sum = 0
    for (let at = 0; at < end; at++) sum = sumWith(sum, this.#read[at] ?? 0)
    this.#add(0, end, sum)
  }

  /** Writes a text down in bytes, of which it gives the number. */
  #spell(text: string, encoding: 'latin1' | 'utf8'): number {
    const most = encoding === 'latin1' ? text.length : 3 * text.length
    if (most > this.#read.length) this.#read = Buffer.alloc(2 * most)
    return this.#read.write(text, encoding)
  }

  /** The word between two places of the text that is read. */
  #add(start: number, end: number, sum: number): void {
    let place = this.#placeOf(sum)
    for (;;) {
      const word = this.#places[place] ?? 0
      if (word === 0) break
      if (this.#known[word + SUM] === sum && this.#isWord(word, start, end)) return this.#meet(word)
      place = (place + 1) & (this.#places.length - 1)
    }
    const word = this.#learn(start, end, sum)
    this.#meet(word)
  }

  /** Where a word is looked for first. */
  #placeOf(sum: number): number {
    // The last bits of a sum are those of its last letters.
    return (sum ^ (sum >>> 15)) & (this.#places.length - 1)
  }

  #isWord(word: number, start: number, end: number): boolean {
    if ((this.#known[word + LENGTH] ?? 0) >>> 1 !== end - start) return false
    const letters = this.#letters
    const bytes = this.#read
    for (let from = 4 * (word + HEAD), at = start; at < end; from++, at++)
      if (letters[from] !== bytes[at]) return false
    return true
  }

  #learn(start: number, end: number, sum: number): number {
    if (this.#count >= MAX_WORDS) this.#forget()
    else if (2 * this.#count >= this.#places.length) this.#spread(2 * this.#places.length)
    const word = this.#end
    this.#end += HEAD + Math.ceil((end - start) / 4)
    while (this.#end > this.#known.length) this.#grow()
    const isInVocabulary = isSpelled(this.#read.toString('utf8', start, end))
    this.#known[word + SUM] = sum
    this.#known[word + LENGTH] = 2 * (end - start) + Number(isInVocabulary)
    this.#known[word + FIELD] = 0
    this.#known[word + BATCH] = 0
    this.#read.copy(this.#letters, 4 * (word + HEAD), start, end)
    this.#place(word, sum)
    this.#count++
    return word
  }

  #place(word: number, sum: number): void {
    let place = this.#placeOf(sum)
    while (this.#places[place] !== 0) place = (place + 1) & (this.#places.length - 1)
    this.#places[place] = word
  }

  #forget(): void {
    this.#places = new Int32Array(PLACES)
    this.#count = 0
    this.#end = HEAD
  }

  #spread(places: number): void {
    const before = this.#places
    this.#places = new Int32Array(places)
    for (const word of before) if (word !== 0) this.#place(word, this.#known[word + SUM] ?? 0)
  }

  #grow(): void {
    const more = new Int32Array(2 * this.#known.length)
    more.set(this.#known)
    this.#known = more
    this.#letters = Buffer.from(more.buffer)
  }

  #meet(word: number): void {
    const known = this.#known
    if (known[word + FIELD] === this.#field) return
    known[word + FIELD] = this.#field
    const from = 4 * (word + HEAD)
    const length = known[word + LENGTH] ?? 0
    const end = from + (length >>> 1)
    this.#write(from, end)
    if (known[word + BATCH] === this.#batch) return
    known[word + BATCH] = this.#batch
    if ((length & 1) === 1) this.#met.push(this.#letters.toString('utf8', from, end))
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

/** The sum by which a word is looked up, with one more of its letters. */
function sumWith(sum: number, letter: number): number {
  return (Math.imul(sum, 31) + letter) | 0
}

/** Tables of the copies written last: each takes a megabyte or two. */
export class TermTables {
  readonly #tables = new RecentlyUsed<string, TermTable>(MAX_TABLES)

  /** The table of a copy, at the beginning of a batch. */
  begin({ instanceId }: CopyName, layout: SearchLayout, scopeNo: number): TermTable {
    const key = `${instanceId} ${scopeNo} ${layout.hash}`
    const table = this.#tables.of(key, () => new TermTable(layout, scopeNo))
    table.beginBatch()
    return table
  }
}
