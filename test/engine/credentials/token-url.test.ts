import { expect, test } from 'vitest'
import { compileTokenUrl } from '../../../src/engine/credentials/token-request.ts'
import { createServerResolver } from '../../../src/engine/request/base-url.ts'
import { exampleManifest } from './example-manifest.ts'

const MANIFEST = exampleManifest({ methods: [] })
const REFUSED = expect.objectContaining({ code: 'destination_refused' })

test.for([
  'https://login.example.com@evil.example/token',
  'https://user:password@login.example.com/token',
])('G1 an address of a manifest with user information is refused: %s', (url) => {
  const asToken = compileTokenUrl([url], MANIFEST, null)
  expect(() => asToken({})).toThrow(REFUSED)
  const server = { ...MANIFEST.server, urls: [[url]] }
  const asBase = createServerResolver({ ...MANIFEST, server }, null)
  expect(() => asBase({})).toThrow(REFUSED)
})

test('an OAuth address without it is used as it is written', () => {
  expect(compileTokenUrl(['https://login.example.com/token/'], MANIFEST, null)({})).toBe(
    'https://login.example.com/token/',
  )
})
