// Every link of a document of the package leads to a file of the package. That it leads anywhere at all, anchors included,
// is held by test/docs/links.test.ts.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'

import { root, run } from './fresh-process.ts'

test('links of packed documents lead to packed files', async () => {
  const { out } = await run(root, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts')
  const [packed] = JSON.parse(out) as readonly {
    readonly files: readonly { readonly path: string }[]
  }[]
  const files = packed?.files.map(({ path }) => path) ?? []
  const isPacked = (path: string): boolean =>
    files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`))
  const documents = files.filter((path) => path.endsWith('.md') && !path.startsWith('dist/'))
  expect(documents.length).toBeGreaterThan(20)
  const leadingOut = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .replaceAll(/`[^`\n]*`/g, '``')
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link.replace(/#.*$/, ''))
      .filter((link) => link !== '' && !/^(?:https?|mailto):/.test(link))
      .filter((link) => !isPacked(posix.join(posix.dirname(document), link)))
      .map((link) => `${document}: ${link}`)
  })
  expect(leadingOut).toEqual([])
})
