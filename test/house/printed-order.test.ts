// ARCHITECTURE.md prints the rooms of src/ as they are, in the order that holds.
import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf } from '../docs/blocks.ts'
import { HOUSE } from './rooms.ts'

const rooms = Object.keys(HOUSE.rooms)

test('ARCHITECTURE.md prints every room, in the order of the table', () => {
  expect(printedRooms()).toEqual(rooms)
})

test('every file and folder of src is a room or a wing of rooms, and every room is there', () => {
  const wings = new Set(rooms.flatMap((room) => (room.includes('/') ? [room.split('/')[0]] : [])))
  const tops = new Set(rooms.map((room) => room.split('/')[0] ?? ''))
  expect(readdirSync('src').toSorted()).toEqual([...tops].toSorted())
  expect(rooms.filter((room) => !existsSync(`src/${room}`))).toEqual([])
  const loose = [...wings]
    .filter((wing = '') => !rooms.includes(wing))
    .flatMap((wing) => readdirSync(`src/${wing}`).map((name) => `${wing}/${name}`))
  expect(loose.filter((place) => !rooms.includes(place))).toEqual([])
})

/** The lines below `src/` of the tree: two blanks before a wing, four before a room within it, `*` for the wing itself. */
function printedRooms(): readonly string[] {
  const tree = blocksOf('ARCHITECTURE.md').find(({ text }) => /^src\//m.test(text))
  const lines = (tree?.text ?? '').split('\n')
  const start = lines.findIndex((line) => line.startsWith('src/'))
  const length = lines.slice(start + 1).findIndex((line) => !line.startsWith('  '))
  const printed = lines.slice(start + 1, start + 1 + length).map((line) => ({
    isWing: !line.startsWith('    '),
    name: line.trim().split(' ')[0]?.replace(/\/$/, '') ?? '',
  }))
  let wing = ''
  return printed.flatMap(({ isWing, name }, index) => {
    if (!isWing) return [name === '*' ? wing : `${wing}/${name}`]
    wing = name
    // A wing with rooms within it is a heading.
    return printed[index + 1]?.isWing === false ? [] : [name]
  })
}
