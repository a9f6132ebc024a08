// Values of a manifest in data positions → templates: strings with `{{ }}`, and objects that carry `$if` and `$value`.
import type { Expression, ParamPath, Template, Text } from '../expression/syntax.ts'
import type { Json, JsonObject } from '../json/json.ts'
import type { Entry, Style } from './manifest.ts'
import type { Resolver, Site, TextSite, UseSite } from './resolver.ts'
import type { FieldsSource } from './source.ts'
import { suggestion } from './suggest.ts'

/** Resolves any value. What holds no expression and no directive becomes one constant. */
export function resolveTemplate(value: Json, site: TextSite, resolver: Resolver): Template {
  if (typeof value === 'string') return templateOf(resolver.text(value, site))
  if (Array.isArray(value)) {
    const list = value as readonly Json[] // Array.isArray does not narrow a readonly union
    return arrayOf(list.map((item, index) => resolveTemplate(item, below(site, index), resolver)))
  }
  if (typeof value === 'object' && value !== null) {
    return resolveObject(value as JsonObject, site, resolver) // ExactNumber never comes out of YAML
  }
  return { kind: 'constant', value }
}

/** One expression alone keeps its JSON type; text around it makes text. */
function templateOf(text: Text): Template {
  const [only] = text
  if (text.length !== 1 || only === undefined) return { kind: 'text', text }
  if (typeof only === 'string') return { kind: 'constant', value: only }
  if (only.kind === 'ifBlock' || only.kind === 'eachBlock') return { kind: 'text', text }
  return { kind: 'value', expression: only }
}

/** An object template, folded into a constant where nothing in it depends on the call. */
function objectOf(members: readonly (readonly [name: string, value: Template])[]): Template {
  const constants: [string, Json][] = []
  for (const [name, value] of members) {
    if (value.kind !== 'constant') return { kind: 'object', members }
    constants.push([name, value.value])
  }
  return { kind: 'constant', value: Object.fromEntries(constants) }
}

function arrayOf(items: readonly Template[]): Template {
  const constants: Json[] = []
  for (const item of items) {
    if (item.kind !== 'constant') return { kind: 'array', items }
    constants.push(item.value)
  }
  return { kind: 'constant', value: constants }
}

const DIRECTIVES = ['$if', '$value', '$style']

interface Directives {
  readonly test: Expression | null
  /** Undefined: the object stands for itself. */
  readonly value: Json | undefined
  readonly style: Style | null
  /** The members that are data, with `$$` unescaped; the path still holds the key as written. */
  readonly members: readonly { readonly key: string; readonly name: string; readonly value: Json }[]
}

function resolveObject(object: JsonObject, site: TextSite, resolver: Resolver): Template {
  const directives = readDirectives(object, site, resolver)
  if (directives.style !== null) {
    const hint = 'it sets the style of one entry of a query or form'
    resolver.report(
      below(site, '$style', 'key'),
      'request/directive',
      '$style has no effect here',
      hint,
    )
  }
  return applyDirectives(directives, site, resolver)
}

function applyDirectives(directives: Directives, site: TextSite, resolver: Resolver): Template {
  const { test, value, members } = directives
  const inner =
    value !== undefined
      ? resolveTemplate(value, below(site, '$value'), resolver)
      : objectOf(
          members.map((member) => [
            member.name,
            resolveTemplate(member.value, below(site, member.key), resolver),
          ]),
        )
  return test === null ? inner : { kind: 'when', test, value: inner }
}

function readDirectives(object: JsonObject, site: TextSite, resolver: Resolver): Directives {
  const members: { key: string; name: string; value: Json }[] = []
  let test: Expression | null = null
  let style: Style | null = null
  for (const [key, value] of Object.entries(object)) {
    if (!key.startsWith('$')) members.push({ key, name: key, value })
    else if (key.startsWith('$$')) members.push({ key, name: key.slice(1), value })
    else if (key === '$if') test = readTest(value, below(site, '$if'), resolver)
    else if (key === '$style') style = readStyle(value, below(site, '$style'), resolver)
    else if (key !== '$value') reportUnknown(key, below(site, key, 'key'), resolver)
  }
  const extra = Object.hasOwn(object, '$value') ? members[0] : undefined
  if (extra !== undefined) {
    const message = `beside $value the object has no members of its own`
    resolver.report(
      below(site, extra.key, 'key'),
      'request/directive',
      message,
      'remove one of the two',
    )
  }
  return { test, value: object['$value'], style, members }
}

function readTest(value: Json, site: TextSite, resolver: Resolver): Expression | null {
  if (typeof value === 'string') return resolver.expression(value, { ...site, place: 'directive' })
  resolver.report(site, 'request/directive', '$if takes one expression', 'write "{{ … }}"')
  return null
}

const STYLES: readonly Style[] = ['repeat', 'csv', 'ssv', 'pipe', 'brackets', 'indices', 'json']

