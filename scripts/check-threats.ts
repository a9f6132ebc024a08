// Compares the rows of docs/security.md with the tests: which promise has no test, which test names no promise.
//
//   node scripts/check-threats.ts            prints both lists, exits 0
//   node scripts/check-threats.ts --strict   exits 1 when either list has an entry
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'

/** A row of docs/security.md: its id and what it is about. */
export interface Row {
  readonly id: string
  readonly text: string
}

/** A test that names rows at the start of its title. */
export interface Mention {
  readonly id: string
  readonly file: string
}

/** The rows of all tables whose first column holds an id such as `G5`, in the order of the document. */
export function readRows(markdown: string): Row[] {
  return [...markdown.matchAll(/^\| ?([A-Z]\d{1,2}) +\| ?(.*?) *\|/gm)].map(([, id, text]) => ({
    id: id ?? '',
    text: text ?? '',
  }))
}

/**
 * The ids at the start of test titles: `test('G5 a path value …')`, `describe('K1, K2 …')`, `test.for(…)('P5 …')`,
 * and `name: 'U3 …'` of a table of cases.
 */
export function readMentions(source: string, file: string): Mention[] {
  const titles = source.matchAll(
    /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\)\(|\b(?:name|title):)\s*['"`]((?:[A-Z]\d{1,2}(?:,? (?:and )?))+)/g,
  )
  return [...titles].flatMap(([, ids]) =>
    [...(ids ?? '').matchAll(/[A-Z]\d{1,2}/g)].map(([id]) => ({ id, file })),
  )
}

if (import.meta.main) {
  const rows = readRows(readFileSync('docs/security.md', 'utf8'))
  const mentions: Mention[] = []
  for await (const file of glob('test/**/*.ts'))
    mentions.push(...readMentions(readFileSync(file, 'utf8'), file))

  const known = new Set(rows.map((row) => row.id))
  const tested = new Set(mentions.map((mention) => mention.id))
  const untested = rows.filter((row) => !tested.has(row.id))
  const unknown = mentions.filter((mention) => !known.has(mention.id))

  console.log(
    `${rows.length - untested.length} of ${rows.length} rows of docs/security.md have a test.`,
  )
  if (untested.length > 0) console.log('\nRows without a test:')
  for (const row of untested) console.log(`  ${row.id.padEnd(4)}${row.text}`)
  if (unknown.length > 0) console.log('\nTests that name no row:')
  for (const mention of unknown) console.log(`  ${mention.id.padEnd(4)}${mention.file}`)
  if (process.argv.includes('--strict') && untested.length + unknown.length > 0)
    process.exitCode = 1
}
