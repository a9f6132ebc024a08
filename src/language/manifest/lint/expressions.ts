// Expressions: every path leads somewhere, every root stands where it may, helpers get what they take.
import { HELPERS } from '../../expression/helpers.ts'
import { ROOT_PLACES, spanOf } from '../../expression/parse-text.ts'
import type { Expression, Root } from '../../expression/syntax.ts'
import type { Owner, PlacedText } from '../draft.ts'
import type { ManifestSource } from '../source.ts'
import { suggestion } from '../suggest.ts'
import {
  type CallExpression,
  expressionsIn,
  formatExpression,
  type LocalExpression,
  type Locals,
  onlyExpression,
  type PathExpression,
} from './expression-facts.ts'
import { usageOf, VALUE_FIRST } from './helper-usage.ts'
import type { Lint } from './lint.ts'
import { type Lookup, type SchemaView, valuesOf } from './schema-walk.ts'
import { actionOf, type PlaceScope, scopeOf } from './scopes.ts'

export function lintExpressions(lint: Lint): void {
  for (const placed of lint.draft.texts) {
    const { at, part, text } = placed
    const { source } = lint
    const scope = scopeOf(source, placed)
    for (const { expression, locals } of expressionsIn(text)) {
      const found = checkExpression({ source, placed, scope, locals }, expression)
      if (found === null) continue
      const place = { at, part, inner: spanOf(expression) }
      lint.error(found.rule, place, found.message, found.hint)
    }
  }
  lintLookups(lint)
}

/** What a path of a template leads to, at its place; null when its root has no place there. */
export function lookUpPath({ roots }: PlaceScope, { root, path }: PathExpression): Lookup | null {
  return roots.get(root)?.lookUp(path) ?? null
}

interface Site {
  readonly source: ManifestSource
  readonly placed: PlacedText
  readonly scope: PlaceScope
  readonly locals: Locals
}
interface Finding {
  readonly rule: string
  readonly message: string
  readonly hint: string | null
}

function checkExpression(site: Site, expression: Expression): Finding | null {
  if (expression.kind === 'path') return checkRoot(site, expression) ?? checkPath(site, expression)
  if (expression.kind === 'local') return checkLocal(site, expression)
  return expression.kind === 'call' ? checkCall(site, expression) : null
}

function checkRoot({ scope }: Site, { root }: PathExpression): Finding | null {
  if (scope.roots.has(root)) return null
  const reason = scope.missing.get(root)
  const message = `"${root}" means nothing here: ${reason ?? `it stands ${ROOT_PLACES[root]} only`}`
  const hint = `here may stand: ${[...scope.roots.keys()].join(', ')}`
  return { rule: 'expression/root-out-of-place', message, hint }
}

function checkPath(site: Site, expression: PathExpression): Finding | null {
  const found = lookUpPath(site.scope, expression)
  if (found?.kind !== 'unknown') return null
  const { step, names } = found
  if (step > 0) return unknownMember(expression, step, names)
  const name = expression.path[0] ?? ''
  if (expression.root === 'steps') return unknownStep(site, name)
  const message = `${HOLDERS[expression.root](site.placed.owner)} "${name}"`
  return { rule: 'expression/unknown-path', message, hint: suggestion(name, names) }
}

/** `names`: those of the members that there are in place of the one at `step`. */
function unknownMember(
  expression: PathExpression | LocalExpression,
  step: number,
  names: readonly string[],
): Finding {
  const holder = formatExpression({ ...expression, path: expression.path.slice(0, step) })
  const name = expression.path[step] ?? ''
  const message = `"${holder}" has no member "${name}"`
  return { rule: 'expression/unknown-path', message, hint: suggestion(name, names) }
}

const HOLDERS: Readonly<Record<Root, (owner: Owner) => string>> = {
  params: ({ entity, action }) => `${entity}.${action} has no parameter`,
  config: () => 'there is no setting',
  maps: () => 'there is no map',
  record_fields: () => 'record_fields is a list of names and has no member',
  steps: () => 'there is no step',
  response: () => 'an answer has no part',
  record: ({ entity }) => `the record of ${entity} has no member`,
  credentials: ({ method }) =>
    method === null ? 'no method has a credential' : `the method ${method} has no credential`,
  client: () => 'An OAuth client has no member',
  session: ({ method }) => `the session of ${method} stores no value`,
  upload: () => 'of a file that is sent in parts there is no',
  cursor: () => 'the cursor of a sync has no member',
  parent: () => 'the record of the parent has no member',
  request: () => 'a request has no part',
  webhook: () => 'of a webhook there is no',
  subscription: () => 'nothing is stored of a subscription as',
  event: () => 'of what has arrived there is no',
  jwt: () => 'jwt is a text and has no member',
  signature: () => 'signature is a text and has no member',
}

