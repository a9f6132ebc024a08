// Pages that the build has made: the console, whose one page stands for all its screens, and the reference of the API.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml, type Html, html, plainPage } from '../connect/html.ts'
import type { Answer } from '../http/arrival.ts'
import type { Mounts } from '../http/site.ts'
import { fileAnswer, KEPT_FOR_A_YEAR } from '../http/static-files.ts'

/**
 * The one style that React Aria writes into the page, word for word, while a dialog is open on an iPhone or iPad:
 * `@layer { * { overscroll-behavior: contain; } }`, without which the page behind the dialog moves.
 */
const SCROLL_LOCK = "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"

/** Nothing from another origin, nothing inline; forms are sent by script alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${SCROLL_LOCK}`,
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

const KEPT = { ...HEADERS, ...KEPT_FOR_A_YEAR }
/** Of pages, which are read again each time. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'cache-control': 'no-store',
}

export function isConsoleBuilt(folder: string, page = 'index.html'): boolean {
  return existsSync(join(folder, page))
}

export interface BuiltPages {
  /** The path that the files are below: `/console`, `/docs`. */
  readonly at: '/console' | '/docs'
  /** What the pages are, in a title. */
  readonly called: string
  /** The file that answers the paths. */
  readonly page: string
  readonly paths: readonly string[]
  /** Answers for a path below `at` that is no page of the build; null: it is one. */
  readonly insteadOf?: (path: string, base: string) => Promise<Answer | null> | Answer | null
  /** 404 where the page says that there is none. */
  readonly statusOf?: (path: string) => number
}

const CONSOLE: BuiltPages = {
  at: '/console',
  called: 'The console',
  page: 'index.html',
  paths: ['/console', '/console/*'],
}

/** Mounts `/console` and everything below it but its API. */
export function mountConsolePages(site: Mounts, folder: string, isCheckout: boolean): void {
  mountBuiltPages(site, CONSOLE, folder, isCheckout)
}

/**
 * Mounts pages with their files. A checkout that was not built says how to build, an installed package without these
 * files where they are missing.
 */
export function mountBuiltPages(
  site: Mounts,
  { at, called, page, paths, insteadOf, statusOf }: BuiltPages,
  folder: string,
  isCheckout: boolean,
): void {
  const text = keptText(join(folder, page))
  const away = isCheckout ? notBuilt(called) : missing(called, folder)
  for (const path of paths)
    site.on(['GET', 'HEAD'], path, async ({ arrival: { base }, path: { '*': below = '' } }) => {
      const instead = (await insteadOf?.(below, base)) ?? null
      if (instead !== null) return instead
      const found = await text()
      if (found === null) return unavailable(away)
      return pageBelow(`${base}${at}`, found, statusOf?.(below))
    })
  const assets = join(folder, 'assets')
  site.on(['GET', 'HEAD'], `${at}/assets/*`, ({ arrival, path: { '*': name = '' } }) =>
    fileAnswer(assets, name, arrival, KEPT),
  )
}

/** Reads the text of a file as it is now; where it cannot be read as it was last, null where it never was. */
function keptText(file: string): () => Promise<string | null> {
  let kept: string | null = null
  return async () => (kept = await readFile(file, 'utf8').catch(() => kept))
}

/** The page, whose files are named from the place where it is: it stands for addresses of any depth. */
function pageBelow(place: string, text: string, status = 200): Answer {
  const content = text.replaceAll('="./', `="${escapeHtml(place)}/`)
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...PAGE_HEADERS },
    content,
  }
}

function unavailable(content: string): Answer {
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' }
  return { status: 503, headers, content }
}

function notBuilt(called: string): string {
  return page(
    `${called} is not built`,
    html`This is a checkout. Run <code>npm run build:console</code>, then start the service again.`,
  )
}

function missing(called: string, folder: string): string {
  return page(
    `${called} lacks its files`,
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
