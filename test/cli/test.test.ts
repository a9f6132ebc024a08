import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folderOf, tenon } from './run-tenon.ts'

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8')

test('a sound manifest passes every case', async () => {
  const folder = folderOf({ 'manifests/acme.yaml': ACME })
  const { code, out, err } = await tenon(['test'], { folder })
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^6 passed, 0 failed \(/)
})

test('a case that does not hold is named with its reason, exit code 1', async () => {
  // Every failure of this vendor is called a success.
  const broken = ACME.replace(
    'entities:',
    'defaults: { errors: [{ when: { status: 5xx }, then: ok }] }\nentities:',
  ).replace('records: $.items', 'records: $.items, missing: empty')
  const folder = folderOf({ 'manifests/acme.yaml': broken })
  const { code, out } = await tenon(['test', 'acme', '--json'], { folder })
  expect(code).toBe(1)
  const failed = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { case: string; ok: boolean })
    .filter(({ ok }) => !ok)
    .map((line) => line.case)
  expect(failed).toEqual(['acme customers.list fails when the vendor does'])
})
