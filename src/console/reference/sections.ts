// The texts of all pages by their sections, and the search in them.
import type { MarkedToken } from 'marked'
import { editDistance } from '../../language/expression/nearest.ts'
import { fold, isWordStart, placesOf } from '../parts/marked-words.ts'
import { anchorOf, blocksIn, idIn, readMarkdown, tokensIn, wordsIn } from './markdown.ts'
import type { ListedPage } from './page-place.ts'

/** A line to look in: a paragraph, an item, a row of a table or a line of code. */
interface Line {
  readonly text: string
  readonly folded: string
}

/** What stands below a heading, or a row of a table that has an address of its own. */
interface Section {
  /** Behind `#`; empty: the page itself. */
  readonly id: string
  readonly heading: Line
  readonly lines: Line[]
  /** A field of an operation, of which many have one with the same name. */
  readonly isField: boolean
}

export interface PageText {
  readonly page: ListedPage
  /** What is found as the page itself. */
  readonly name: Line
  readonly sections: readonly Section[]
}

export interface Hit {
  readonly page: ListedPage
  /** Empty: the page itself. */
  readonly id: string
  readonly heading: string
  /** The line that has most of the words. */
  readonly line: string
  /** So many other operations have a field with this name. */
  readonly others: number
  /** The words are in what it is called, and not only in its text. */
  readonly isNamed: boolean
}

/** `text`: empty where it is not known yet. */
export function readPage(page: ListedPage, text: string): PageText {
  const isOperation = isOperationPage(page)
  let section: Section = { id: '', heading: lineOf(page.title), lines: [], isField: false }
  const sections = [section]
  // A table of members stands below the status of its answer.
  let status = ''
  for (const block of blocksIn(readMarkdown(text))) {
    if (block.type === 'heading' && block.depth > 1) {
      const heading = lineOf(wordsIn([block]))
      section = { id: anchorOf(block.text), heading, lines: [], isField: false }
      sections.push(section)
    } else if (block.type === 'table') {
      const [place = ''] = block.header.map((cell) => wordsIn(tokensIn(cell)))
      for (const row of block.rows.map((cells) => cells.map(tokensIn))) {
        const words = row.map(wordsIn)
        const [name = ''] = words
        // What is shown is the sentence; all of it is looked in.
        const sentence = words.slice(1).toSorted((a, b) => b.length - a.length)[0] ?? ''
        const { text: whole, folded } = lineOf(words.filter((cell) => cell !== '').join(' · '))
        const line = { text: sentence.includes(' ') ? sentence : whole, folded }
        const id = isOperation
          ? `${PLACES[place] ?? status}.${name.split(/[.[]/, 1)[0]}`
          : row
              .flat()
              .map(idIn)
              .find((each) => each !== undefined)
        if (id === undefined) section.lines.push(line)
        else sections.push({ id, heading: lineOf(name), lines: [line], isField: isOperation })
      }
    } else if (block.type !== 'code' || status === '' || block.lang !== 'json') {
      // Nobody looks for what an example of an answer happens to have.
      const lines = linesOf(block)
      status = /^Response (\d+)/.exec(lines[0] ?? '')?.[1] ?? status
      section.lines.push(...lines.map(lineOf).filter(({ text: words }) => words !== ''))
    }
  }
  return { page, name: lineOf(`${page.title} ${page.path.split('/').at(-1)}`), sections }
}

/** Places in the address of a field of an operation, by the heads of tables. */
const PLACES: Readonly<Record<string, string>> = {
  'Path parameter': 'path',
  'Query parameter': 'query',
  Header: 'header',
  Body: 'body',
}

function linesOf(block: MarkedToken): readonly string[] {
  if (block.type === 'list' || block.type === 'blockquote') return []
  const words = wordsIn([block])
  return block.type === 'code' ? words.split('\n') : [words]
}

function lineOf(words: string): Line {
  const text = words.replaceAll(/\s+/g, ' ').trim()
  return { text, folded: fold(text).text }
}

function isOperationPage({ path }: ListedPage): boolean {
  return path.startsWith('operations/')
}

/** A sentence without the marks of its Markdown. */
function plainOf(text: string): string {
  return readMarkdown(text)
    .map((block) => wordsIn([block]))
    .join(' ')
}

/** How well a place fits, the best first. */
const RANKS = ['title', 'heading', 'section', 'field', 'page'] as const

interface Ranked {
  readonly hit: Hit
  readonly rank: (typeof RANKS)[number]
  readonly fit: number
}

/** Of what is found only in its text, a page has so many hits at most: more words show the others. */
const MAX_OF_PAGE = 3

/**
 * Titles of pages that have all the words, before headings that have those which the title lacks, before sections that
 * have all of them, before fields of operations that have them in their name, before pages that have them apart. Of
 * these, where most of them begin a word comes first, and what explains before single operations. Of fields with one name
 * there is one.
 */
export function hitsIn(pages: readonly PageText[], words: readonly string[]): readonly Hit[] {
  if (words.length === 0) return []
  const found = pages.flatMap((page) => rankedIn(page, words))
  const fields = Map.groupBy(
    found.filter(({ rank }) => rank === 'field'),
    ({ hit }) => hit.heading,
  )
  return found.toSorted(byRank).flatMap((each) => {
    const { hit, rank } = each
    const alike = rank === 'field' ? (fields.get(hit.heading) ?? []) : []
    if (alike.length === 0) return [hit]
    return alike[0] === each ? [{ ...hit, others: alike.length - 1 }] : []
  })
}

