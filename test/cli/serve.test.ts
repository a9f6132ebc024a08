// `tenon serve` with settings that cannot be right: one look at standard error says what to change, and the code is 2.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { manifestTypes } from '../contracts/case-file.ts'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

const data = (): string => `${folderOf({})}/data`

test.for<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'several mistakes are listed together',
    { TENON_PROT: '1', TENON_DOCS: 'maybe', TENON_LOG_LEVEL: 'trace' },
    [
      'TENON_PROT is no setting, did you mean TENON_PORT?',
      'TENON_DOCS must be 1 or 0',
      'TENON_LOG_LEVEL must be one of',
    ],
  ],
  [
    'T8 a development token in production, and TLS checks switched off',
    { TENON_DEV_TOKEN: 'token-of-a-developer', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    ['TENON_DEV_TOKEN is accepted only with --dev or --sandbox', 'NODE_TLS_REJECT_UNAUTHORIZED=0'],
  ],
  [
    'a connector that is not there',
    { TENON_CONNECTORS: 'gogn' },
    [`there is no manifest for gogn; there is ${manifestTypes().toSorted().join(', ')}`],
  ],
  [
    'an OAuth client of a connector that is not there',
    { TENON_OAUTH_GOGN_CLIENT_ID: 'x' },
    ['an OAuth client for gogn', 'did you mean gong?'],
  ],
  [
    'a host that is none',
    { TENON_ALLOW_HOSTS: 'http://localhost/x' },
    ['"http://localhost/x" is neither a host name'],
  ],
  [
    'keys that are none',
    { TENON_MASTER_KEYS: 'k1:c2hvcnQ=' },
    ['TENON_MASTER_KEYS: key 1 ("k1") must be 32 bytes'],
  ],
])('%s', async ([, env, lines]) => {
  const { code, err, out } = await tenonHere(['serve'], {
    env: { TENON_PORT: '0', TENON_DATA: data(), ...env },
  })
  expect([code, out]).toEqual([2, ''])
  for (const line of lines) expect(err).toContain(line)
  expect(err).not.toMatch(/token-of-a-developer|c2hvcnQ|\n {4}at /)
})

test('a port that is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { code, err } = await tenon(['serve'], {
    env: { TENON_PORT: String(port), TENON_DATA: data() },
  })
  taken.close()
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`cannot listen on 127.0.0.1:${port}: the port is in use`),
  ])
  expect(err).not.toMatch(/\n {4}at /)
})