function unknownStep({ source, placed }: Site, name: string): Finding {
  const names = actionOf(source, placed.owner)?.steps?.map((step) => step.name) ?? []
  if (names.includes(name)) {
    return {
      rule: 'steps/not-run-yet',
      message: `the step "${name}" has not run here`,
      hint: 'only answers of earlier steps can be used',
    }
  }
  const hint = suggestion(name, names.slice(0, placed.owner.step ?? names.length))
  return { rule: 'steps/unknown-step', message: `there is no step "${name}"`, hint }
}

/** A member of the elements that a block runs over. */
function checkLocal(site: Site, expression: LocalExpression): Finding | null {
  const elements = elementsOf(site, expression.name)
  if (elements.length === 0) return null
  const lookups = elements.map((node) => node.lookUp(expression.path))
  const names = lookups.flatMap((found) => (found.kind === 'unknown' ? found.names : []))
  const [first] = lookups
  if (first?.kind !== 'unknown' || lookups.some((found) => found.kind !== 'unknown')) return null
  return unknownMember(expression, first.step, names)
}

function elementsOf(site: Site, local: string): readonly SchemaView[] {
  const list = site.locals.get(local)
  if (list?.kind !== 'path') return []
  const found = lookUpPath(site.scope, list)
  return found?.kind === 'found' ? found.views.flatMap((node) => node.items()) : []
}

function checkCall(site: Site, call: CallExpression): Finding | null {
  const { helper, args } = call
  const { min, max } = HELPERS[helper]
  if (args.length < min || args.length > max) {
    const message = `"${helper}" takes ${wordOfCount(min, max)}, here ${args.length === 1 ? 'is' : 'are'} ${args.length}`
    return { rule: 'expression/arguments', message, hint: usageOf(helper) }
  }
  const [first, ...others] = args
  if (VALUE_FIRST.has(helper) && first?.kind === 'literal' && others.some(isRead)) {
    const message = `"${helper}" works on its first argument, and here that is a constant`
    return { rule: 'expression/arguments-turned', message, hint: usageOf(helper) }
  }
  if (helper === 'now' && !site.scope.clock) {
    return {
      rule: 'expression/now-out-of-place',
      message: '"now" may be called under auth, check and sync only',
      hint: 'a request that changes with the clock breaks cursors: take the time as a parameter',
    }
  }
  return null
}

/** Whether an argument reads something of the call. */
function isRead({ kind }: Expression): boolean {
  return kind === 'path' || kind === 'local'
}

function wordOfCount(min: number, max: number): string {
  if (max === min) return min === 1 ? '1 argument' : `${min === 0 ? 'no' : min} arguments`
  return max === Infinity ? `${min} arguments or more` : `${min} to ${max} arguments`
}

/** A look-up of a parameter's value in constants that lack one of the values which the parameter may have. */
function lintLookups(lint: Lint): void {
  for (const placed of lint.draft.texts) {
    const scope = scopeOf(lint.source, placed)
    const only = onlyExpression(placed.text)
    // Inside `default` and `or` what is not found has a way to go on.
    if (only?.kind !== 'call' || only.helper !== 'lookup') continue
    const [map, key] = only.args
    if (map?.kind !== 'path' || map.root !== 'maps' || key?.kind !== 'path') continue
    const [constants, values] = [lookUpPath(scope, map), lookUpPath(scope, key)]
    if (constants?.kind !== 'found' || values?.kind !== 'found') continue
    const names = new Set(constants.views.flatMap((view) => [...view.members().keys()]))
    const listed = values.views.flatMap(({ schema }) => valuesOf(schema) ?? [])
    const lacking = listed.filter((value) => typeof value === 'string' && !names.has(value))
    if (names.size === 0 || lacking.length === 0) continue
    const message = `maps.${map.path.join('.')} has no ${lacking.map((value) => JSON.stringify(value)).join(', ')}, which "${key.path.join('.')}" may be: the value would be left out`
    const hint = 'add it to the map, or say what is sent instead: {{ default (lookup …) … }}'
    lint.warn('expression/lookup-misses', { at: placed.at, part: placed.part }, message, hint)
  }
}