function byRank(one: Ranked, other: Ranked): number {
  return (
    RANKS.indexOf(one.rank) - RANKS.indexOf(other.rank) ||
    other.fit - one.fit ||
    Number(isOperationPage(one.hit.page)) - Number(isOperationPage(other.hit.page))
  )
}

function rankedIn({ page, name, sections }: PageText, words: readonly string[]): readonly Ranked[] {
  const found: Ranked[] = []
  if (hasAll(words, name.folded)) {
    const hit = {
      page,
      id: '',
      heading: page.title,
      line: plainOf(page.about),
      others: 0,
      isNamed: true,
    }
    found.push({ hit, rank: 'title', fit: fitOf(words, name.folded) })
  }
  for (const section of sections) {
    const rank = rankOf(section, name, words)
    if (rank === null) continue
    const { id, heading, lines } = section
    const best = fittest(words, lines)
    const hit = {
      page,
      id,
      heading: heading.text,
      line: (best ?? lines[0])?.text ?? '',
      others: 0,
      isNamed: rank === 'heading',
    }
    const at = rank === 'heading' ? heading : best
    found.push({ hit, rank, fit: fitOf(words, at?.folded ?? '') })
  }
  const [titles, headings, texts, fields, [apart]] = RANKS.map((rank) =>
    found.filter((each) => each.rank === rank).toSorted(byRank),
  ) as [Ranked[], Ranked[], Ranked[], Ranked[], Ranked[]]
  const hits = [...titles, ...headings, ...texts.slice(0, MAX_OF_PAGE), ...fields]
  const isThere = (word: string): boolean => sections.some(({ lines }) => hasIn(lines, word))
  return hits.length > 0 || apart === undefined || !words.every(isThere) ? hits : [apart]
}

function rankOf(
  { id, heading, lines, isField }: Section,
  name: Line,
  words: readonly string[],
): Ranked['rank'] | null {
  const above = id === '' ? name.folded : `${name.folded} ${heading.folded}`
  const lacking = words.filter((word) => !above.includes(word))
  if (lacking.length === 0)
    return id !== '' && words.some((word) => heading.folded.includes(word))
      ? isField
        ? 'field'
        : 'heading'
      : null
  if (lacking.every((word) => hasIn(lines, word))) return 'section'
  return lacking.some((word) => hasIn(lines, word)) ? 'page' : null
}

/** The sentence of a text that has most of the words; the first, where none has one. */
export function sentenceIn(words: readonly string[], text: string): string {
  const sentences = text.split(/(?<=[.!?]) (?=[^a-z])/).map(lineOf)
  return (fittest(words, sentences) ?? sentences[0])?.text ?? ''
}

/** Shorter words are other words when a letter is another one. */
const MIN_FORGIVEN = 4

/** Words that no page has, each as the word of the pages that is one letter apart; null: there is none for one of them. */
export function forgiven(
  pages: readonly PageText[],
  words: readonly string[],
): readonly string[] | null {
  const isThere = (word: string): boolean =>
    pages.some(
      ({ name, sections }) =>
        name.folded.includes(word) ||
        sections.some(({ heading, lines }) => heading.folded.includes(word) || hasIn(lines, word)),
    )
  const lacking = words.filter((word) => !isThere(word))
  if (lacking.length === 0 || lacking.some((word) => word.length < MIN_FORGIVEN)) return null
  const known = new Map<string, number>()
  for (const { sections } of pages)
    for (const { heading, lines } of sections)
      for (const { folded } of [heading, ...lines])
        for (const word of folded.match(/\p{L}{4,}/gu) ?? [])
          known.set(word, (known.get(word) ?? 0) + 1)
  const nearOf = (word: string): string | undefined =>
    [...known]
      .filter(([each]) => editDistance(each, word, 1) === 1)
      .toSorted(([, one], [, other]) => other - one)[0]?.[0]
  const meant = words.map((word) => (lacking.includes(word) ? nearOf(word) : word))
  return meant.every((word) => word !== undefined) ? meant : null
}

function hasAll(words: readonly string[], folded: string): boolean {
  return words.every((word) => folded.includes(word))
}

function hasIn(lines: readonly Line[], word: string): boolean {
  return lines.some(({ folded }) => folded.includes(word))
}

/** Two for a word that begins a word, one for a part of one. */
function fitOf(words: readonly string[], folded: string): number {
  return words
    .map((word) => placesOf(folded, word))
    .filter((places) => places.length > 0)
    .reduce((sum, places) => sum + (places.some((at) => isWordStart(folded, at)) ? 2 : 1), 0)
}

/** The first of the lines that have most of the words; null: none has one. */
function fittest(words: readonly string[], lines: readonly Line[]): Line | null {
  let best: Line | null = null
  let most = 0
  for (const line of lines) {
    const fit = fitOf(words, line.folded)
    if (fit > most) [best, most] = [line, fit]
  }
  return best
}
