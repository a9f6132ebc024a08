// The files of src/ keep to the table of rooms.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HOUSE } from './rooms.ts'
import {
  edgesOf,
  filesWithoutRoom,
  IO_MODULES,
  looseRights,
  rightsAgainstTheOrder,
  staleExceptions,
  violationsOf,
} from './walls.ts'

const files = globSync('src/**/*.{ts,tsx,js,jsx,mts,mjs,cts,cjs}')
  .toSorted()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const edges = edgesOf(files, HOUSE)

test('there are files and imports', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(edges.length).toBeGreaterThan(1000)
})

test('every import is allowed, and no rooms import each other in a cycle', () => {
  expect(violationsOf(edges, HOUSE).map(({ message }) => message)).toEqual([])
})

test('every file of src belongs to a room', () => {
  expect(filesWithoutRoom(files, HOUSE).map(({ message }) => message)).toEqual([])
})

test('no exception is there that nothing needs', () => {
  expect(staleExceptions(edges, HOUSE)).toEqual([])
})

test('no right is wider than what is used', () => {
  expect(looseRights(edges, HOUSE)).toEqual([])
})

test('a room has rights to rooms before it only', () => {
  expect(rightsAgainstTheOrder(HOUSE)).toEqual([])
})

test('a pure room has no right to a module that does I/O or reads a clock', () => {
  const found = Object.entries(HOUSE.rooms)
    .filter(([, { pure }]) => pure === true)
    .flatMap(([room, { packages }]) => packages.map((name) => `${room}: ${name}`))
    .filter((right) => IO_MODULES.has(right.slice(right.indexOf(': ') + 2)))
  expect(found).toEqual([])
})

test.for([
  { name: 'undici', rooms: ['engine/adapters'] },
  { name: 'pg', rooms: ['database', 'copy/postgres', 'service/store/postgres'] },
  {
    name: 'kysely',
    rooms: [
      'service/store/sql',
      'service/store/sqlite',
      'service/store/postgres',
      'service/store/open',
    ],
  },
  { name: 'fastify', rooms: ['type hosting'] },
  { name: 'react', rooms: ['console'] },
  { name: 'commander', rooms: ['cli'] },
  { name: 'pino', rooms: ['hosting'] },
  { name: '@modelcontextprotocol/server', rooms: ['agents/mcp'] },
  { name: 'handlebars', rooms: ['language/expression'] },
])('$name is for $rooms', ({ name, rooms }) => {
  const found = Object.entries(HOUSE.rooms).flatMap(([room, { packages }]) => [
    ...(packages.includes(name) ? [room] : []),
    ...(packages.includes(`type ${name}`) ? [`type ${room}`] : []),
  ])
  expect(found).toEqual(rooms)
})

test('an exception has a reason', () => {
  expect(HOUSE.exceptions.filter(({ reason }) => reason.length < 20)).toEqual([])
})
