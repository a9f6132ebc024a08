// Signed addresses of files: the holder may read the file, for some hours, without credentials.
import { createHmac } from 'node:crypto'
import { type FileLink, placeOf } from '../data/world.ts'
import type { Pair } from '../wire/wire-request.ts'
import { createMediaFile, type MediaFile } from './media-file.ts'

/** The first segment of every signed address. */
export const FILES_PATH = 'sandbox-files'
const VALID_MS = 8 * 3_600_000

interface LinkOptions {
  readonly seed: string
  readonly now: () => number
  readonly origin: () => string
  /** What was sent for a row, by its place; null: nothing. */
  readonly keptAt: (place: string, contentType: string) => MediaFile | null
}

/** Signed addresses below an origin, which is known only once the server listens. */
export class FileLinks {
  readonly #options: LinkOptions

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** The address of a file. Valid for eight hours of the sandbox's clock. */
  link({ name, contentType, size, row }: FileLink): string {
    const { now, origin } = this.#options
    const about = [name, contentType, size, row === null ? null : placeOf(row)]
    const file = Buffer.from(JSON.stringify(about)).toString('base64url')
    const expires = String(Math.floor((now() + VALID_MS) / 1000))
    const extension = contentType.split('/')[1]?.replace(/[^a-z0-9]/g, '') ?? 'bin'
    const query = `expires=${expires}&signature=${this.#sign(file, expires)}`
    return `${origin()}/${FILES_PATH}/${file}/media.${extension}?${query}`
  }

  /** The file of an address; a reason when it does not hold. */
  open(segments: readonly string[], query: readonly Pair[]): MediaFile | 'forged' | 'expired' {
    const [, file = ''] = segments
    const { expires = '', signature = '' } = Object.fromEntries(query) as Record<string, string>
    if (this.#sign(file, expires) !== signature) return 'forged'
    if (Number(expires) * 1000 < this.#options.now()) return 'expired'
    // Signed by this sandbox, so it has the shape that `link` wrote.
    const [name, contentType, size, place] = JSON.parse(
      Buffer.from(file, 'base64url').toString(),
    ) as [string, string, number, string | null]
    const sent = place === null ? null : this.#options.keptAt(place, contentType)
    return sent ?? createMediaFile({ name, contentType, size })
  }

  #sign(file: string, expires: string): string {
    return createHmac('sha256', `sandbox-files/${this.#options.seed}`)
      .update(`${file}\n${expires}`)
      .digest('base64url')
      .slice(0, 32)
  }
}
