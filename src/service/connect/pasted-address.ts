// An address of a page that somebody pasted where a part of it is asked for: the part, where the manifest leaves no doubt which.
import type { Text } from '../../language/expression/syntax.ts'
import { compileValidator } from '../../language/manifest/validator.ts'
import type { Choice } from './choice.ts'
import type { FormField, Typed } from './form-fields.ts'
import { addressesOf } from './asked-settings.ts'

export interface TakenApart {
  readonly typed: Typed
  /** Names of the fields of which only a part was taken. */
  readonly taken: ReadonlySet<string>
}

/** What was typed, with the parts of addresses that were pasted. */
export function takeApart(choice: Choice, typed: Typed): TakenApart {
  const { fields, manifest } = choice
  const urls = [
    ...manifest.server.urls,
    ...manifest.auth.flatMap((method) => addressesOf(manifest, { kind: 'consent', method })),
  ]
  const parts = [...fields.credentials, ...fields.first, ...fields.more].flatMap((field) => {
    const text = typed[field.name]?.trim() ?? ''
    if (field.kind !== 'text' || text === '') return []
    const validator = compileValidator(field.schema, manifest.definitions)
    const isValid = (value: string): boolean => validator.isValid(value)
    const part = partOfAddress(text, { field, urls, isValid })
    return part === null ? [] : [[field.name, part] as const]
  })
  return {
    typed: { ...typed, ...Object.fromEntries(parts) },
    taken: new Set(parts.flatMap(([name, part]) => (part === smallOf(typed[name]) ? [] : [name]))),
  }
}

function smallOf(text: string | undefined): string {
  return (text ?? '').trim().toLowerCase()
}

interface Wanted {
  readonly field: Pick<FormField, 'name'>
  readonly urls: readonly Text[]
  readonly isValid: (value: string) => boolean
}

/**
 * The part of an address that the field is about; null: the text is none, or leaves a doubt. Where addresses of the
 * manifest have the field in them (`https://{{ config.subdomain }}.example.com`), the part that stands there. Else, of a
 * text that does not fit, the only one of its host, the names in that, its path, and the names in that, that fits; a host
 * that the manifest spells out is never guessed so. A part of a host has no capitals: it is taken with small letters.
 */
export function partOfAddress(text: string, { field, urls, isValid }: Wanted): string | null {
  const fits = (part: string | undefined): part is string =>
    part !== undefined && part !== '' && isValid(part)
  const frames = urls.flatMap((url) => frameOf(url, field.name) ?? [])
  const isOfHost = frames.some(({ isHost }) => isHost)
  const address = addressIn(text)
  if (address === null)
    return isOfHost && !isValid(text) && fits(smallOf(text)) ? smallOf(text) : null
  const { host, pathname } = address
  const framed = frames
    .map(({ pattern }) => pattern.exec(`https://${host}${pathname}`)?.groups?.['part'])
    .filter(fits)
  const mayGuess = framed.length === 0 && !isValid(text) && !isOfHost
  const path = pathname.replaceAll(/^\/+|\/+$/g, '')
  const guessed = mayGuess ? [host, ...host.split('.'), path, ...path.split('/')].filter(fits) : []
  const [only, other] = new Set([...framed, ...guessed])
  return only === undefined || other !== undefined || only === text ? null : only
}

/** Whether a field is the host of an address of the manifest, or stands in it. */
export function isHostPart(url: Text, name: string): boolean {
  return frameOf(url, name)?.isHost === true
}

/** Whether a text is the address of a page, or of a host. */
export function isAddress(text: string): boolean {
  return addressIn(text.trim()) !== null
}

/** With or without its scheme; none that has a name or a password in it. */
function addressIn(text: string): URL | null {
  const whole = HOST_FIRST.test(text) ? `https://${text}` : text
  const url = /^https?:\/\//i.test(whole) ? URL.parse(whole) : null
  return url === null || url.username !== '' || url.password !== '' ? null : url
}

const SCHEME = 'https://'
const HOST_FIRST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?=[/:?#]|$)/i

interface Frame {
  readonly pattern: RegExp
  /** The field is the host, or stands in it. */
  readonly isHost: boolean
}

/** An address of the manifest with the place of the field in it; null: the field is no part of it. */
function frameOf(url: Text, name: string): Frame | null {
  const at = url.findIndex((part) => isOf(part, name))
  const [begin] = url
  if (at <= 0 || typeof begin !== 'string' || !begin.startsWith(SCHEME)) return null
  const before = url.slice(0, at).map((part) => (typeof part === 'string' ? escaped(part) : ANY))
  const behind = url[at + 1]
  const isHost = ![begin.slice(SCHEME.length), ...url.slice(1, at)].some(
    (part) => typeof part === 'string' && part.includes('/'),
  )
  // A host behind which nothing stands may have a path of its own.
  if (behind === undefined && isHost)
    return { pattern: new RegExp(`^${before.join('')}(?<part>.+?)/*$`), isHost }
  const end = typeof behind === 'string' ? escaped(behind.split('/')[0] ?? '') : ''
  return { pattern: new RegExp(`^${before.join('')}(?<part>${ANY})${end}(?:/.*)?$`), isHost }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

const ANY = '[^/]+?'

function isOf(part: Text[number], name: string): boolean {
  return (
    typeof part === 'object' &&
    part.kind === 'path' &&
    part.path.length === 1 &&
    `${part.root}.${part.path[0]}` === name
  )
}
