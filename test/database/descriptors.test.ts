// Who may have how many files and sockets open.
import { expect, test } from 'vitest'
import { fileShare, socketShares } from '../../src/database/descriptors.ts'

const KEPT = 64

test.for([
  { limit: Infinity, files: 64, readers: 4 },
  { limit: 1_048_576, files: 64, readers: 4 },
  { limit: 4_096, files: 58, readers: 4 },
  { limit: 1_024, files: 29, readers: 1 },
  { limit: 256, files: 5, readers: 1 },
  { limit: 128, files: 2, readers: 1 },
  { limit: 10, files: 2, readers: 1 },
])('of $limit descriptors copies have $files files', ({ limit, files, readers }) => {
  expect(fileShare(limit)).toEqual({ files, readers })
})

test.for([
  {
    limit: 1_048_576,
    connections: 0,
    want: { callers: 785_280, webhooks: 65_440, upstreams: 196_320 },
  },
  { limit: 256, connections: 0, want: { callers: 102, webhooks: 8, upstreams: 27 } },
  { limit: 256, connections: 20, want: { callers: 129, webhooks: 10, upstreams: 33 } },
  { limit: 128, connections: 0, want: { callers: 31, webhooks: 2, upstreams: 9 } },
  { limit: 64, connections: 0, want: { callers: 6, webhooks: 1, upstreams: 1 } },
])(
  'of $limit descriptors with $connections to a database sockets have what is left',
  ({ limit, connections, want }) => {
    expect(socketShares(connections, limit)).toEqual(want)
    const { files, readers } = fileShare(limit)
    const others = connections === 0 ? files * (3 + 4 * (readers + 1)) : connections
    const all = want.callers + want.webhooks + want.upstreams + others
    if (limit > 96) expect(all).toBeLessThanOrEqual(limit - KEPT)
  },
)

test('without a limit there is none for sockets', () => {
  expect(socketShares(0, Infinity)).toEqual({
    callers: Infinity,
    webhooks: Infinity,
    upstreams: Infinity,
  })
})
