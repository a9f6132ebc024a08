// Values of a manifest in data positions → templates: strings with `{{ }}`, and objects that carry `$if` and `$value`.
import type { Expression, Template, Text } from '../expression/syntax.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject, isList } from '../json/members.ts'
import type { TextPlace } from './draft.ts'
import type { Entry, Style } from './manifest.ts'
import type { Site } from './resolver.ts'
import type { FieldsSource } from './source.ts'
import { suggestion } from './suggest.ts'

/** Resolves any value. What holds no expression and no directive becomes one constant. */
export function resolveTemplate(value: Json, site: Site, place: TextPlace): Template {
  if (typeof value === 'string') return toTemplate(site.text(value, place))
  if (isList(value)) {
    const items = value.map((item, index) => resolveTemplate(item, site.in(index), place))
    const constants = items.flatMap((item) => (item.kind === 'constant' ? [item.value] : []))
    const isConstant = constants.length === items.length
    return isConstant ? { kind: 'constant', value: constants } : { kind: 'array', items }
  }
  if (!isJsonObject(value)) return { kind: 'constant', value }
  const directives = readDirectives(value, site)
  if (directives.style !== null) {
    const hint = 'it sets the style of one entry of a query or form'
    site.in('$style').key.report('request/directive', '$style has no effect here', hint)
  }
  return applyDirectives(directives, site, place)
}

/** One expression alone keeps its JSON type; text around it makes text. */
function toTemplate(text: Text): Template {
  const [only] = text
  if (text.length !== 1 || only === undefined) return { kind: 'text', text }
  if (typeof only === 'string') return { kind: 'constant', value: only }
  if (only.kind === 'ifBlock' || only.kind === 'eachBlock') return { kind: 'text', text }
  return { kind: 'value', expression: only }
}

