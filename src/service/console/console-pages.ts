// The console's files, and the one page that stands for all its screens.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml, type Html, html, plainPage } from '../connect/html.ts'
import type { Answer } from '../http/arrival.ts'
import type { Mounts } from '../http/site.ts'
import { fileAnswer } from '../http/static-files.ts'

/** Nothing from another origin, nothing inline; forms are sent by script alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Their names hold the hash of what is in them, so that they are kept for a year. */
const KEPT = { ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' }
const NOT_KEPT = { ...HEADERS, 'cache-control': 'no-store' }

export function isConsoleBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
}

/**
 * Mounts `/console` and everything below it but its API. A checkout that was not built says how to build, an installed
 * package without these files where they are missing.
 */
export function mountConsolePages(site: Mounts, folder: string, isCheckout: boolean): void {
  const isBuilt = isConsoleBuilt(folder)
  for (const path of ['/console', '/console/*'])
    site.on(['GET', 'HEAD'], path, ({ arrival: { base } }) =>
      isBuilt ? pageBelow(base, folder) : unavailable(isCheckout ? NOT_BUILT : missing(folder)),
    )
  if (!isBuilt) return
  const assets = join(folder, 'assets')
  site.on(['GET', 'HEAD'], '/console/assets/*', ({ arrival, path: { '*': name = '' } }) =>
    fileAnswer(assets, name, arrival, KEPT),
  )
}

/** The page, whose files are named from the place where the console is: it stands for addresses of any depth. */
async function pageBelow(base: string, folder: string): Promise<Answer> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const content = page.replaceAll('="./', `="${escapeHtml(base)}/console/`)
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...NOT_KEPT },
    content,
  }
}

function unavailable(content: string): Answer {
  const headers = { ...NOT_KEPT, 'content-type': 'text/html; charset=utf-8' }
  return { status: 503, headers, content }
}

const NOT_BUILT = page(
  'The console is not built',
  html`This is a checkout. Run <code>npm run build:console</code>, then start the service again.`,
)

function missing(folder: string): string {
  return page(
    'Files of the console are missing',
    html`They are expected in <code>${folder}</code>. A bundler or file tracing left files of the
      package out: have all files of <code>node_modules/tenon</code> copied, then start the service
      again.`,
  )
}

function page(title: string, text: Html): string {
  return plainPage(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  )
}
