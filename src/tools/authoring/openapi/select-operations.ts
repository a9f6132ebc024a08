// Which operations of a document are drafted.
import { didYouMean } from '../../../language/manifest/suggest.ts'
import { partsOf } from './draft-names.ts'
import { OpenApiError, type OpenApiDocument, type OpenApiOperation } from './document.ts'

/** An operation is taken that fits one pattern of each list; an empty list is fitted by all. */
export interface Selection {
  /** `GET /customers`, `/customers/*` (one segment), `GET /repos/**` (any number). */
  readonly paths: readonly string[]
  readonly tags: readonly string[]
  /** By `operationId`; `*` stands for any characters. */
  readonly ids: readonly string[]
}

/** The chosen operations in the order of the document. Throws OpenApiError for a pattern that nothing fits. */
export function selectOperations(
  { operations }: OpenApiDocument,
  { paths, tags, ids }: Selection,
): readonly OpenApiOperation[] {
  const wanted: readonly Kind[] = [
    {
      given: paths,
      namesOf: ({ method, path }) => [`${method} ${path}`, path],
      fits: pathPattern,
      option: '--path "GET /customers/**"',
    },
    { given: tags, namesOf: (one) => one.tags, fits: exactly, option: '--tag <tag>' },
    {
      given: ids,
      namesOf: ({ id }) => (id === null ? [] : [id]),
      fits: idPattern,
      option: '--operations <id>',
    },
  ]
  return wanted.reduce((left, kind) => narrow(operations, left, kind), operations)
}

interface Kind {
  readonly given: readonly string[]
  readonly namesOf: (operation: OpenApiOperation) => readonly string[]
  readonly fits: (pattern: string) => RegExp
  readonly option: string
}

function narrow(
  all: readonly OpenApiOperation[],
  left: readonly OpenApiOperation[],
  { given, namesOf, fits, option }: Kind,
): readonly OpenApiOperation[] {
  if (given.length === 0) return left
  const patterns = given.map((one) => ({ one, pattern: fits(one) }))
  for (const { one, pattern } of patterns) {
    if (all.some((each) => namesOf(each).some((name) => pattern.test(name)))) continue
    const known = [...new Set(all.flatMap(namesOf))]
    throw new OpenApiError(
      `the document has no "${one}"${didYouMean(one, known)}; write it as ${option}`,
    )
  }
  const taken = left.filter((each) =>
    namesOf(each).some((name) => patterns.some(({ pattern }) => pattern.test(name))),
  )
  if (taken.length > 0) return taken
  throw new OpenApiError(
    `no operation fits ${given.map((one) => `"${one}"`).join(', ')} and the other choices`,
  )
}

function pathPattern(given: string): RegExp {
  const [method, path] = /^[a-z]+\s/i.test(given.trim())
    ? given.trim().split(/\s+/)
    : [null, given.trim()]
  const written = escaped(path ?? '')
    .replaceAll(String.raw`\*\*`, '.*')
    .replaceAll(String.raw`\*`, '[^/]*')
  return new RegExp(
    `^${method === null ? '' : `${escaped(method ?? '').toUpperCase()} `}${written}$`,
  )
}

function idPattern(given: string): RegExp {
  return new RegExp(`^${escaped(given).replaceAll(String.raw`\*`, '.*')}$`)
}

function exactly(given: string): RegExp {
  return new RegExp(`^${escaped(given)}$`, 'i')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** The operations by their first tag; those without one by the first word of their path. */
export function byTag(
  operations: readonly OpenApiOperation[],
): ReadonlyMap<string, readonly OpenApiOperation[]> {
  return Map.groupBy(operations, ({ tags, path }) => tags[0] ?? partsOf(path).words[0] ?? 'other')
}
