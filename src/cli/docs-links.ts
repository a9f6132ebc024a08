// Links into the documentation: every help text and every error ends with one.
import { fileURLToPath } from 'node:url'
import type { ErrorCode } from '../errors.ts'
import { packageFacts } from '../late-modules.ts'
import { packageFile } from '../package-file.ts'

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
export class DocsLinks {
  readonly #env: Readonly<Record<string, string | undefined>>
  #service: string | null = null

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env
  }

  /** `place`: a page of docs/ by its path without `.md`, and a heading as the site spells it: `operation#backups`. */
  to(place: string): string {
    return this.#site(place) ?? fileOf(place)
  }

  #site(place: string): string | null {
    const base = this.#env['TENON_DOCS_URL'] ?? homepage()
    return base !== null && base !== '' ? `${base.replace(/\/+$/, '')}/${place}` : null
  }

  /** Where a code is explained: by the service that was talked to, which knows its own, else in the documentation. */
  toError(code: ErrorCode): string {
    const isTold = this.#service !== null && !NOT_OF_THE_SERVICE.has(code)
    if (isTold) return `${this.#service}/docs/errors#${code}`
    // The table has an anchor for each code, which an editor follows in a file as well.
    const place = `reference/errors#${code}`
    return this.#site(place) ?? `${fileOf(place)}#${code}`
  }

  /** From now on errors come from this service. */
  talksTo(serviceUrl: string): void {
    this.#service = serviceUrl.replace(/\/+$/, '')
  }
}

/** The file of a page, which the package has. */
function fileOf(place: string): string {
  return fileURLToPath(packageFile(`docs/${place.replace(/#.*/, '')}.md`))
}

function homepage(): string | null {
  return packageFacts().homepage ?? null
}
