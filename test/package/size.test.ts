// What npm unpacks when the package is installed. Nothing is installed with it (test/house/supply-chain.test.ts).
import { expect, test } from 'vitest'

import { root, run } from './fresh-process.ts'

test('the package has at most 8.5 MB', async () => {
  const { out } = await run(root, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts')
  const [packed] = JSON.parse(out) as readonly { readonly unpackedSize: number }[]
  // 10.2 MB, with 2.6 MB of packages next to it, before no code was made of schemas and undici was part of it. Now 8.42, of which
  // 0.03 are the German words of six connectors and 0.02 the examples of responses: the largest file, of 0.6, is the thread of the workshop, which runs drafts and so
  // has the client and the sandbox in it.
  expect(packed?.unpackedSize).toBeLessThanOrEqual(8_500_000)
})
