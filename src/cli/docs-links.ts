// Links into the documentation: every help text and every error ends with one.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ErrorCode } from '../errors.ts'
import { packageFile } from '../package-file.ts'

/**
 * Where a command is explained: a page of docs/ by its path without `.md`, and a heading of it as the site spells it:
 * `operation#backups`. A test sees to it that each is there.
 */
export type DocsPlace = string

export interface DocsLinks {
  to(place: DocsPlace): string
  /** Where a code is explained: by the service that was talked to, which knows its own, else in the documentation. */
  toError(code: ErrorCode): string
  /** From now on errors come from this service. */
  talksTo(serviceUrl: string): void
}

/** Of these the service itself has said nothing. */
const NOT_OF_THE_SERVICE: ReadonlySet<ErrorCode> = new Set([
  'service_unreachable',
  'service_malformed',
  'aborted',
] as const)

/**
 * Links by `TENON_DOCS_URL`, where somebody serves the documentation (`npm run build:site`), else by the `homepage` of
 * the package, where it has one; else the files of the package itself.
 */
export function createDocsLinks(env: Readonly<Record<string, string | undefined>>): DocsLinks {
  let service: string | null = null

  function to(place: DocsPlace): string {
    const base = env['TENON_DOCS_URL'] ?? homepage()
    if (base !== null && base !== '') return `${base.replace(/\/+$/, '')}/${place}`
    return fileURLToPath(packageFile(`docs/${place.replace(/#.*/, '')}.md`))
  }

  return {
    to,
    toError(code) {
      const isTold = service !== null && !NOT_OF_THE_SERVICE.has(code)
      return isTold ? `${service}/docs/errors#${code}` : to(`reference/errors#${code}`)
    },
    talksTo(url) {
      service = url.replace(/\/+$/, '')
    },
  }
}

function homepage(): string | null {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  // Our own package.json.
  return (JSON.parse(text) as { readonly homepage?: string }).homepage ?? null
}
