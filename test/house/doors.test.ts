// What a wing of src/ shows to the others: the files of its door, and nothing else.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DOORS } from './doors.ts'
import { HOUSE } from './rooms.ts'
import { edgesOf } from './walls.ts'

const files = globSync('src/*/**/*.{ts,tsx,js,jsx,mts,mjs,cts,cjs}')
  .toSorted()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

/** Files of other wings that are imported, with one importer each. Files of src/ itself belong to no wing. */
const entered = new Map(
  edgesOf(files, HOUSE).flatMap(({ file, line, to }) =>
    to.kind === 'room' && wingOf(to.path) !== null && wingOf(to.path) !== wingOf(file)
      ? [[to.path, `${file}:${line}`] as const]
      : [],
  ),
)

test('a wing is entered by its door only', () => {
  const wrong = [...entered]
    .filter(([path]) => !(DOORS[wingOf(path) ?? ''] ?? []).includes(path))
    .map(
      ([path, importer]) =>
        `${importer} imports ${path}, which is not part of the door of its wing. Take what the door has, or add the file to test/house/doors.ts: it becomes a promise to every other wing.`,
    )
  expect(wrong).toEqual([])
})

test('no door is wider than what is used', () => {
  expect(
    Object.values(DOORS)
      .flat()
      .filter((path) => !entered.has(path)),
  ).toEqual([])
})

function wingOf(path: string): string | null {
  const [, wing, ...below] = path.split('/')
  return wing === undefined || below.length === 0 ? null : wing
}
