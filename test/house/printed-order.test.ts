// ARCHITECTURE.md prints the rooms of src/ as they are, in the order that holds.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf } from '../docs/blocks.ts'
import { HOUSE } from './rooms.ts'

const rooms = Object.keys(HOUSE.rooms)

test('ARCHITECTURE.md prints every room, in the order of the table', () => {
  expect(printedRooms()).toEqual(rooms)
})

test('every file and folder of src is a room, and every room is there', () => {
  const top = readdirSync('src')
  const split = top.filter((name) => rooms.some((room) => room.startsWith(`${name}/`)))
  const below = split.flatMap((name) =>
    readdirSync(`src/${name}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${name}/${entry.name}`),
  )
  expect([...top, ...below].toSorted()).toEqual(rooms.toSorted())
})

/** The lines below `src/` of the tree: two blanks before a room, four before a room within it. */
function printedRooms(): readonly string[] {
  const tree = blocksOf('ARCHITECTURE.md').find(({ text }) => /^src\//m.test(text))
  const lines = (tree?.text ?? '').split('\n')
  const start = lines.findIndex((line) => line.startsWith('src/'))
  const length = lines.slice(start + 1).findIndex((line) => !line.startsWith('  '))
  let above = ''
  return lines.slice(start + 1, start + 1 + length).map((line) => {
    const name = line.trim().split(' ')[0]?.replace(/\/$/, '') ?? ''
    if (line.startsWith('    ')) return `${above}/${name}`
    above = name
    return name
  })
}
