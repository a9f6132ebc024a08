// Looks through a built site for links that lead nowhere: those of its menus and front page too, and the anchors.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Any origin does: links to others are not looked at. */
const ORIGIN = 'http://site.invalid'

/**
 * The links of all pages below `folder` that have no file, or no element with the id that they name, as
 * `page.html: /link#anchor`, sorted. Addresses are read as a server with clean URLs does: `/search` is `search.html`.
 * `base`: the path at which the folder is served; what lies outside of it is another site.
 */
export function brokenLinks(folder: string, base = '/'): readonly string[] {
  const pages = globSync('**/*.html', { cwd: folder })
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (page: string): ReadonlySet<string> => {
    const known = ids.get(page) ?? idsIn(texts.get(page) ?? '')
    ids.set(page, known)
    return known
  }
  const broken = [...texts].flatMap(([page, text]) => {
    const links = [...text.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, link = '']) => link)
    return [...new Set(links)]
      .filter((link) => {
        const { origin, pathname, hash } = new URL(
          link.replaceAll('&amp;', '&'),
          `${ORIGIN}${base}${page}`,
        )
        if (origin !== ORIGIN || !pathname.startsWith(base)) return false
        const file = fileOf(folder, decodeURIComponent(pathname.slice(base.length - 1)))
        const id = decodeURIComponent(hash.slice(1))
        return file === null || (id !== '' && texts.has(file) && !idsOf(file).has(id))
      })
      .map((link) => `${page}: ${link}`)
  })
  return broken.toSorted()
}

/** The file that answers an address, relative to `folder`; null where there is none. */
function fileOf(folder: string, pathname: string): string | null {
  const path = pathname.slice(1)
  const candidates =
    path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`]
  const isFile = (each: string): boolean =>
    existsSync(join(folder, each)) && statSync(join(folder, each)).isFile()
  return candidates.find(isFile) ?? null
}

function idsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
}
