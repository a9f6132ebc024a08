import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changed, MANIFEST, OPENAPI } from '../tools/authoring/against/notes-vendor.ts'
import { tenonHere } from './run-here.ts'
import { folderOf } from './run-tenon.ts'

const STATE = ['components', 'schemas', 'Note', 'properties', 'state'] as const

test('a manifest that differs from the document of its vendor is exit code 1', async () => {
  const folder = folderOf({
    'notes.yaml': MANIFEST,
    'same.json': JSON.stringify(OPENAPI),
    'other.json': JSON.stringify(changed(OPENAPI, STATE)),
  })
  expect(
    await tenonHere(['check', './notes.yaml', '--against', 'same.json'], { folder }),
  ).toMatchObject({
    code: 0,
  })
  const { code, out } = await tenonHere(
    ['check', './notes.yaml', '--against', 'other.json', '--json'],
    { folder },
  )
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    requests: 3,
    compared: 3,
    errors: 1,
    warnings: 0,
    accepted: [],
    findings: expect.arrayContaining([
      {
        kind: 'unknown',
        level: 'error',
        place: 'notes record.state',
        message: 'the document does not have it',
        hint: 'known: id, title, size, author',
        at: ['entities', 'notes', 'record', 'properties', 'state'],
      },
    ]),
  })
})

test('facts are stored, keep what was accepted, and stand for the document', async () => {
  const folder = folderOf({
    'notes.yaml': MANIFEST,
    'other.json': JSON.stringify(changed(OPENAPI, STATE)),
    'facts.json': JSON.stringify({ 'x-differs': { 'unknown notes record.state': 'It is sent.' } }),
  })
  const flags = ['--facts', 'facts.json', '--origin', 'https://notes.example/openapi.json']
  const written = await tenonHere(['check', './notes.yaml', '--against', 'other.json', ...flags], {
    folder,
  })
  expect(written.code).toBe(0)
  const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as object
  expect(facts).toMatchObject({
    info: { title: 'Notes', version: '7', license: { name: 'MIT' } },
    'x-origin': { document: 'https://notes.example/openapi.json' },
    'x-differs': { 'unknown notes record.state': 'It is sent.' },
  })
  const again = await tenonHere(['check', './notes.yaml', '--against', 'facts.json', '--all'], {
    folder,
  })
  expect(again.code).toBe(0)
  expect(again.out).toContain('accepted  unknown notes record.state: It is sent.\n')
})

test('what a new document brings is proposed as a diff, and written when asked', async () => {
  const due = [...STATE.slice(0, -1), 'due']
  const folder = folderOf({
    'notes.yaml': MANIFEST,
    'old.json': JSON.stringify(
      changed(OPENAPI, [...STATE.slice(0, -1), 'was'], { type: 'string' }),
    ),
    'new.json': JSON.stringify(changed(OPENAPI, due, { type: 'string' })),
  })
  const call = (...flags: string[]): ReturnType<typeof tenonHere> =>
    tenonHere(['check', './notes.yaml', '--facts', 'facts.json', ...flags], { folder })
  await call('--against', 'old.json')
  const { out } = await call('--against', 'new.json', '--propose', '--json')
  const { diff, settled } = JSON.parse(out) as { readonly diff: string; readonly settled: unknown }
  // What the earlier document had as well was left out by choice.
  expect(settled).toEqual(['missing notes record.due'])
  expect(diff).toContain('\n+         due: { type: string }\n')
  expect(readFileSync(join(folder, 'notes.yaml'), 'utf8')).toBe(MANIFEST)
  await call('--against', 'new.json', '--write')
  expect(readFileSync(join(folder, 'notes.yaml'), 'utf8')).toContain('due: { type: string }')
})

test.for([
  { name: 'there is no document', files: {}, flags: ['--against', 'none.json'] },
  {
    name: 'it is no document of an API',
    files: { 'a.json': '{}' },
    flags: ['--against', 'a.json'],
  },
  { name: 'no document is named', files: {}, flags: [] },
  {
    name: 'the file of facts is something else',
    files: { 'a.json': JSON.stringify(OPENAPI), 'facts.json': 'no' },
    flags: ['--against', 'a.json', '--facts', 'facts.json'],
  },
])('wrong use: $name', async ({ files, flags }) => {
  const folder = folderOf({ 'notes.yaml': MANIFEST, ...files })
  expect(await tenonHere(['check', './notes.yaml', ...flags], { folder })).toMatchObject({
    code: 2,
  })
})
