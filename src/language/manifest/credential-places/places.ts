// The words below `apply`: the one place that knows where credentials can stand in a request. Nothing else asks for a word.
import type { Template } from '../../expression/syntax.ts'
import { headerValue } from '../../expression/text-value.ts'
import type { Entry, Style } from '../manifest.ts'
import type { Site } from '../resolver.ts'
import type { TemplateMapSource } from '../source.ts'
import { basic } from './basic.ts'
import type { Carried, CredentialPlace } from './place.ts'

interface Places {
  readonly basic: typeof basic
  /** A token in Authorization. Source: RFC 6750. */
  readonly bearer: CredentialPlace<string, Template | null>
  readonly headers: CredentialPlace<TemplateMapSource, readonly Entry[]>
  readonly query: CredentialPlace<TemplateMapSource, readonly Entry[]>
}
type Word = keyof Places
type AnyPlace = CredentialPlace<unknown, unknown>

export const PLACES: Places = {
  basic,
  bearer: {
    resolve: (source, site) => (source === undefined ? null : site.template(source, 'apply')),
    carried: (template) =>
      template === null
        ? []
        : [
            {
              in: 'header',
              name: 'authorization',
              values: [{ template, put: headerValue }],
              write: ([token]) => (token === undefined ? undefined : `Bearer ${token}`),
              read: (header) => /^Bearer (.+)$/i.exec(header)?.slice(1),
              tokenType: 'bearer',
            },
          ],
  },
  headers: {
    resolve: (source, site, style) =>
      site.headers(source, { place: 'apply', style, repeatable: true }),
    carried: (entries) =>
      entries.map(({ name, value }) => ({
        in: 'header',
        name: name.toLowerCase(),
        values: [{ template: value, put: headerValue }],
        write: ([text]) => text,
        read: (header) => [header],
      })),
    headerNames: (source) => Object.keys(source),
  },
  query: {
    resolve: (source, site, style) =>
      site.entries(source, { place: 'apply', style, repeatable: true }),
    carried: (entries) => entries.map((entry) => ({ in: 'query', ...entry })),
  },
}

/** The block as an author writes it. */
export type ApplySource = {
  readonly [W in Word]?: Places[W] extends CredentialPlace<infer Source, infer _> ? Source : never
}
/** The block as it runs. */
export type Apply = { readonly [W in Word]: ReturnType<Places[W]['resolve']> }

// An entry takes what stands below its own word, which TypeScript cannot see through the index.
const ENTRIES = Object.entries(PLACES) as unknown as readonly (readonly [Word, AnyPlace])[]

/** Resolves the block. `style`: how lists are written. */
export function resolveApply(source: ApplySource, site: Site, style: Style): Apply {
  const resolved = ENTRIES.map(([word, place]) => [
    word,
    place.resolve(source[word], site.in(word), style),
  ])
  return Object.fromEntries(resolved.filter(([, value]) => value !== undefined))
}

/** What the block puts on a request. */
export function carriedBy(apply: Apply): readonly Carried[] {
  return ENTRIES.flatMap(([word, place]) => place.carried(apply[word]))
}

/** The names of headers that an author chose, as written, each with its word. */
export function chosenHeaders(source: ApplySource): readonly (readonly [Word, string])[] {
  return ENTRIES.flatMap(([word, { headerNames }]) =>
    source[word] === undefined
      ? []
      : (headerNames?.(source[word]) ?? []).map((name) => [word, name] as const),
  )
}

/** The names of the headers that carry credentials, in lower case. */
export function credentialHeaders(carried: readonly Carried[]): readonly string[] {
  return carried.flatMap((part) =>
    part.in === 'header' ? [part.name] : part.in === 'signature' ? part.names : [],
  )
}

/** Whether tokens of no other type than `Bearer` can be applied. */
export function takesBearerOnly(apply: Apply): boolean {
  return carriedBy(apply).some((part) => part.in === 'header' && part.tokenType === 'bearer')
}
