// Secrets that are easy to find again: in files, logs and answers, in every form in which they may have been written.
import { randomBytes } from 'node:crypto'
import { filesBelow } from '../fixtures/files-below.ts'

export interface Canaries {
  /** A new secret. It holds characters that JSON, URLs and forms write in another way. */
  issue(name: string): string
  /** Watches for a secret that somebody else made. */
  watch(name: string, secret: string): void
  readonly count: number
  /** The names of the secrets in a text or bytes, each with the form it was found in. */
  findIn(place: string, data: string | Uint8Array): readonly string[]
  /** The same for every file below a folder. */
  findInFolder(folder: string): readonly string[]
}

type Form = readonly [name: string, bytes: Buffer]

export function createCanaries(): Canaries {
  const known = new Map<string, readonly Form[]>()

  function findIn(place: string, data: string | Uint8Array): readonly string[] {
    const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data)
    return [...known].flatMap(([name, forms]) =>
      forms
        .filter(([, needle]) => bytes.includes(needle))
        .map(([form]) => `${name} in ${place} (${form})`),
    )
  }

  return {
    issue(name) {
      const secret = `${randomBytes(12).toString('hex')}/+"&%=${randomBytes(6).toString('hex')}`
      known.set(name, formsOf(secret))
      return secret
    },
    watch: (name, secret) => void known.set(name, formsOf(secret)),
    get count() {
      return known.size
    },
    findIn,
    findInFolder: (folder) => filesBelow(folder).flatMap(({ path, bytes }) => findIn(path, bytes)),
  }
}

/** Base64 depends on what stands before: three alignments, without the digits at the ends that neighbours share. */
function formsOf(secret: string): readonly Form[] {
  const bytes = Buffer.from(secret)
  const aligned = [0, 1, 2].flatMap((shift): readonly Form[] => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const core = text.slice(shift === 0 ? 0 : shift + 1, -4)
    return [
      [`base64, ${shift}`, Buffer.from(core)],
      [`base64url, ${shift}`, Buffer.from(core.replaceAll('+', '-').replaceAll('/', '_'))],
    ]
  })
  return [
    ['plain', bytes],
    ['JSON', Buffer.from(JSON.stringify(secret).slice(1, -1))],
    ['JSON in JSON', Buffer.from(JSON.stringify(JSON.stringify(secret)).slice(3, -3))],
    ['URL', Buffer.from(encodeURIComponent(secret))],
    ['form', Buffer.from(new URLSearchParams({ s: secret }).toString().slice(2))],
    ['hex', Buffer.from(bytes.toString('hex'))],
    // The beginning alone, where something was cut off or masked in its middle.
    ['beginning', bytes.subarray(0, 20)],
    ...aligned,
  ]
}
