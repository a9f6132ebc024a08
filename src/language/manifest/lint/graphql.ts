// GraphQL: the query is whole, its variables are those that are sent, and its answer lies below data.
import { isExpression } from '../../expression/parse-text.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedAction } from '../draft.ts'
import { inWords, suggestion } from '../suggest.ts'
import { keyAt, type Lint } from './lint.ts'
import { isOwnedBy } from './param-facts.ts'
import { fieldsOf, requestsIn } from './request-facts.ts'

/** Findings about requests with `graphql`, and about the paths into their answers. */
export function lintGraphql(lint: Lint): void {
  for (const action of lint.actions) {
    const requests = requestsIn(action)
    for (const { at, source } of requests) {
      if (source.graphql === undefined) continue
      const here = [...at, 'graphql']
      const plain = plainQuery(lint, source.graphql.query, [...here, 'query'])
      lintBraces(lint, plain, [...here, 'query'])
      if (isPlainObject(source.graphql.variables))
        lintVariables(lint, plain, source.graphql.variables, here)
    }
    const isAllGraphql = requests.every(({ source }) => source.graphql !== undefined)
    if (requests.length > 0 && isAllGraphql) lintAnswer(lint, action)
  }
}

type Variables = Parameters<typeof fieldsOf>[0]

function isPlainObject(variables: unknown): variables is Variables {
  return variables === undefined || (typeof variables === 'object' && variables !== null)
}

/** The query without its texts and comments; `x` stands for what is printed into it. */
function plainQuery(lint: Lint, query: string, at: DocumentPath): string {
  const key = JSON.stringify(at)
  const placed = lint.draft.texts.find((text) => JSON.stringify(text.at) === key)
  const written =
    placed?.text
      .map((part) => (typeof part === 'string' ? part : isExpression(part) ? ' x ' : ''))
      .join('') ?? query
  return written.replaceAll(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*/g, '""')
}

const CLOSES: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

function lintBraces(lint: Lint, query: string, at: DocumentPath): void {
  const open: string[] = []
  for (const [sign] of query.matchAll(/[{}()[\]]/g)) {
    if (CLOSES[sign] !== undefined) open.push(CLOSES[sign])
    else if (open.pop() !== sign) {
      const message = `the GraphQL query closes with ${sign} what it has not opened`
      return lint.error('request/graphql-braces', { at }, message, `remove it, or open it before`)
    }
  }
  if (open.length === 0) return
  const ends = open.toReversed().join(' ')
  lint.error(
    'request/graphql-braces',
    { at },
    'the GraphQL query is not closed',
    `write ${ends} at its end`,
  )
}

/** What the query declares (`$id: ID!`) and what is sent for it. */
function lintVariables(lint: Lint, query: string, variables: Variables, at: DocumentPath): void {
  const [, list = ''] = /^\s*(?:query|mutation)\b[^({]*\(([^)]*)\)/.exec(query) ?? []
  const declared = new Map(
    [...list.matchAll(/\$(\w+)\s*:\s*([\w![\]\s]+?)\s*(=|(?=[,$@)]|$))/g)].map(
      ([, name = '', type = '', isDefaulted]) =>
        [name, type.endsWith('!') && isDefaulted !== '='] as const,
    ),
  )
  const fields = fieldsOf(variables, [...at, 'variables'])
  for (const { name, at: place, part } of fields) {
    if (declared.has(name) || name.startsWith('$')) continue
    const message = `the GraphQL query declares no variable $${name}`
    const hint =
      suggestion(name, [...declared.keys()]) ??
      `declare it: query ($${name}: String) { … }, or leave it out`
    lint.warn('request/graphql-variable', { at: place, part }, message, hint)
  }
  const names = fields.map(({ name }) => name)
  if (names.some((name) => name.startsWith('$'))) return
  const lacking = [...declared].flatMap(([name, needed]) =>
    needed && !names.includes(name) ? [name] : [],
  )
  if (lacking.length === 0 || fields.some(({ name }) => !declared.has(name))) return
  const message = `the GraphQL query requires ${inWords(
    lacking.map((name) => `$${name}`),
    'and',
  )}, and no variable gives it`
  const hint = `write variables: [${lacking.join(', ')}], or { ${lacking[0]}: "{{ … }}" }`
  const place = variables === undefined ? keyAt(...at) : keyAt(...at, 'variables')
  lint.warn('request/graphql-variable', place, message, hint)
}

const READ = /^(?:response\.(?:records?|page)|pagination\.(?:next|more|last|total|pages))$/
const TOP: ReadonlySet<string> = new Set(['data', 'errors', 'extensions'])

/** An answer of GraphQL is `{ data, errors, extensions }`. */
function lintAnswer(lint: Lint, action: PlacedAction): void {
  for (const placed of lint.draft.paths) {
    const { owner, use, path } = placed
    if (!isOwnedBy(owner, action) || !READ.test(use) || path.root !== 'body') continue
    const [first] = path.steps
    if (first === undefined || first.kind !== 'member' || TOP.has(first.name)) continue
    const message = `an answer of GraphQL has no "${first.name}" at its top: what was asked for lies below data`
    lint.warn('response/graphql-data', placed, message, `write $.data${path.source.slice(1)}`)
  }
}
