import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenLinks } from '../../scripts/site-links.ts'

const FILES = {
  'index.html': '<a class="x" href="/guide">a</a> <a href="/gone">b</a> <a href="#top">c</a>',
  'guide.html':
    '<h2 id="way-out">Way out</h2> <a href="#way-out">d</a> <a href="/">e</a> <a href="/a.yaml#any">f</a>',
  'below/deep.html':
    '<a href="../guide#way-out">g</a> <a href="../guide#wayout">h</a> <a href="https://example.com/gone">i</a> <a href="/below">j</a>',
  'a.yaml': 'a: 1',
}

test('a link without a page, and one without an element of its id, are broken', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-site-'))
  try {
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    expect(brokenLinks(folder)).toEqual([
      'below/deep.html: ../guide#wayout',
      'below/deep.html: /below',
      'index.html: #top',
      'index.html: /gone',
    ])
    // At a path of its own: `/` is another site then.
    expect(brokenLinks(join(folder, 'below'), '/docs/below/')).toEqual([])
    writeFileSync(join(folder, 'below', 'more.html'), '<a href="/docs/below/gone">k</a>')
    expect(brokenLinks(join(folder, 'below'), '/docs/below/')).toEqual([
      'more.html: /docs/below/gone',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
