// Templates run backwards: from a value on the wire to the parameters that a caller must have given.
import { compileExpression } from '../../language/expression/evaluate.ts'
import type {
  Expression,
  HelperName,
  ParamPath,
  Root,
  Scope,
  Template,
  Text,
} from '../../language/expression/syntax.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { Style } from '../../language/manifest/manifest.ts'
import { matchText } from './match-text.ts'
import { scalarText } from './same-scalar.ts'

/** A value found on the wire, and the name it goes by in the manifest. */
export interface Reading {
  readonly root: Root
  readonly path: ParamPath
  readonly value: Json
  /** The value is the one that was given; false when a helper on the way may have changed it. */
  readonly exact: boolean
  /** How lists were written where it arrived as text (path, query, form, header), so its JSON type is still open; else null. */
  readonly style: Style | null
  readonly from: WirePlace
}

export type WirePlace = 'path' | 'query' | 'header' | 'body'

/** Something on the wire that the manifest's request cannot have put there, or that is missing. */
export interface WireProblem {
  /** The name a vendor would complain about. */
  readonly field: string
  readonly message: string
}

interface How {
  readonly exact: boolean
  readonly style: Style | null
}
type Undo = (reader: Reader, args: readonly Expression[], value: Json, how: How) => void

const XML_NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/**
 * Helpers that can be undone. `inexact` ones give back their argument as it arrived, which serves filters of
 * the demo data but is not checked. A helper that is not here keeps its arguments to itself.
 */
const UNDO: Readonly<Partial<Record<HelperName, Undo>>> = {
  default: readChoice,
  or: readChoice,
  and: (reader, args, value, how) => readArgument(reader, args.at(-1), value, how),
  string: readFirst,
  int: readFirst,
  float: readFirst,
  json: (reader, args, value, how) => {
    const parsed = typeof value === 'string' ? tryParseJson(value) : undefined
    if (parsed !== undefined) readArgument(reader, args[0], parsed, { ...how, style: null })
  },
  base64: textually((text) => Buffer.from(text, 'base64').toString()),
  urlencode: textually(decodeLoosely),
  // The path of a request arrives decoded.
  segments: readFirst,
  xml: textually(unescapeXml),
  quote: textually((text) => text.replace(/\\(.)/gs, '$1')),
  join: (reader, args, value, how) => {
    const separator = literalText(args[1])
    if (typeof value !== 'string' || separator === undefined || separator === '') return
    readArgument(reader, args[0], value === '' ? [] : value.split(separator), how)
  },
  split: (reader, args, value, how) => {
    const separator = literalText(args[1])
    if (!Array.isArray(value) || separator === undefined) return
    readArgument(reader, args[0], value.join(separator), { ...how, exact: false })
  },
  replace: readInexactly,
  date: readInexactly,
  add_duration: readInexactly,
  round_up: readInexactly,
  lower: readInexactly,
  upper: readInexactly,
  trim: readInexactly,
  unique: readInexactly,
}

/** Reads values of one request against the places of its template and collects what they say. */
export class Reader {
  readonly readings: Reading[] = []
  readonly problems: WireProblem[] = []
  /** How many fixed values were found as they must be. */
  constants = 0
  from: WirePlace = 'path'
  /** `config`, `maps` and `record_fields`, which are known without the caller. */
  readonly #known: Scope

  constructor(known: Scope) {
    this.#known = known
  }

  /**
   * Reads a value that stands where `template` stood. `field` names the place in problems.
   * `style` is null for JSON; else the value is text, or texts of which lists and objects were made by that style.
   */
  template(template: Template, value: Json, field: string, style: Style | null = null): void {
    if (template.kind === 'constant') this.#constant(template.value, value, field)
    else if (template.kind === 'value') {
      this.expression(template.expression, value, { exact: true, style }, field)
    } else if (template.kind === 'when') this.template(template.value, value, field, style)
    else if (template.kind === 'text') this.#text(template.text, value, field)
    else this.#structure(template, value, field, style)
  }

  /** Takes a finished text apart; false when it cannot have come from `text`. */
  finished(text: Text, value: string, field: string): boolean {
    const captures = matchText(text, value)
    if (captures === null) return false
    for (const { part, value: piece } of captures) {
      if (piece === undefined || part.kind === 'ifBlock' || part.kind === 'eachBlock') continue
      this.expression(part, piece, { exact: true, style: 'repeat' }, field)
    }
    return true
  }

  expression(expression: Expression, value: Json, how: How, field: string): void {
    if (expression.kind === 'local') return
    if (expression.kind === 'literal') return this.#constant(expression.value, value, field)
    const fixed = this.fixed(expression)
    if (fixed !== undefined) return this.#constant(fixed, value, field)
    if (expression.kind === 'path') {
      const { root, path } = expression
      this.readings.push({ root, path, value, ...how, from: this.from })
      return
    }
    UNDO[expression.helper]?.(this, expression.args, value, how)
  }

