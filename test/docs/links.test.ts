// Every link between the project's own documents leads somewhere, anchors included.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const files = [
  ...globSync('*.md'),
  ...globSync('docs/**/*.md'),
  ...globSync('test/**/README.md'),
].filter((file) => !file.includes('node_modules'))

/** The anchors of a document: headings as GitHub spells them, and explicit ones. */
function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .replaceAll(/[`*]/g, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
  return new Set([...headings, ...explicit])
}

test.for(files.filter((file) => file.startsWith('docs/')))(
  '%s has no text that the site would take for an element',
  (file) => {
    const prose = readFileSync(file, 'utf8')
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .replaceAll(/`[^`\n]*`/g, '``')
    // Addresses in angle brackets are links, and anchors are meant.
    const found = [...prose.matchAll(/(?<!\\)<\/?(?!https?:|a\b|!--)[A-Za-z][^>\n]*>?/g)]
    expect(found.map(([tag]) => tag)).toEqual([])
  },
)

test('there are documents', () => expect(files.length).toBeGreaterThan(10))

test.for(files)('%s', (file) => {
  const text = readFileSync(file, 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '``')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    if (/^(https?:|mailto:|\/)/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : normalize(join(dirname(file), path))
    if (!existsSync(target)) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
  })
  expect(broken).toEqual([])
})
