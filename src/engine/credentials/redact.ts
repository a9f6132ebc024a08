// Keeps secrets out of everything people and logs see: by value, in every form a vendor may echo it, and by name.
import { inspect } from 'node:util'

import { maskPairs } from '../response/excerpt.ts'

const MASK = '[secret]'

/** A value that shows itself only by `reveal()`: as text, as JSON and in `util.inspect` it is `[secret]`. */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toString(): string {
    return MASK
  }

  toJSON(): string {
    return MASK
  }
}

// Not a member: a computed name cannot be declared without the compiler looking at its value.
Object.defineProperty(Secret.prototype, inspect.custom, { value: () => MASK })

/** Shorter values occur everywhere by chance; masking them would blank whole texts. */
const MIN_LENGTH = 6

/**
 * A function that masks secrets in a text with `[secret]`.
 *
 * By value: each of `secrets` that has 6 characters or more, as it is, percent-encoded, inside JSON text and inside
 * base64 (so also in a Basic header, whatever stands next to it there); of a Cookie header also each value. By name: what stands behind `access_token=`,
 * `"password":`, `Authorization:` and the like, also where the value was not registered.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set<string>()
  for (const secret of secrets) {
    for (const text of [secret, ...cookiesIn(secret)])
      if (text.length >= MIN_LENGTH) for (const form of formsOf(text)) forms.add(form)
  }
  // The longest first: a form may be the beginning of another one.
  const known = [...forms].toSorted((a, b) => b.length - a.length).map(escapePattern)
  const values = known.length === 0 ? null : new RegExp(known.join('|'), 'g')
  return (text) => {
    const masked = values === null ? text : text.replace(values, MASK)
    return maskPairs(masked)
  }
}

/** Texts of calls that still run may hold a token that was replaced meanwhile. */
const GENERATIONS = 3

/** Remembers the secrets of the last generations, to mask them. Does not show them when printed. */
export class SeenSecrets {
  readonly #generations: (readonly string[])[] = []
  #redactor: ((text: string) => string) | null = null

  add(secrets: readonly string[]): void {
    this.#generations.push(secrets)
    if (this.#generations.length > GENERATIONS) this.#generations.shift()
    this.#redactor = null
  }

  all(): readonly string[] {
    return this.#generations.flat()
  }

  redact(text: string): string {
    this.#redactor ??= createRedactor(this.all())
    return this.#redactor(text)
  }
}

/** The texts under `value`, at any depth, for a redactor; numbers and truth values are no secrets. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** The values in a Cookie header: `a=1; b=2`. */
function cookiesIn(secret: string): readonly string[] {
  if (!COOKIES.test(secret)) return []
  return secret.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1))
}

const COOKIES = /^[^\s=;]+=[^;\s]*(?:; [^\s=;]+=[^;\s]*)*$/

function formsOf(secret: string): string[] {
  const plain = [secret, jsonInside(secret), jsonInside(jsonInside(secret)), asciiJson(secret)]
  const percent = percentEncoded(secret)
  return [
    ...plain,
    ...percent,
    ...percent.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    ...base64Cores(secret),
  ]
}

function jsonInside(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** JSON as some servers write it: `\/` for a slash, `\u00e9` for everything beyond ASCII. */
function asciiJson(text: string): string {
  return jsonInside(text)
    .replaceAll('/', String.raw`\/`)
    .replace(
      /[^\x20-\x7e]/g,
      (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
    )
}

/** The encodings of a query value: every reserved character, only the needed ones, a blank as `+`. */
function percentEncoded(text: string): string[] {
  const loose = encodeURIComponent(text.toWellFormed())
  const strict = loose.replace(
    /[!'()*]/g,
    (character) => '%' + character.charCodeAt(0).toString(16).toUpperCase(),
  )
  return [loose, strict, strict.replaceAll('%20', '+'), encodeURI(text.toWellFormed())]
}

/**
 * What the secret looks like inside base64, at each of the three places a byte can take in a group, without the
 * characters at both ends that also depend on the neighbouring bytes.
 */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    const core = whole.slice(first, last)
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
}
