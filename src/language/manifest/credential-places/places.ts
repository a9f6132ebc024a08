// The words below `apply`: the one place that knows where credentials can stand in a request. Nothing else asks for a word.
import type { Template } from '../../expression/syntax.ts'
import { headerValue, printScalar } from '../../expression/text-value.ts'
import { awsV4 } from './aws-v4.ts'
import { basic } from './basic.ts'
import { oauth1 } from './oauth1.ts'
import { sign } from './sign.ts'
import type { AuthMethodSource } from '../source.ts'
import type { Apply, Carried, CredentialPlace, PlaceFinding } from './place.ts'

type Word = keyof Apply
const ABSENT: Template = { kind: 'constant', value: null }
interface AnyPlace {
  readonly carried: (resolved: unknown) => readonly Carried[]
  readonly headerNames?: (source: unknown) => readonly (readonly string[])[]
  readonly findings?: (source: unknown) => readonly PlaceFinding[]
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
    headerNames: (source) => Object.keys(source).map((name) => [name]),
  },
  query: {
    carried: (entries) => entries.map((entry) => ({ in: 'query', ...entry })),
  },
  sign,
  aws_v4: awsV4,
  oauth1,
  // Client certificates. Source: RFC 8446 section 4.4.2.
  tls: {
    carried: (tls) =>
      tls === undefined
        ? []
        : [
            {
              in: 'connection',
              values: [tls.certificate, tls.key, tls.passphrase ?? ABSENT].map((template) => ({
                template,
                put: printScalar,
              })),
            },
          ],
  },
}

// An entry takes what stands below its own word, which TypeScript cannot see through the index.
const ENTRIES = Object.entries(PLACES) as unknown as readonly (readonly [Word, AnyPlace])[]

/** What the block puts on a request. */
export function carriedBy(apply: Apply): readonly Carried[] {
  return ENTRIES.flatMap(([word, place]) => place.carried(apply[word]))
}

/** The keys below `apply` that lead to the headers that an author chose; the last one is the name, as written. */
export function chosenHeaders(
  source: AuthMethodSource['apply'],
): readonly (readonly [Word, ...string[]])[] {
  if (typeof source === 'string') return []
  return ENTRIES.flatMap(([word, { headerNames }]) =>
    source[word] === undefined
      ? []
      : (headerNames?.(source[word]) ?? []).map((keys) => [word, ...keys] as const),
  )
}

/** What is wrong with the words of a block that the schema cannot say; `at` begins with the word. */
export function placeFindings(source: AuthMethodSource['apply']): readonly PlaceFinding[] {
  if (typeof source === 'string') return []
  return ENTRIES.flatMap(([word, { findings }]) =>
    source[word] === undefined
      ? []
      : (findings?.(source[word]) ?? []).map((found) => ({ ...found, at: [word, ...found.at] })),
  )
}

/** The names of the headers that carry credentials, in lower case. */
export function credentialHeaders(carried: readonly Carried[]): readonly string[] {
  return carried.flatMap((part) =>
    part.in === 'header' ? [part.name] : part.in === 'signature' ? part.names : [],
  )
}

/** The names of the query parameters that carry credentials. */
export function credentialParams(carried: readonly Carried[]): readonly string[] {
  return carried.flatMap((part) =>
    part.in === 'query' ? [part.name] : part.in === 'signature' ? part.queryNames : [],
  )
}

/** Whether tokens of no other type than `Bearer` can be applied. */
export function takesBearerOnly(apply: Apply): boolean {
  return carriedBy(apply).some((part) => part.in === 'header' && part.tokenType === 'bearer')
}
