// How the texts of settings are read.
import { proxyProblem } from '../engine/exchange/proxy-options.ts'
import { didYouMean } from '../language/manifest/suggest.ts'

/** What is wrong with a text: the rest of a sentence that begins with the name of the setting. */
export class Mistake {
  readonly said: string

  constructor(said: string) {
    this.said = said
  }
}

export type Reader<T> = (text: string) => T | Mistake

/** A reader that says `said` of a text of which `read` makes nothing. */
export function reader<T>(said: string, read: (text: string) => T | undefined): Reader<T> {
  return (text) => read(text) ?? new Mistake(said)
}

export function text(text: string): string {
  return text
}

/** Separated by commas. */
export function list(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

export function textLike(pattern: RegExp, said: string): Reader<string> {
  return reader(said, (text) => (pattern.test(text) ? text : undefined))
}

/** `zero`: 0 is taken as well. */
export function whole(min: number, max: number, zero?: 'or 0'): Reader<number> {
  const or = zero === undefined ? '' : '0, or '
  return reader(`must be ${or}a whole number from ${min} to ${max}`, (text) => {
    const value = Number(text)
    const fits = value >= min && value <= max
    return (/^\d+$/.test(text) && fits) || (or !== '' && text === '0') ? value : undefined
  })
}

export const bytes: Reader<number> = reader(
  'must be a number of bytes such as 1048576 or "1 MiB"',
  (text) => {
    const match = /^(\d+)\s*(B|KiB|MiB|GiB)?$/.exec(text.trim())
    const factor = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }[match?.[2] ?? 'B'] ?? 1
    const value = Number(match?.[1]) * factor
    return value > 0 ? value : undefined
  },
)

export function isOn(text: string): boolean {
  return /^(1|true|on|yes)$/i.test(text)
}

export const flag: Reader<boolean> = reader('must be 1 or 0', (text) => {
  if (isOn(text)) return true
  return /^(0|false|off|no)$/i.test(text) ? false : undefined
})

export function oneOf<T extends string>(...words: readonly T[]): Reader<T> {
  return (text) =>
    words.find((word) => word === text) ??
    new Mistake(`must be one of ${words.join(', ')}${didYouMean(text, words, '?')}`)
}

export function originAndPath(text: string): string | Mistake {
  const url = URL.parse(text)
  if (url === null || url.username + url.password + url.search + url.hash !== '')
    return new Mistake('must be an absolute URL without query, fragment and user')
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    return new Mistake('must be https, or http on a loopback host')
  return url.href.replace(/\/$/, '')
}

/** As it is written: a provider whose name ends with a slash is another one. */
export function issuer(text: string): string | Mistake {
  const read = originAndPath(text)
  return read instanceof Mistake ? read : text
}

/** `off`: none, whatever else names one. */
export function proxyAddress(text: string): string | null | Mistake {
  if (text === 'off') return null
  const problem = proxyProblem(text)
  return problem === null ? text : new Mistake(problem)
}

export function origins(text: string): readonly string[] | Mistake {
  const value = list(text)
  const wrong = value.find((each) => URL.parse(each)?.origin !== each)
  if (wrong === undefined) return value
  return new Mistake(`must hold origins such as https://app.example.com; "${wrong}" is none`)
}

export const rate: Reader<{ readonly count: number; readonly seconds: number }> = reader(
  'must look like 1000/60s',
  (text) => {
    const match = /^(\d+)\/(\d+)s$/.exec(text.trim())
    const [count, seconds] = [Number(match?.[1]), Number(match?.[2])]
    return count > 0 && seconds > 0 ? { count, seconds } : undefined
  },
)
