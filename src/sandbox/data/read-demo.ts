// manifests/demo/*.yaml → Demo. Everything wrong with a file is found at once, each finding with its place.
import { readFileSync } from 'node:fs'

import { parseRecordPath } from '../../language/expression/parse-path.ts'
import { ExpressionSyntaxError, parseText } from '../../language/expression/parse-text.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Path, Text } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { problemAt } from '../../language/manifest/document.ts'
import type { DocumentPath, ManifestDocument } from '../../language/manifest/document.ts'
import type { JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { inFileOrder } from '../../language/manifest/problem.ts'
import type { ManifestProblem } from '../../language/manifest/problem.ts'
import { readDocument } from '../../language/manifest/read.ts'
import { nearest } from '../../language/manifest/suggest.ts'
import { compileValidator, type Validator } from '../../language/manifest/validator.ts'
import { packageFile } from '../../package-file.ts'
import { scopesIn } from '../auth/scopes.ts'
import { isObject } from '../wire/is-object.ts'
import { textOf } from '../wire/same-scalar.ts'
import type { QueryFault, QueryField, QueryRule } from './apply-query.ts'
import type { SelectRule, ShowRule } from './choose-members.ts'
import type { DemoCompiler } from './demo-directive.ts'
import type { TreeRules } from './demo-trees.ts'
import { compileMembers, compileValue } from './demo-value.ts'
import type {
  ActionRules,
  Demo,
  DemoRoute,
  PageSizes,
  Refusal,
  RefusalText,
  RefusedNames,
  Write,
} from './demo.ts'
import type { Filter, FilterTest, Pick, Sort } from './narrow.ts'
import type { MakeValue, Members, SetRules } from './world.ts'

export interface ReadDemo {
  /** Null when there are problems. */
  readonly demo: Demo | null
  readonly problems: readonly ManifestProblem[]
}

/**
 * Reads the demo data of one connector: YAML under the same rules as a manifest, then the schema
 * (schemas/demo.schema.json), then words, templates, paths, and the names of sets and actions.
 */
export function readDemo(source: Uint8Array | string, file: string, manifest: Manifest): ReadDemo {
  const read = readDocument(source, file)
  if (read.document === null) return { demo: null, problems: read.problems }
  const { document } = read
  const invalid = schemaProblems(document)
  if (invalid.length > 0) return { demo: null, problems: invalid }
  const reader = new DemoReader(document, manifest)
  const demo = reader.read()
  return reader.problems.length > 0
    ? { demo: null, problems: inFileOrder(reader.problems) }
    : { demo, problems: [] }
}

let demoValidator: Validator | undefined

/** Kept: compiling the schema takes longer than reading a file of demo data. */
function validator(): Validator {
  if (demoValidator !== undefined) return demoValidator
  const text = readFileSync(packageFile('schemas/demo.schema.json'), 'utf8')
  // The schema's own definitions stay where they are; `$schema` and `$id` would make it known by name.
  const { $schema: _schema, $id: _id, definitions, ...schema } = JSON.parse(text) as JsonSchema
  return (demoValidator = compileValidator(
    schema,
    (definitions ?? {}) as Record<string, JsonSchema>,
  ))
}

function schemaProblems(document: ManifestDocument): readonly ManifestProblem[] {
  return inFileOrder(
    validator()(document.value).map(({ pointer, detail }) => {
      const at = pointerSteps(pointer, document.value)
      const message = `${String(at.at(-1) ?? 'the file')}: ${detail}`
      return problemAt(document, { at, rule: 'demo/schema', message, part: 'key' })
    }),
  )
}

function pointerSteps(pointer: string, value: Json): DocumentPath {
  let found: Json | undefined = value
  return pointer
    .split('/')
    .slice(1)
    .map((raw) => {
      const name = raw.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(found) ? Number(name) : name
      found = own(found, name)
      return step
    })
}

/** Reads one document that is valid against the schema. */
class DemoReader implements DemoCompiler {
  readonly problems: ManifestProblem[] = []
  readonly sets: DemoCompiler['sets']
  readonly trees: DemoCompiler['trees']
  readonly timeFormat: string
  private readonly document: ManifestDocument
  private readonly manifest: Manifest

  constructor(document: ManifestDocument, manifest: Manifest) {
    this.document = document
    this.manifest = manifest
    this.timeFormat = textOf(document.value['time_format'] ?? 'iso')
    this.sets = new Map(
      Object.entries(objectOf(document.value['sets'])).map(([name, set]) => [
        name,
        new Set(Object.keys(objectOf(own(set, 'forms')))),
      ]),
    )
    const trees = new Map<string, TreeRules>()
    this.trees = trees
    for (const [name, tree] of Object.entries(objectOf(document.value['trees']))) {
      trees.set(name, this.tree(objectOf(tree), ['trees', name]))
    }
  }

  private tree({ kind, inside, around, nodes }: JsonObject, at: DocumentPath): TreeRules {
    return {
      kind: textOf(kind ?? 'type'),
      inside: textOf(inside ?? 'content'),
      around: typeof around === 'string' ? around : null,
      nodes: new Map(
        Object.entries(objectOf(nodes)).map(([type, text]) => [
          type,
          compileValue(text, [...at, 'nodes', type], this),
        ]),
      ),
    }
  }

  problem(
    at: DocumentPath,
    message: string,
    options: Parameters<DemoCompiler['problem']>[2] = {},
  ): void {
    this.problems.push(problemAt(this.document, { at, rule: 'demo/value', message, ...options }))
  }

  read(): Demo {
    const { value } = this.document
    this.checkName(['connector'], textOf(value['connector']), [this.manifest.type])
    this.checkNames(
      ['credentials'],
      this.manifest.auth.map(({ name }) => name),
    )
    return {
      startMs: typeof value['now'] === 'string' ? Date.parse(value['now']) : null,
      config: objectOf(value['config']),
      learned: objectOf(value['learned']),
      credentials: new Map(
        Object.entries(objectOf(value['credentials'])).map(([name, given]) => [
          name,
          objectOf(given),
        ]),
      ),
      client: isObject(value['client'])
        ? { id: textOf(value['client']['id']), secret: textOf(value['client']['secret']) }
        : null,
      maps: objectOf(value['maps']),
      sets: Object.entries(objectOf(value['sets'])).map(([name, set]) =>
        this.set(name, objectOf(set), ['sets', name]),
      ),
      actions: this.actions(objectOf(value['actions'])),
      routes: listOf(value['routes']).map((route, index) =>
        this.route(objectOf(route), ['routes', index]),
      ),
      envelope: this.optional(value['envelope'], ['envelope']),
      errorEnvelope: this.optional(value['error_envelope'], ['error_envelope']),
      page: pageSizes(value['page']),
      empty: this.refusalText(value['empty'], ['empty']),
      errors: new Map(
        Object.entries(objectOf(value['errors'])).flatMap(([kind, text]) => {
          const read = this.refusalText(text, ['errors', kind])
          return read === null ? [] : [[kind, read] as const]
        }),
      ),
    }
  }

  private set(name: string, set: JsonObject, at: DocumentPath): SetRules {
    const { count, per, keys, rows } = set
    const record = this.members(set['record'], [...at, 'record']) ?? []
    if (typeof per === 'string') this.checkName([...at, 'per'], per, [...this.sets.keys()])
    const given = listOf(rows)
    return {
      name,
      per: typeof per === 'string' ? per : null,
      count: countOf(count, given.length),
      keys: listOf(keys ?? ['id']).map((key, index) =>
        this.memberPath(textOf(key), [...at, 'keys', index]),
      ),
      rows: given.map((row, index) => compileMembers(objectOf(row), [...at, 'rows', index], this)),
      columns: this.members(set['let'], [...at, 'let']) ?? [],
      record,
      blank: record,
      view: this.optional(set['view'], [...at, 'view']),
      forms: new Map(
        Object.entries(objectOf(set['forms'])).map(([form, value]) => [
          form,
          this.form(value, [...at, 'forms', form]),
        ]),
      ),
      show: this.shows(set['show'], [...at, 'show']),
      select: this.selects(set['select'], [...at, 'select']),
      missing: this.optional(set['missing'], [...at, 'missing']),
      touch: this.writes(set['touch'], [...at, 'touch']),
    }
  }

  /** A form is a list of member names, or any value. */
  private form(value: Json, at: DocumentPath): MakeValue {
    if (!Array.isArray(value)) return compileValue(value, at, this)
    const names = value.map(String)
    return ({ scope }) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const member = own(scope.record, name)
          return member === undefined ? [] : [[name, member]]
        }),
      )
  }

  private actions(actions: JsonObject): ReadonlyMap<string, ActionRules> {
    const known = this.manifest.entities.flatMap((entity) =>
      entity.actions.flatMap((action) => {
        const operation = `${entity.name}.${action.name}`
        return [operation, ...action.steps.map((step) => `${operation}/${step.name}`)]
      }),
    )
    this.checkNames(['actions'], known)
    return new Map(
      Object.entries(actions).map(([name, rules]) => [
        name,
        this.action(objectOf(rules), ['actions', name]),
      ]),
    )
  }

  private action(rules: JsonObject, at: DocumentPath): ActionRules {
    const { set } = rules
    if (typeof set === 'string') this.checkName([...at, 'set'], set, [...this.sets.keys()])
    return {
      set: typeof set === 'string' ? set : null,
      key: this.optional(rules['key'], [...at, 'key']),
      parent: this.optional(rules['parent'], [...at, 'parent']),
      refuse: listOf(rules['refuse']).map((refusal, index) =>
        this.refusal(objectOf(refusal), [...at, 'refuse', index]),
      ),
      scopes: Object.entries(objectOf(rules['scopes'])).map(([scope, when]) => {
        const place = [...at, 'scopes', scope]
        this.checkName(place, scope, scopesIn(this.manifest), 'key')
        return [scope, compileValue(when, place, this)]
      }),
      filters:
        rules['filters'] === undefined
          ? null
          : listOf(rules['filters']).map((filter, index) =>
              this.filter(objectOf(filter), [...at, 'filters', index]),
            ),
      query: isObject(rules['query']) ? this.query(rules['query'], [...at, 'query']) : null,
      sort: isObject(rules['sort']) ? this.sort(rules['sort'], [...at, 'sort']) : null,
      page: pageSizes(rules['page']),
      empty: this.refusalText(rules['empty'], [...at, 'empty']),
      show: this.shows(rules['show'], [...at, 'show']),
      select: this.selects(rules['select'], [...at, 'select']),
      record: this.members(rules['record'], [...at, 'record']),
      write: this.writes(rules['write'], [...at, 'write']),
      remove: this.optional(rules['remove'], [...at, 'remove']),
      status: typeof rules['status'] === 'number' ? rules['status'] : null,
      silent: this.optional(rules['silent'], [...at, 'silent']),
      answer: this.optional(rules['answer'], [...at, 'answer']),
      envelope: this.optional(rules['envelope'], [...at, 'envelope']),
      example: this.optional(rules['example'], [...at, 'example']),
    }
  }

  private refusal(refusal: JsonObject, at: DocumentPath): Refusal {
    if (!['message', 'fields', 'names'].some((name) => Object.hasOwn(refusal, name))) {
      this.problem(at, 'a refusal says a "message", "fields" or "names"')
    }
    return {
      when: this.optional(refusal['when'], [...at, 'when']),
      unless: this.optional(refusal['unless'], [...at, 'unless']),
      status: typeof refusal['status'] === 'number' ? refusal['status'] : null,
      message: this.optional(refusal['message'], [...at, 'message']),
      fields: Object.entries(objectOf(refusal['fields'])).map(([field, text]) => [
        field,
        compileValue(text, [...at, 'fields', field], this),
      ]),
      names: isObject(refusal['names']) ? this.names(refusal['names'], [...at, 'names']) : null,
    }
  }

  private names(names: JsonObject, at: DocumentPath): RefusedNames {
    if (names['known'] === undefined && names['barred'] === undefined) {
      this.problem(at, 'names are "known" or "barred"')
    }
    return {
      of: compileValue(names['of'] ?? null, [...at, 'of'], this),
      known: this.optional(names['known'], [...at, 'known']),
      barred: this.optional(names['barred'], [...at, 'barred']),
      message: compileValue(names['message'] ?? '', [...at, 'message'], this),
    }
  }

  private filter(filter: JsonObject, at: DocumentPath): Filter {
    const { at: paths, test, ignore_case } = filter
    return {
      at: this.picks(paths, [...at, 'at']),
      value: compileValue(filter['value'] ?? null, [...at, 'value'], this),
      // The schema has checked the name.
      test: (test as FilterTest | undefined) ?? 'is',
      ignoreCase: ignore_case === true,
    }
  }

  private query(query: JsonObject, at: DocumentPath): QueryRule {
    return {
      text: compileValue(query['text'] ?? null, [...at, 'text'], this),
      fields: new Map(
        Object.entries(objectOf(query['fields'])).map(([name, field]) => [
          name.toLowerCase(),
          this.queryField(field, [...at, 'fields', name]),
        ]),
      ),
      values: new Map(
        Object.entries(objectOf(query['values'])).map(([name, value]) => [
          name.toLowerCase(),
          compileValue(value, [...at, 'values', name], this),
        ]),
      ),
      unbounded: this.optional(query['unbounded'], [...at, 'unbounded']),
      reserved: textOf(query['reserved'] ?? ''),
      mostOrders: typeof query['most_orders'] === 'number' ? query['most_orders'] : Infinity,
      says: new Map(
        Object.entries(objectOf(query['says'])).map(([fault, text]) => [
          // The schema has checked the name.
          fault as QueryFault,
          compileValue(text, [...at, 'says', fault], this),
        ]),
      ),
    }
  }

  /** Paths, or an object that says more. */
  private queryField(field: Json, at: DocumentPath): QueryField {
    const rules = isObject(field) ? field : { at: field }
    const { known, order, words, time, at: paths } = objectOf(rules)
    const kinds = [known !== undefined, words === true, time === true].filter(Boolean)
    if ((paths === undefined) === (rules['value'] === undefined)) {
      this.problem(at, 'a field has either "at" or "value"')
    }
    if (kinds.length > 1) this.problem(at, 'a field has one of "known", "words" and "time"')
    if (known === undefined && order !== undefined) {
      this.problem(at, '"order" is the order of "known", which is missing')
    }
    return {
      at: paths === undefined ? [] : this.picks(paths, isObject(field) ? [...at, 'at'] : at),
      value: this.optional(rules['value'], [...at, 'value']),
      kind:
        words === true ? 'words' : time === true ? 'time' : known === undefined ? 'plain' : 'known',
      known: this.optional(known, [...at, 'known']),
      order: order === 'rising' || order === 'falling' || order === 'value' ? order : null,
      none: listOf(rules['none']).map((value) => textOf(value).toLowerCase()),
      unknown: this.optional(rules['unknown'], [...at, 'unknown']),
    }
  }

  private sort(sort: JsonObject, at: DocumentPath): Sort {
    return {
      by: compileValue(sort['by'] ?? null, [...at, 'by'], this),
      descending: this.optional(sort['descending'], [...at, 'descending']) ?? (() => false),
      fields: new Map(
        Object.entries(objectOf(sort['fields'])).map(([name, path]) => [
          name,
          this.pick(textOf(path), [...at, 'fields', name]),
        ]),
      ),
    }
  }

  private route(route: JsonObject, at: DocumentPath): DemoRoute {
    const [method = '', path = ''] = textOf(route['http']).split(' ')
    return {
      method,
      path: path
        .split('/')
        .slice(1)
        .map((segment): Text => this.readOr(() => parseText(segment), [...at, 'http'], [])),
      status: typeof route['status'] === 'number' ? route['status'] : 200,
      answer: compileValue(route['answer'] ?? null, [...at, 'answer'], this),
    }
  }

  private refusalText(value: Json | undefined, at: DocumentPath): RefusalText | null {
    if (!isObject(value)) return null
    const { status } = value
    return {
      status: typeof status === 'number' ? status : null,
      message: this.optional(value['message'], [...at, 'message']),
    }
  }

  /** A map of paths to values. */
  private writes(value: Json | undefined, at: DocumentPath): readonly Write[] {
    return Object.entries(objectOf(value)).map(([path, source]) => ({
      path: this.memberPath(path, [...at, path], 'key'),
      value: compileValue(source, [...at, path], this),
    }))
  }

  private optional(value: Json | undefined, at: DocumentPath): MakeValue | null {
    return value === undefined ? null : compileValue(value, at, this)
  }

  private members(value: Json | undefined, at: DocumentPath): Members | null {
    return isObject(value) ? compileMembers(value, at, this) : null
  }

  private shows(value: Json | undefined, at: DocumentPath): readonly ShowRule[] {
    return this.writes(value, at).map((write) => ({ path: write.path, test: write.value }))
  }

  private selects(value: Json | undefined, at: DocumentPath): readonly SelectRule[] {
    return this.writes(value, at).map((write) => ({ path: write.path, names: write.value }))
  }

  /** One path or several. */
  private picks(paths: Json | undefined, at: DocumentPath): readonly Pick[] {
    return Array.isArray(paths)
      ? paths.map((path: Json, index) => this.pick(textOf(path), [...at, index]))
      : [this.pick(textOf(paths), at)]
  }

  private pick(source: string, at: DocumentPath): Pick {
    return this.readOr(
      () => compileBodyPath(parseRecordPath(source)),
      at,
      () => undefined,
    )
  }

  /** A path of members alone. */
  private memberPath(
    source: string,
    at: DocumentPath,
    part: 'key' | 'value' = 'value',
  ): readonly string[] {
    const none: Path = { root: 'body', steps: [], source }
    const { root, steps } = this.readOr(() => parseRecordPath(source), at, none, part)
    const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
    if (root === 'body' && names.length === steps.length) return names
    this.problem(at, 'here stands a path of members alone, such as $.fields.updated', { part })
    return []
  }

  /** What `read` gives; a syntax error becomes a finding and `otherwise` is used. */
  private readOr<T>(
    read: () => T,
    at: DocumentPath,
    otherwise: T,
    part: 'key' | 'value' = 'value',
  ): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error
      const { message, offset, length, hint } = error
      this.problem(at, message, { hint, part, inner: { offset, length } })
      return otherwise
    }
  }

  private checkNames(at: DocumentPath, known: readonly string[]): void {
    const value = own(this.document.value, String(at[0]))
    for (const name of Object.keys(objectOf(value)))
      this.checkName([...at, name], name, known, 'key')
  }

  private checkName(
    at: DocumentPath,
    name: string,
    known: readonly string[],
    part: 'key' | 'value' = 'value',
  ): void {
    if (known.includes(name)) return
    const near = nearest(name, known)
    const hint = near === null ? `known: ${known.join(', ')}` : `did you mean "${near}"?`
    this.problem(at, `there is no "${name}"`, { part, hint })
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** A number, [least, most], or as many as there are rows. */
function countOf(count: Json | undefined, rows: number): readonly [number, number] {
  if (typeof count === 'number') return [count, count]
  const [min = rows, max = rows] = listOf(count)
  return [Number(min), Number(max)]
}

function pageSizes(value: Json | undefined): PageSizes {
  const { size, max, unsaid } = objectOf(value)
  return {
    size: typeof size === 'number' ? size : null,
    max: typeof max === 'number' ? max : null,
    unsaid: listOf(unsaid).map(textOf),
  }
}
