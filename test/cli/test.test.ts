import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scriptedUpstream } from '../../src/sandbox/testing/scripted-upstream.ts'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8')

test('a sound manifest passes every case', async () => {
  const folder = folderOf({ 'manifests/acme.yaml': ACME })
  const { code, out, err } = await tenon(['test'], { folder })
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^7 passed, 0 failed \(/)
})

test('a case that does not hold is named with its reason, exit code 1', async () => {
  // Every failure of this vendor is called a success.
  const broken = ACME.replace(
    'entities:',
    'defaults: { errors: [{ when: { status: 5xx }, then: ok }] }\nentities:',
  ).replace('records: $.items', 'records: $.items, missing: empty')
  const folder = folderOf({ 'manifests/acme.yaml': broken })
  const { code, out } = await tenonHere(['test', 'acme', '--json'], { folder })
  expect(code).toBe(1)
  const failed = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { case: string; ok: boolean })
    .filter(({ ok }) => !ok)
    .map((line) => line.case)
  expect(failed).toEqual(['acme customers.list fails when the vendor does'])
})

test('a recorded listing that ended where there may be more is a warning', async () => {
  const body = { items: [{ id: '1' }, { id: '2' }], cursor: 'c2' }
  await using upstream = await scriptedUpstream([{ answer: { body } }])
  const folder = folderOf({
    'manifests/acme.yaml': ACME.replace('next: $.next', 'size: limit, next: $.next'),
  })
  const recorded = await tenonHere(
    [
      'try',
      'acme',
      'customers.list',
      '--params',
      '{"limit":2}',
      '--server-url',
      upstream.url,
      '--record',
      'customers.list',
    ],
    { folder, env: { TENON_TRY_API_KEY: 'demo', TENON_TRY_REGION: 'eu' } },
  )
  expect(recorded).toMatchObject({ code: 0 })
  const { code, out } = await tenonHere(['test', 'acme', '--json'], { folder })
  const [warned] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { case: string; ok: boolean; warnings?: string[] })
    .filter(({ warnings }) => warnings !== undefined)
  expect(code).toBe(0)
  expect(warned).toEqual({
    case: 'acme customers.list as it was recorded',
    ok: true,
    problem: null,
    warnings: [expect.stringContaining('$.next')],
  })
})
