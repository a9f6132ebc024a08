import { expect, test } from 'vitest'
import type { Json } from '../../../../src/language/json/json.ts'
import { checkAgainst } from '../../../../src/tools/authoring/against/check-against.ts'
import { proposeChange } from '../../../../src/tools/authoring/against/propose.ts'
import { readOpenApi } from '../../../../src/tools/authoring/openapi/document.ts'
import { diffLines } from '../../../../src/tools/authoring/diff-lines.ts'
import { changed, MANIFEST, manifestOf, OPENAPI } from './notes-vendor.ts'

const LIST = ['paths', '/notes', 'get'] as const
const NOTE = ['components', 'schemas', 'Note', 'properties'] as const

interface Case {
  readonly name: string
  readonly at: readonly (string | number)[]
  readonly to?: Json
  readonly place: string
  /** Lines that go and come. */
  readonly want: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'a field of the record is gone',
    at: [...NOTE, 'state'],
    place: 'notes record.state',
    want: ['-        state: { type: string, enum: [open, done] }'],
  },
  {
    name: 'the record has a further field',
    at: [...NOTE, 'due'],
    to: { type: 'string', nullable: true },
    place: 'notes record.due',
    want: ['+        due: { type: [string, "null"] }'],
  },
  {
    name: 'the record has a further value',
    at: [...NOTE, 'state', 'enum'],
    to: ['open', 'done', 'on hold'],
    place: 'notes record.state',
    want: [
      '-        state: { type: string, enum: [open, done] }',
      '+        state: { type: string, enum: [open, done, "on hold"] }',
    ],
  },
  {
    name: 'a parameter takes other values',
    at: [...LIST, 'parameters', 0, 'schema', 'enum'],
    to: ['open', 'closed'],
    place: 'notes.list query.state',
    want: [
      '-            state: { type: string, enum: [open, done] }',
      '+            state: { type: string, enum: [open, closed] }',
    ],
  },
  {
    name: 'a bound is narrower',
    at: [...LIST, 'parameters', 1, 'schema', 'maximum'],
    to: 50,
    place: 'notes.list query.limit',
    want: [
      '-            limit: { type: integer, minimum: 1, maximum: 100 }',
      '+            limit: { type: integer, minimum: 1, maximum: 50 }',
    ],
  },
  {
    name: 'the query takes a further parameter',
    at: [...LIST, 'parameters', 3],
    to: { name: 'team', in: 'query', schema: { type: 'string' } },
    place: 'notes.list query.team',
    want: [
      '-        request: { http: GET /notes, query: [state, limit, cursor] }',
      '+            team: { type: string }',
      '+        request: { http: GET /notes, query: [state, limit, cursor, team] }',
    ],
  },
  {
    name: 'an operation is deprecated',
    at: [...LIST, 'deprecated'],
    to: true,
    place: 'notes.list',
    want: ['+        deprecated: true'],
  },
  {
    name: 'what has no obvious correction is left',
    at: ['paths', '/notes/{note_id}'],
    place: 'notes.get',
    want: [],
  },
]

test.for(CASES)('$name', ({ at, to, place, want }) => {
  const document = readOpenApi(JSON.stringify(changed(OPENAPI, at, to)), 'v.json')
  const findings = checkAgainst(manifestOf(MANIFEST), document).findings.filter(
    (one) => one.place === place,
  )
  expect(findings.length).toBeGreaterThan(0)
  const { text, settled } = proposeChange(MANIFEST, 'notes.yaml', findings)
  const lines = diffLines(MANIFEST, text).flatMap((part) =>
    part.lines.flatMap((line) =>
      line.kind === 'same' ? [] : [`${line.kind === 'added' ? '+' : '-'}${line.text}`],
    ),
  )
  expect(lines).toEqual(want)
  expect(settled.length > 0).toBe(want.length > 0)
  const told = settled.map(({ kind, message }) => `${kind} ${place} ${message}`)
  const left = checkAgainst(manifestOf(text), document).findings.map(
    (one) => `${one.kind} ${one.place} ${one.message}`,
  )
  expect(left.filter((one) => told.includes(one))).toEqual([])
})
