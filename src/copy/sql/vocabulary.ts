// The words of copies, in memory: what a fuzzy word is compared with.
import { allowedDistance, codePoints, fuzzyDistance, hasDigit } from '../search/text.ts'
import type { FilterContext } from './filter-sql.ts'
import { sql, type SqlSteps } from './sql.ts'

/** Whether a word can be found by spelling, so that it belongs to the vocabulary. */
export function isSpelled(word: string): boolean {
  return word.length > 1 && !hasDigit(word)
}

interface Words {
  version: number
  readonly byLength: Map<number, Map<string, number>>
  readonly near: Map<string, readonly Neighbour[]>
  bytes: number
}

/** Asked words per copy whose neighbours are remembered, and the most neighbours that are. */
const MAX_ASKED = 100
const MAX_NEAR = 500
/** Of all vocabularies in memory. */
const MAX_BYTES = 64 * 1024 * 1024

export class Vocabularies {
  readonly #loaded = new Map<string, Words>()
  #bytes = 0;

  /** Every known word within the distance allowed for the asked one, with its distance; that word itself if none is. */
  *nearby(
    asked: string,
    copy: Pick<FilterContext, 'scope' | 'dialect'>,
  ): SqlSteps<readonly Neighbour[]> {
    const limit = allowedDistance(asked)
    if (limit === 0) return [{ word: asked, distance: 0 }]
    const words = yield* this.#load(copy)
    const known = words.near.get(asked)
    if (known !== undefined) return known
    const { length } = codePoints(asked)
    const letters = letterMask(asked)
    const found: Neighbour[] = []
    for (let size = length - limit; size <= length + limit; size++) {
      for (const [word, mask] of words.byLength.get(size) ?? []) {
        // A mistake changes two letters at most: one goes, one comes.
        if (countBits(mask ^ letters) > 2 * limit) continue
        const distance = fuzzyDistance(asked, word)
        if (distance !== null) found.push({ word, distance })
      }
    }
    if (words.near.size >= MAX_ASKED) words.near.clear()
    if (found.length <= MAX_NEAR) words.near.set(asked, found)
    return found
  }

  /** Forgets what is known of an instance. */
  forget(instanceId: string): void {
    for (const [key, words] of this.#loaded) {
      if (!key.startsWith(`${instanceId}\n`)) continue
      this.#loaded.delete(key)
      this.#bytes -= words.bytes
    }
  }

  *#load({ scope, dialect }: Pick<FilterContext, 'scope' | 'dialect'>): SqlSteps<Words> {
    const key = `${scope.instanceId}\n${scope.entity}\n${scope.epoch}\n${scope.scopeNo}`
    const words = this.#loaded.get(key) ?? {
      version: 0,
      byLength: new Map(),
      near: new Map(),
      bytes: 0,
    }
    this.#loaded.delete(key)
    this.#loaded.set(key, words)
    if (words.version < scope.version) {
      const rows =
        yield sql`SELECT term FROM replica_term WHERE ${dialect.inScope(scope, 'replica_term')} AND version > ${words.version}`
      const before = words.bytes
      for (const row of rows) addWord(words, String(row['term']))
      if (rows.length > 0) words.near.clear()
      words.version = Math.max(words.version, scope.version)
      this.#bytes += words.bytes - before
      this.#evict(key)
    }
    return words
  }

  #evict(keep: string): void {
    for (const [key, words] of this.#loaded) {
      if (this.#bytes <= MAX_BYTES) return
      if (key === keep) continue
      this.#loaded.delete(key)
      this.#bytes -= words.bytes
    }
  }
}

/** Words that one process remembers as known to vocabularies; beyond them it begins again. */
const MAX_KNOWN = 200_000

/** Words that are surely in the vocabularies, for one process. */
export class KnownWords {
  /** By number of the copy. */
  readonly #words = new Map<number, Set<string>>()
  #count = 0

  /** The words that are not known yet; they are from now on. */
  take(scopeNo: number, words: Iterable<string>): readonly string[] {
    if (this.#count > MAX_KNOWN) this.forget()
    const known = this.#words.get(scopeNo) ?? new Set<string>()
    this.#words.set(scopeNo, known)
    const fresh: string[] = []
    for (const word of words) {
      if (known.has(word)) continue
      known.add(word)
      fresh.push(word)
    }
    this.#count += fresh.length
    return fresh
  }

  /** To be called where words were deleted, or taken and not written. */
  forget(): void {
    this.#words.clear()
    this.#count = 0
  }
}

export interface Neighbour {
  readonly word: string
  readonly distance: 0 | 1 | 2
}

/** Bytes that a word costs in memory in addition to its letters. */
const WORD_OVERHEAD = 64

function addWord(words: Words, word: string): void {
  const { length } = codePoints(word)
  let sameLength = words.byLength.get(length)
  if (sameLength === undefined) {
    sameLength = new Map()
    words.byLength.set(length, sameLength)
  }
  if (sameLength.has(word)) return
  sameLength.set(word, letterMask(word))
  words.bytes += 2 * word.length + WORD_OVERHEAD
}

function letterMask(word: string): number {
  let mask = 0
  for (const letter of word) mask |= 1 << ((letter.codePointAt(0) ?? 0) & 31)
  return mask
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
