// Signed addresses of files: the holder may read the file, for some hours, without credentials.
import { createHmac } from 'node:crypto'
import type { FileLink } from '../data/world.ts'
import type { Pair } from '../wire/wire-request.ts'
import { createMediaFile, type MediaFile } from './media-file.ts'

/** The first segment of every signed address. */
export const FILES_PATH = 'sandbox-files'
const VALID_MS = 8 * 3_600_000

export interface FileLinks {
  /** The address of a file. Valid for eight hours of the sandbox's clock. */
  link(file: FileLink): string
  /** The file of an address; a reason when it does not hold. */
  open(segments: readonly string[], query: readonly Pair[]): MediaFile | 'forged' | 'expired'
}

/** Signed addresses below an origin, which is known only once the server listens. */
export function createFileLinks(options: {
  readonly seed: string
  readonly now: () => number
  readonly origin: () => string
}): FileLinks {
  const sign = (parts: readonly string[]): string =>
    createHmac('sha256', `sandbox-files/${options.seed}`)
      .update(parts.join('\n'))
      .digest('base64url')
      .slice(0, 32)
  return {
    link({ name, contentType, size }) {
      const file = Buffer.from(JSON.stringify([name, contentType, size])).toString('base64url')
      const expires = String(Math.floor((options.now() + VALID_MS) / 1000))
      const extension = contentType.split('/')[1]?.replace(/[^a-z0-9]/g, '') ?? 'bin'
      const query = `expires=${expires}&signature=${sign([file, expires])}`
      return `${options.origin()}/${FILES_PATH}/${file}/media.${extension}?${query}`
    },
    open(segments, query) {
      const [, file = ''] = segments
      const expires = valueOf(query, 'expires')
      if (sign([file, expires]) !== valueOf(query, 'signature')) return 'forged'
      if (Number(expires) * 1000 < options.now()) return 'expired'
      // Signed by this sandbox, so it has the shape that `link` wrote.
      const [name, contentType, size] = JSON.parse(Buffer.from(file, 'base64url').toString()) as [
        string,
        string,
        number,
      ]
      return createMediaFile({ name, contentType, size })
    },
  }
}

function valueOf(query: readonly Pair[], name: string): string {
  return query.find(([other]) => other === name)?.[1] ?? ''
}
