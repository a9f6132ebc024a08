import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fixManifest } from '../../../src/tools/authoring/fix-manifest.ts'

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8')

test.for([
  { name: 'a misspelt key', was: 'entities:', is: 'entitys:', fixes: ['11:1 entitys → entities'] },
  { name: 'a key inside', was: 'summary:', is: 'sumary:', fixes: ['16:9 sumary → summary'] },
  {
    name: 'a parameter that is no parameter',
    was: 'query: [limit, after]',
    is: 'query: [limit, aftr]',
    fixes: ['18:60 aftr → after'],
  },
  {
    name: 'an expression without quotes',
    was: 'bearer: "{{ credentials.api_key }}"',
    is: 'bearer: {{ credentials.api_key }}',
    fixes: ['9:22 {{ credentials.api_key }} → "{{ credentials.api_key }}"'],
  },
])('$name is corrected, nothing else is touched', ({ was, is, fixes }) => {
  const broken = ACME.replace(was, is)
  expect(broken).not.toBe(ACME)
  expect(fixManifest(broken, 'acme.yaml')).toEqual({ text: ACME, fixes })
})

test('several mistakes, one behind the other', () => {
  const broken = ACME.replace('entities:', 'entitys:').replace('summary:', 'sumary:')
  expect(fixManifest(broken, 'acme.yaml').text).toBe(ACME)
})

test('what has no obvious correction stays', () => {
  const broken = ACME.replace('records: $.items', 'records: items')
  expect(fixManifest(broken, 'acme.yaml')).toEqual({ text: broken, fixes: [] })
})

test('a sound manifest stays as it is', () => {
  expect(fixManifest(ACME, 'acme.yaml')).toEqual({ text: ACME, fixes: [] })
})