  problem(field: string, message: string): void {
    this.problems.push({ field, message })
  }

  /** True for what no choice of the caller can leave out. Objects and lists stay, even when emptied. */
  isAlwaysSent(template: Template): boolean {
    if (template.kind === 'object' || template.kind === 'array') return true
    if (template.kind === 'constant') return true
    return template.kind === 'value' && this.fixed(template.expression) !== undefined
  }

  /** The value of an expression that needs nothing from the caller; undefined when it does. */
  fixed(expression: Expression): Json | undefined {
    return isFixed(expression) ? compileExpression(expression)(this.#known) : undefined
  }

  #constant(expected: Json, value: Json, field: string): void {
    const equal =
      typeof value === 'string' ? scalarText(expected) === value : jsonEqual(expected, value)
    if (equal) this.constants++
    else this.problem(field, `must be ${JSON.stringify(expected)}`)
  }

  #text(text: Text, value: Json, field: string): void {
    if (typeof value === 'string' && this.finished(text, value, field)) return
    this.problem(field, 'has an unknown form')
  }

  #structure(
    template: Extract<Template, { kind: 'object' | 'array' }>,
    value: Json,
    field: string,
    style: Style | null,
  ): void {
    // In a query or a form an object travels as JSON text, unless its style gave it names of its own.
    const parsed = style !== null && typeof value === 'string' ? tryParseJson(value) : value
    if (template.kind === 'object') this.#members(template.members, parsed, field, style)
    else this.#items(template.items, parsed, field, style)
  }

  #members(
    members: readonly (readonly [name: string, value: Template])[],
    value: Json | undefined,
    field: string,
    style: Style | null,
  ): void {
    if (!isJsonObject(value))
      return this.problem(field === '' ? 'body' : field, 'must be an object')
    const templates = new Map(members)
    for (const [name, member] of Object.entries(value)) {
      const template = templates.get(name)
      if (template === undefined) this.problem(placeOf(field, name), 'is unknown')
      else this.template(template, member, placeOf(field, name), style)
    }
    for (const [name, template] of members) {
      if (Object.hasOwn(value, name)) continue
      if (this.isAlwaysSent(template)) this.problem(placeOf(field, name), 'is missing')
    }
  }

  #items(
    items: readonly Template[],
    value: Json | undefined,
    field: string,
    style: Style | null,
  ): void {
    if (!Array.isArray(value)) return this.problem(field, 'must be a list')
    // Absent elements are dropped, so places can be told only when none was.
    if (value.length !== items.length) return
    for (const [index, template] of items.entries()) {
      this.template(template, value[index] ?? null, `${field}[${index}]`, style)
    }
  }
}

function placeOf(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`
}

function isFixed(expression: Expression): boolean {
  if (expression.kind === 'literal') return true
  if (expression.kind === 'local') return false
  if (expression.kind === 'path') {
    return ['config', 'maps', 'record_fields'].includes(expression.root)
  }
  return expression.helper !== 'now' && expression.args.every(isFixed)
}

/** `default params.fields '*navigable'`: one of the fixed values says that nothing was given. */
function readChoice(reader: Reader, args: readonly Expression[], value: Json, how: How): void {
  for (const argument of args) {
    const fixed = reader.fixed(argument)
    if (fixed !== undefined && (jsonEqual(fixed, value) || scalarText(fixed) === value)) return
  }
  const open = args.find((argument) => !isFixed(argument))
  readArgument(reader, open, value, how)
}

function readFirst(reader: Reader, args: readonly Expression[], value: Json, how: How): void {
  readArgument(reader, args[0], value, how)
}

function readInexactly(reader: Reader, args: readonly Expression[], value: Json, how: How): void {
  readArgument(reader, args[0], value, { ...how, exact: false })
}

/** Of a helper that turns one text into another. */
function textually(undo: (text: string) => string): Undo {
  return (reader, [argument], value, how) => {
    if (typeof value === 'string') readArgument(reader, argument, undo(value), how)
  }
}

function readArgument(
  reader: Reader,
  argument: Expression | undefined,
  value: Json,
  how: How,
): void {
  if (argument !== undefined && !isFixed(argument)) reader.expression(argument, value, how, '')
}

function literalText(expression: Expression | undefined): string | undefined {
  return expression?.kind === 'literal' && typeof expression.value === 'string'
    ? expression.value
    : undefined
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A stray percent sign: leave it as it arrived.
  }
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,5})|(amp|lt|gt|quot|apos));/g, (_, code?: string, name = '') =>
    code === undefined ? (XML_NAMES[name as string] ?? '') : String.fromCharCode(Number(code)),
  )
}