function readStyle(value: Json, site: TextSite, resolver: Resolver): Style | null {
  const style = STYLES.find((known) => known === value)
  if (style !== undefined) return style
  const hint = typeof value === 'string' ? suggestion(value, STYLES) : `known: ${STYLES.join(', ')}`
  resolver.report(site, 'request/directive', 'there is no such style', hint)
  return null
}

function reportUnknown(key: string, site: Site, resolver: Resolver): void {
  const near = suggestion(key, DIRECTIVES)
  const hint =
    near?.startsWith('did you mean') === true ? near : `write $${key} for a member of this name`
  resolver.report(site, 'request/directive', `there is no directive "${key}"`, hint)
}

/** What a list of named values is made of: who declares the names, how lists are written. */
export interface FieldsOptions {
  /** The keys that lead to the block, `request.query`: names in it are parameters. */
  readonly use: string
  readonly style: Style
  /** Whether `$style` may stand beside `$value`. */
  readonly styled: boolean
  /** Whether a name may come twice (a query), or replaces what was there. */
  readonly repeatable: boolean
}

interface Field {
  readonly name: string
  readonly value: Template
  readonly style: Style | null
}

/** Query, form and header entries. */
export function resolveEntries(
  fields: FieldsSource | undefined,
  site: TextSite,
  resolver: Resolver,
  options: FieldsOptions,
): readonly Entry[] {
  return resolveFields(fields, site, resolver, options).map(({ name, value, style }) => ({
    name,
    value,
    style: style ?? options.style,
  }))
}

/** A JSON object written as names of parameters and `{ name: template }` entries. */
export function resolveMembers(
  fields: FieldsSource | undefined,
  site: TextSite,
  resolver: Resolver,
  use: string,
): Template {
  if (fields !== undefined && !isFieldList(fields)) return resolveTemplate(fields, site, resolver)
  const options = { use, style: 'repeat', styled: false, repeatable: false } as const
  const members = resolveFields(fields, site, resolver, options)
  return objectOf(members.map(({ name, value }) => [name, value]))
}

function resolveFields(
  fields: FieldsSource | undefined,
  site: TextSite,
  resolver: Resolver,
  options: FieldsOptions,
): readonly Field[] {
  if (fields === undefined) return []
  if (!isFieldList(fields)) return resolveFieldMap(fields, site, resolver, options)
  const seen = new Set<string>()
  return fields.flatMap((field, index) => {
    const here = below(site, index)
    const found =
      typeof field === 'string'
        ? [resolveParameter(field, here, resolver, options)]
        : resolveFieldMap(field, here, resolver, options)
    for (const { name } of found) {
      if (seen.has(name) && !options.repeatable) {
        resolver.report(
          here,
          'request/duplicate-name',
          `"${name}" is set twice`,
          'remove one of the two',
        )
      }
      seen.add(name)
    }
    return found
  })
}

function isFieldList(fields: FieldsSource): fields is readonly (string | JsonObject)[] {
  return Array.isArray(fields)
}

function resolveParameter(
  name: string,
  site: TextSite,
  resolver: Resolver,
  options: FieldsOptions,
): Field {
  if (name.includes('{{')) {
    const hint = `write { name: "${name}" }`
    resolver.report(site, 'request/field', 'an entry that is a text names a parameter', hint)
  }
  const use: UseSite = { at: site.at, owner: site.owner, use: options.use }
  const path: ParamPath = resolver.param(name, use, new Set([name]))
  const expression: Expression = { kind: 'path', root: 'params', path }
  return { name, value: { kind: 'value', expression }, style: null }
}

function resolveFieldMap(
  fields: JsonObject,
  site: TextSite,
  resolver: Resolver,
  options: FieldsOptions,
): readonly Field[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const here = below(site, key)
    if (key.startsWith('$') && !key.startsWith('$$')) {
      const hint = DIRECTIVES.includes(key)
        ? 'put it into the value of each entry'
        : `write $${key} for an entry of this name`
      resolver.report(
        below(site, key, 'key'),
        'request/directive',
        `${key} cannot stand here`,
        hint,
      )
      return []
    }
    const name = key.startsWith('$$') ? key.slice(1) : key
    return [{ name, ...resolveFieldValue(value, here, resolver, options) }]
  })
}

function resolveFieldValue(
  value: Json,
  site: TextSite,
  resolver: Resolver,
  options: FieldsOptions,
): Pick<Field, 'value' | 'style'> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || !options.styled || !Object.hasOwn(value, '$style')) {
    return { value: resolveTemplate(value, site, resolver), style: null }
  }
  const directives = readDirectives(value as JsonObject, site, resolver) // no array, see above
  if (directives.value === undefined) {
    const hint = 'write { $style: …, $value: … }'
    resolver.report(below(site, '$style', 'key'), 'request/directive', '$style needs $value', hint)
  }
  return { value: applyDirectives(directives, site, resolver), style: directives.style }
}

/** The site of a member or element. */
export function below<S extends Site>(
  site: S,
  step: string | number,
  part: 'key' | 'value' = 'value',
): S {
  return { ...site, at: [...site.at, step], part }
}
