// `$` paths: which part of an answer may be read at which place, and what the sandbox cannot write there.
import { namesBelow } from '../../expression/path-below.ts'
import type { Path } from '../../expression/syntax.ts'
import { formatPath } from '../document.ts'
import { memberOfLast } from '../pagination-styles.ts'
import type { PlacedPath } from '../draft.ts'
import { suggestion } from '../suggest.ts'
import { SchemaView } from './schema-walk.ts'
import { keyAt, type Lint } from './lint.ts'
import { entityOf } from './scopes.ts'
import { NOT_DECLARED } from './sync.ts'

/** Findings about the roots of `$` paths, members that a filter compares, pages without their records, and drops. */
export function lintPaths(lint: Lint): void {
  for (const placed of lint.draft.paths) {
    lintRoot(lint, placed)
    lintPage(lint, placed)
    if (!placed.use.startsWith('response.drop') || placed.path.steps.length > 0) continue
    const hint = 'name a member of it; response.keep takes records away'
    const message = 'a record cannot be dropped as a whole'
    lint.error('response/drops-record', { at: placed.at }, message, hint)
  }
  lintWhere(lint)
  lintKeyed(lint)
}

type PathRoot = Path['root']
const WRITTEN: Readonly<Record<PathRoot, string>> = {
  body: '$',
  callback: '$callback',
  cookies: '$cookies',
  headers: '$headers',
  link: '$link',
  next: '$next',
  parent: '$parent',
}

/** What may be read next to the body; the first use that a place begins with counts. */
const ALLOWED: readonly (readonly [use: string, roots: readonly PathRoot[]])[] = [
  ['pagination.meta', ['headers', 'link', 'next']],
  ['pagination.empty_meta', ['headers', 'link', 'next']],
  ['pagination.', ['headers', 'link']],
  ['error_body.', ['headers']],
  ['download.url', ['headers', 'link']],
  ['upload.address', ['headers']],
  ['upload.received', ['headers']],
  ['search.from', ['parent']],
  ['session.store', ['headers', 'cookies']],
  ['webhooks.challenges', []],
  ['webhooks.get', ['headers']],
  ['webhooks.subscribe', []],
  ['webhooks.id', ['headers']],
  ['webhooks.type', ['headers']],
  ['webhooks.route', ['headers']],
  ['session.steps.store', ['headers', 'cookies']],
]

function lintRoot(lint: Lint, placed: PlacedPath): void {
  const { path, use } = placed
  const more = ALLOWED.find(([start]) => use.startsWith(start))?.[1] ?? []
  const allowed: readonly PathRoot[] = /^oauth\d\.authorize\.store$/.test(use)
    ? ['callback']
    : ['body', ...more]
  const isOrphan =
    path.root === 'parent' && entityOf(lint.source, placed.owner)?.sync?.parent === undefined
  if (allowed.includes(path.root) && !isOrphan) return
  // Values of an answer that are kept for later calls.
  const isKept = allowed.includes('body') && (use.startsWith('session.') || use.endsWith('.store'))
  const why = isKept ? ': what is kept is taken from the body of the answer' : ''
  const message = isOrphan
    ? 'this sync has no parent whose members $parent could name'
    : `"${WRITTEN[path.root]}" cannot be read here`
  const hint = `paths begin with ${allowed.map((root) => WRITTEN[root]).join(', ')} here${why}`
  lint.error('path/root-out-of-place', placed, message, hint)
}

/** The records of a page object are put back where they were taken from. */
function lintPage(lint: Lint, { at, use, path: page }: PlacedPath): void {
  if (use !== 'response.page') return
  const block = formatPath(at.slice(0, -1))
  const records = lint.draft.paths.find(
    (other) => other.use === 'response.records' && formatPath(other.at.slice(0, -1)) === block,
  )?.path
  if (records === undefined || namesBelow(page, records) !== null) return
  const message = `the records at ${records.source} are not a member of the page ${page.source}`
  const hint =
    'only names may lead from the page to its records (page: $.x, records: $.x.items); remove page to deliver the bare records'
  lint.error('response/page-without-records', { at }, message, hint)
}

/** A filter on a member that is never there would take every record away. */
function lintWhere(lint: Lint): void {
  for (const { entity, at, source } of lint.actions) {
    const schema = source.result ?? lint.source.entities[entity]?.record
    if (schema === undefined) continue
    const names = [...new SchemaView(lint.source, schema).members().keys()]
    const known = [...names, ...Object.keys(source.response?.set ?? {})]
    for (const path of Object.keys(source.response?.where ?? {})) {
      const first = path.split(/[.[]/)[0] ?? path
      if (path.startsWith('$') || known.includes(first)) continue
      const place = keyAt(...at, 'response', 'where', path)
      const message = `the record of ${entity} has no member "${first}"`
      const hint = suggestion(first, names) ?? NOT_DECLARED
      lint.error('response/unknown-field', place, message, hint)
    }
  }
}

/** The names of members are texts, and callers and the copy find them by the record's schema. */
function lintKeyed(lint: Lint): void {
  for (const { entity, at, source } of lint.actions) {
    const schema = source.result ?? lint.source.entities[entity]?.record
    for (const word of ['keyed', 'grouped'] as const) {
      const name = source.response?.[word]
      if (name === undefined || schema === undefined || source.response?.page !== undefined)
        continue
      const members = new SchemaView(lint.source, schema).members()
      const view = members.get(name)
      const place = { at: [...at, 'response', word] }
      if (view === undefined) {
        const message = `the record of ${entity} has no member "${name}"`
        const hint = suggestion(name, [...members.keys()]) ?? 'declare it in the record'
        lint.error('response/unknown-field', place, message, hint)
      } else if (!view.types().has('string')) {
        const message = `"${name}" of ${entity} gets the name of a member, which is text`
        lint.error('response/keyed-type', place, message, 'declare it as type: string')
      }
    }
  }
}

/** Warnings about answers that the sandbox, which runs a manifest backwards, cannot make up. Examples help. */
export function lintSandbox(lint: Lint): void {
  for (const placed of lint.draft.paths) {
    const { owner, use, path } = placed
    if (owner.area !== 'action' || !READ_FROM.test(use)) continue
    const step = isOfLastRecord(lint, placed) ? null : oneWayStep(path)
    if (step === null || entityOf(lint.source, owner)?.examples !== undefined) continue
    const message = `the sandbox cannot write to ${step} of ${path.source}`
    lint.warn('sandbox/one-way-path', placed, message, `add examples to ${owner.entity}`)
  }
}

/** A cursor that the last record of a page has by itself. */
function isOfLastRecord(lint: Lint, { owner, use, path }: PlacedPath): boolean {
  const records = lint.draft.paths.find(
    (other) => other.owner === owner && other.use === 'response.records',
  )
  return (
    use === 'pagination.next' && records !== undefined && memberOfLast(path, records.path) !== null
  )
}

const READ_FROM =
  /^(response\.(records|record|page)|pagination\.(next|more|last|total|pages)|download\.url|upload\.(address|received))/

function oneWayStep(path: Path): string | null {
  for (const step of path.steps) {
    if (step.kind === 'all') return '[*]'
    if (step.kind === 'computed') return 'the computed index'
    if (step.kind === 'index' && step.index < 0) return `[${step.index}]`
  }
  return null
}