/** An object template, folded into a constant where nothing in it depends on the call. */
function foldObject(members: readonly (readonly [name: string, value: Template])[]): Template {
  const constants = members.flatMap(([name, member]) =>
    member.kind === 'constant' ? [[name, member.value] as const] : [],
  )
  return constants.length === members.length
    ? { kind: 'constant', value: Object.fromEntries(constants) }
    : { kind: 'object', members }
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

function applyDirectives(
  { test, value, members }: Directives,
  site: Site,
  place: TextPlace,
): Template {
  const inner =
    value === undefined
      ? foldObject(
          members.map(({ key, name, value: data }) => [
            name,
            resolveTemplate(data, site.in(key), place),
          ]),
        )
      : resolveTemplate(value, site.in('$value'), place)
  return test === null ? inner : { kind: 'when', test, value: inner }
}

function readDirectives(object: JsonObject, site: Site): Directives {
  const members: { key: string; name: string; value: Json }[] = []
  let test: Expression | null = null
  let style: Style | null = null
  for (const [key, value] of Object.entries(object)) {
    const here = site.in(key)
    if (!key.startsWith('$')) members.push({ key, name: key, value })
    else if (key.startsWith('$$')) members.push({ key, name: key.slice(1), value })
    else if (key === '$if') {
      if (typeof value === 'string') test = here.expression(value, 'directive')
      else here.report('request/directive', '$if takes one expression', 'write "{{ … }}"')
    } else if (key === '$style') style = readStyle(value, here)
    else if (key !== '$value') {
      const near = suggestion(key, DIRECTIVES)
      const isNear = near?.startsWith('did you mean') === true
      const hint = isNear ? near : `write $${key} for a member of this name`
      here.key.report('request/directive', `there is no directive "${key}"`, hint)
    }
  }
  const extra = Object.hasOwn(object, '$value') ? members[0] : undefined
  if (extra !== undefined) {
    const message = 'an object with $value has no members of its own'
    site.in(extra.key).key.report('request/directive', message, 'remove one of the two')
  }
  return { test, value: object['$value'], style, members }
}

const STYLES: readonly Style[] = ['repeat', 'csv', 'ssv', 'pipe', 'brackets', 'indices', 'json']

function readStyle(value: Json, site: Site): Style | null {
  const style = STYLES.find((known) => known === value)
  if (style !== undefined) return style
  const hint = typeof value === 'string' ? suggestion(value, STYLES) : `known: ${STYLES.join(', ')}`
  site.report('request/directive', 'there is no such style', hint)
  return null
}

/** What a list of named values is made of: whose names they are, how lists are written. */
export interface EntryOptions {
  readonly place: TextPlace
  readonly style: Style
  /** Whether `$style` may stand next to `$value`. Default: no. */
  readonly styled?: boolean
  /** Whether a name may come twice (a query), or replaces what was there. Default: it replaces. */
  readonly repeatable?: boolean
}

/** Query, form and header entries. */
export function resolveEntries(
  fields: FieldsSource | undefined,
  site: Site,
  options: EntryOptions,
): readonly Entry[] {
  if (fields === undefined) return []
  if (!isFieldList(fields)) return resolveFieldMap(fields, site, options)
  const seen = new Set<string>()
  return fields.flatMap((field, index) => {
    const here = site.in(index)
    const found =
      typeof field === 'string'
        ? [resolveParameter(field, here, options)]
        : resolveFieldMap(field, here, options)
    for (const { name } of found) {
      if (seen.has(name) && options.repeatable !== true)
        here.report('request/duplicate-name', `"${name}" is set twice`, 'remove one of the two')
      seen.add(name)
    }
    return found
  })
}

/** A JSON object written as names of parameters and `{ name: template }` entries. */
export function resolveMembers(
  fields: FieldsSource | undefined,
  site: Site,
  place: TextPlace,
): Template {
  if (fields !== undefined && !isFieldList(fields)) return resolveTemplate(fields, site, place)
  const members = resolveEntries(fields, site, { place, style: 'repeat' })
  return foldObject(members.map(({ name, value }) => [name, value]))
}

/** Header entries over others: names in lower case, one entry per name. */
export function resolveHeaders(
  fields: FieldsSource | undefined,
  site: Site,
  options: EntryOptions,
  under: readonly Entry[] = [],
): readonly Entry[] {
  const entries = new Map<string, Entry>()
  for (const entry of [...under, ...resolveEntries(fields, site, options)]) {
    const name = entry.name.toLowerCase()
    entries.delete(name)
    entries.set(name, { ...entry, name })
  }
  return [...entries.values()]
}

function isFieldList(fields: FieldsSource): fields is readonly (string | JsonObject)[] {
  return Array.isArray(fields)
}

function resolveParameter(name: string, site: Site, { place, style }: EntryOptions): Entry {
  if (name.includes('{{')) {
    const hint = `write { name: "${name}" }`
    site.report('request/field', 'an entry that is a text names a parameter', hint)
  }
  const path = site.param(name, place, new Set([name]))
  return {
    name,
    value: { kind: 'value', expression: { kind: 'path', root: 'params', path } },
    style,
  }
}

function resolveFieldMap(fields: JsonObject, site: Site, options: EntryOptions): readonly Entry[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const here = site.in(key)
    const isEscaped = key.startsWith('$$')
    if (key.startsWith('$') && !isEscaped) {
      const hint = DIRECTIVES.includes(key)
        ? 'put it into the value of each entry'
        : `write $${key} for an entry of this name`
      here.key.report('request/directive', `${key} cannot stand here`, hint)
      return []
    }
    return [{ name: isEscaped ? key.slice(1) : key, ...resolveFieldValue(value, here, options) }]
  })
}

function resolveFieldValue(
  value: Json,
  site: Site,
  { place, style, styled }: EntryOptions,
): Pick<Entry, 'value' | 'style'> {
  if (styled !== true || !isJsonObject(value) || !Object.hasOwn(value, '$style'))
    return { value: resolveTemplate(value, site, place), style }
  const directives = readDirectives(value, site)
  if (directives.value === undefined) {
    const hint = 'write { $style: …, $value: … }'
    site.in('$style').key.report('request/directive', '$style needs $value', hint)
  }
  return { value: applyDirectives(directives, site, place), style: directives.style ?? style }
}
