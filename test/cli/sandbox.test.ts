import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { tenon } from './run-tenon.ts'

describe('wrong use', () => {
  test.for([
    [['jira', '--size', 'issues'], '--size is set=n, such as issues=1000, not "issues"'],
    [['jira', '--size', 'isues=5'], 'there are no isues to size; there are users, statuses,'],
    [
      ['jira', '--size', 'issues=2000000'],
      'the size of issues must be a whole number from 0 to 1000000',
    ],
    [
      ['--size', 'users=5'],
      '--size needs one connector, such as: tenon sandbox jira --size issues=1000',
    ],
    [
      ['jira', '--withhold', 'read:jira'],
      'jira has no scope "read:jira"; it has offline_access, read:jira-work,',
    ],
    [
      ['--withhold', 'api:users:read'],
      '--withhold needs one connector, such as: tenon sandbox jira --withhold write:jira-work',
    ],
    [['jira', '--port', 'http'], '--port must be a number from 1 to 65535, not "http"'],
  ] as const)('%j', async ([args, message]) => {
    const { code, err } = await tenonHere(['sandbox', ...args])
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

test('a port that is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { code, err } = await tenon(['sandbox', 'gong', '--port', String(port)])
  taken.close()
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`cannot listen on 127.0.0.1:${port}: the port is in use\n`),
  ])
  expect(err).not.toMatch(/\n {4}at /)
})
