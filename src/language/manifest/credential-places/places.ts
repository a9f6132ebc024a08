// The words below `apply`: the one place that knows where credentials can stand in a request. Nothing else asks for a word.
import { headerValue } from '../../expression/text-value.ts'
import { basic } from './basic.ts'
import type { Apply, ApplySource, Carried, CredentialPlace } from './place.ts'

type Word = keyof Apply
interface AnyPlace {
  readonly carried: (resolved: unknown) => readonly Carried[]
  readonly headerNames?: (source: unknown) => readonly string[]
}

export const PLACES: { readonly [W in Word]: CredentialPlace<W> } = {
  basic,
  // A token in Authorization. Source: RFC 6750.
  bearer: {
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
    carried: (entries) => entries.map((entry) => ({ in: 'query', ...entry })),
  },
}

// An entry takes what stands below its own word, which TypeScript cannot see through the index.
const ENTRIES = Object.entries(PLACES) as unknown as readonly (readonly [Word, AnyPlace])[]

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
