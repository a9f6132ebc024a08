// A vendor made of what its own document says, and of nothing else: it knows no manifest.
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { nativeJson } from '../../src/language/json/native-json.ts'
import type { UpstreamRequest } from '../../src/engine/request/upstream-request.ts'
import { bytesIn } from '../fixtures/sent-bytes.ts'

type Value =
  null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }
type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly responses: {
    readonly '200': { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A request as the document sees it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly url: URL
  readonly body: unknown
  readonly operation: Operation
}

/** What a document alone does not say. */
export interface Peculiarities {
  /** Texts of answers by the name of the member, where a schema does not say enough. */
  readonly texts?: Readonly<Record<string, string>>
  /** Parameters of paths that span segments. */
  readonly spans?: readonly string[]
  /** Values of placeholders, where only they tell paths apart (`/{campaign_id}` and `/{ad_id}`). */
  readonly ids?: Readonly<Record<string, string>>
}

/** Names that say who calls, which documents repeat as parameters. */
const CREDENTIALS = /^(token|access_token|authorization|key)$/i

export class VendorDocument {
  readonly #document: Document
  /** Objects of requests take what is listed only, those of answers anything. */
  readonly #requests: Ajv
  readonly #answers: Ajv
  readonly #made = new Map<string, ValidateFunction>()
  readonly #compiled = new WeakMap<Schema, ValidateFunction>()

  /** Texts of answers by the name of the member, where a schema does not say enough. */
  readonly #texts: ReadonlyMap<string, string>

  /** Parameters of paths that hold slashes. */
  readonly #spans: ReadonlySet<string>

  readonly #ids: ReadonlyMap<string, string>

  constructor(file: string, { texts = {}, spans = [], ids = {} }: Peculiarities = {}) {
    this.#texts = new Map(Object.entries(texts))
    this.#ids = new Map(Object.entries(ids))
    this.#spans = new Set(spans)
    this.#document = JSON.parse(readFileSync(file, 'utf8')) as Document
    const options = { strict: false, allErrors: true, validateFormats: false, coerceTypes: false }
    this.#requests = new Ajv(options)
    this.#answers = new Ajv(options)
    this.#requests.addSchema(asJsonSchema(this.#document, true) as object, 'vendor')
    this.#answers.addSchema(asJsonSchema(this.#document, false) as object, 'vendor')
  }

  /** The operation of a request, literal segments first; null: there is none. `base`: what stands before the paths. */
  find({ method, url, body, headers }: UpstreamRequest, base: RegExp): Seen | null {
    const address = new URL(url)
    const asked = address.pathname.replace(base, '')
    const found = Object.keys(this.#document.paths)
      .filter((path) => this.#fitsPath(path, asked) && this.#at(path, method) !== undefined)
      .toSorted(
        (a, b) => placeholders(a) - placeholders(b) || this.#told(b, asked) - this.#told(a, asked),
      )[0]
    const operation = found === undefined ? undefined : this.#at(found, method)
    if (found === undefined || operation === undefined) return null
    const read = bodyOf(body, headers)
    const [schema] = Object.values(operation.requestBody?.content ?? {})
    const meant = read instanceof Form ? this.#typed(schema?.schema, read.members) : read
    return { method, path: found, url: address, body: meant, operation }
  }

  /** How many placeholders of a path have their value here. */
  #told(path: string, asked: string): number {
    const segments = asked.split('/')
    return path.split('/').filter((one, at) => {
      const value = this.#ids.get(one.slice(1, -1))
      return isPlaceholder(one) && value !== undefined && value === segments[at]
    }).length
  }

  #fitsPath(path: string, asked: string): boolean {
    const pattern = path.split('/').map((one) => {
      if (isPlaceholder(one)) return this.#spans.has(one.slice(1, -1)) ? '.+' : '[^/]+'
      // A placeholder may be a part of a segment: `act_{account_id}`.
      return one
        .split(/\{[^{}]*\}/)
        .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('[^/]+')
    })
    return new RegExp(`^${pattern.join('/')}$`).test(asked)
  }

  #at(path: string, method: string): Operation | undefined {
    return this.#document.paths[path]?.[method.toLowerCase()]
  }

  /** What the document does not allow in a request: `missing query.from`, `unknown body.filter.ids`, or a sentence. */
  problemsOf(seen: Seen): readonly string[] {
    const { operation, url, body } = seen
    const known = (operation.parameters ?? []).filter((one) => one.in === 'query')
    const names = new Set([...url.searchParams.keys()].map((name) => name.replace(/\[.*$/, '')))
    const unknown = [...names].filter((name) => !known.some((one) => one.name === name))
    const missing = known.filter(
      ({ name, required }) => required === true && !names.has(name) && !CREDENTIALS.test(name),
    )
    const wrong = known.flatMap(({ name, schema }) =>
      names.has(name) && !this.#fits(schema, url.searchParams, name) ? [name] : [],
    )
    const media = Object.entries(operation.requestBody?.content ?? {})[0]
    const lacks = media !== undefined && operation.requestBody?.required === true && body === null
    return [
      ...unknown.map((name) => `unknown query.${name}`),
      ...missing.map(({ name }) => `missing query.${name}`),
      ...wrong.map((name) => `query.${name} is ${url.searchParams.getAll(name).join()}`),
      ...(lacks ? ['there is no body'] : []),
      ...(body === null ? [] : this.#bodyProblems(seen, media?.[0])),
    ]
  }

  #bodyProblems({ method, path, body }: Seen, type: string | undefined): readonly string[] {
    if (type === undefined) return ['there is a body']
    const at = pointer(
      'paths',
      path,
      method.toLowerCase(),
      'requestBody',
      'content',
      type,
      'schema',
    )
    const validate = this.#validator(this.#requests, at)
    if (validate(body)) return []
    return (validate.errors ?? []).map(({ keyword, instancePath, message, params }) => {
      const at = `body${instancePath.replaceAll('/', '.')}`
      if (keyword === 'required') return `missing ${at}.${params['missingProperty']}`
      if (keyword === 'additionalProperties') return `unknown ${at}.${params['additionalProperty']}`
      return `${at} ${message ?? ''} ${JSON.stringify(params)}`
    })
  }

  #fits(schema: Schema, query: URLSearchParams, name: string): boolean {
    const texts = query.getAll(name)
    const target = this.#follow(schema)
    if (texts.length === 0) {
      const value = this.#typed(target, new Form([...query]).members[name])
      return this.#takes(target)(value)
    }
    const types = [target['type']].flat()
    const isJson = types.includes('array') && texts.length === 1 && texts[0]?.startsWith('[')
    const readings: readonly unknown[] = isJson
      ? [JSON.parse(texts[0] ?? '')]
      : types.includes('array')
        ? [
            (texts.length === 1 ? (texts[0] ?? '').split(',') : texts).map((text) =>
              this.#read(target['items'], text),
            ),
          ]
        : texts.map((text) => this.#read(target, text))
    const validate = this.#takes(target)
    return readings.every((value) => validate(value))
  }

  #takes(schema: Schema): ValidateFunction {
    const made =
      this.#compiled.get(schema) ??
      this.#answers.compile({
        ...(asJsonSchema(schema, false) as object),
        ...(JSON.stringify(schema).includes('"$ref"') && {
          components: asJsonSchema(this.#document.components, false) as object,
        }),
      })
    this.#compiled.set(schema, made)
    return made
  }

  /** Texts of a form as the vendor reads them, in objects and lists as well. */
  #typed(given: unknown, value: unknown): unknown {
    const schema = this.#follow(given)
    const some = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map((one) =>
      this.#follow(one),
    )
    if (some.length > 0) {
      const readings = some.map((one) => this.#typed(one, value))
      const at = some.findIndex((one, index) => this.#takes(one)(readings[index]))
      return at < 0 ? value : readings[at]
    }
    if (Array.isArray(value)) return value.map((one) => this.#typed(schema['items'], one))
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' ? this.#read(schema, value) : value
    }
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        this.#typed(properties[name] ?? schema['additionalProperties'], one),
      ]),
    )
  }

  /** A text as the vendor reads it. */
  #read(schema: unknown, text: string): unknown {
    const types = [this.#follow(schema)['type']].flat()
    if (types.includes('integer') || types.includes('number')) return Number(text)
    if (types.includes('boolean')) return { true: true, false: false }[text]
    if (types.includes('object')) return JSON.parse(text)
    if (text.startsWith('[') && !types.includes('string')) return JSON.parse(text)
    if (types.includes('array')) return text.split(',')
    return text
  }

  /** Whether an answer is one that the document describes. */
  isAnswer({ method, path }: Seen, answer: unknown): boolean {
    const at = pointer(
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      '200',
      'content',
      'application/json',
      'schema',
    )
    return this.#validator(this.#answers, at)(answer)
  }

  #validator(ajv: Ajv, at: string): ValidateFunction {
    const key = `${ajv === this.#requests} ${at}`
    const made = this.#made.get(key) ?? ajv.compile({ $ref: `vendor#${at}` })
    this.#made.set(key, made)
    return made
  }

  /** An answer with every member that the document describes; `mark` tells records apart. Undefined: it describes none. */
  answerTo({ operation }: Seen, mark: string): Value | undefined {
    const schema = operation.responses['200'].content?.['application/json']?.schema
    return schema === undefined ? undefined : this.#sample(schema, mark, 0)
  }

  #sample(given: unknown, mark: string, depth: number): Value {
    const schema = this.#follow(given)
    const parts = [...listOf(schema['allOf'])]
    const one = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].find(
      (part) => this.#follow(part)['type'] !== 'null',
    )
    if (parts.length > 0 || one !== undefined) {
      const made = [...parts, ...(one === undefined ? [] : [one])].map((part) =>
        this.#sample(part, mark, depth),
      )
      const own = schema['properties'] === undefined ? {} : this.#object(schema, mark, depth)
      const objects = [own, ...made].filter((part) => typeof part === 'object' && part !== null)
      return made.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part))
        ? (Object.assign({}, ...objects) as Value)
        : (made[0] ?? null)
    }
    if (Array.isArray(schema['enum'])) return schema['enum'][0] as Value
    if (schema['const'] !== undefined) return schema['const'] as Value
    const type = [schema['type']].flat().find((name) => name !== 'null')
    switch (type) {
      case 'array':
        return depth > MAX_DEPTH ? [] : [this.#sample(schema['items'] ?? {}, mark, depth + 1)]
      case 'integer':
        return schema['format'] === 'int64' ? BEYOND_DOUBLES : Number(schema['minimum'] ?? 7)
      case 'number':
        return 0.5
      case 'boolean':
        return true
      case 'object':
        return this.#object(schema, mark, depth)
      case 'string':
        return TEXTS[schema['format'] as string] ?? `${mark} ${AWKWARD}`
      default:
        return schema['properties'] === undefined
          ? `${mark} any`
          : this.#object(schema, mark, depth)
    }
  }

  #object(schema: Schema, mark: string, depth: number): Value {
    const members = Object.entries(
      (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>,
    )
    const required = new Set(listOf(schema['required']))
    return Object.fromEntries(
      members
        .filter(([name]) => depth <= MAX_DEPTH || required.has(name))
        .map(([name, one]) => [name, this.#texts.get(name) ?? this.#sample(one, mark, depth + 1)]),
    )
  }

  #follow(given: unknown): Schema {
    const schema = (given ?? {}) as Schema
    const name = (schema['$ref'] as string | undefined)?.replace('#/components/schemas/', '')
    return name === undefined ? schema : this.#follow(this.#document.components.schemas[name] ?? {})
  }
}

const MAX_DEPTH = 5
/** Quotes, signs that mean something in addresses and markup, several bytes and several units. */
export const AWKWARD = 'Zoë & "Söhne" / ?#%+ <b> 日本 🙂'
/** What JavaScript cannot hold. */
const BEYOND_DOUBLES = nativeJson.rawJSON('9007199254740993') as unknown as number
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05.678+0100',
  date: '2026-01-02',
  uri: 'https://vendor.example/a?b=c#d',
}

function isPlaceholder(segment: string): boolean {
  return segment.startsWith('{')
}

function placeholders(path: string): number {
  return path.split('/').filter(isPlaceholder).length
}

function pointer(...steps: readonly string[]): string {
  const written = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `/${written.map(encodeURIComponent).join('/')}`
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

function bodyOf(body: UpstreamRequest['body'], headers: Readonly<Record<string, string>>): unknown {
  if (body === null) return null
  const text = typeof body === 'string' ? body : bytesIn(body).toString('utf8')
  const type = headers['content-type'] ?? ''
  if (type.includes('form-urlencoded')) return new Form([...new URLSearchParams(text)])
  if (type.startsWith('multipart/form-data')) return new Form(partsOf(text))
  return JSON.parse(text) as unknown
}

/** Names and texts of the parts of a multipart body. */
function partsOf(text: string): readonly (readonly [string, string])[] {
  const parts = text.matchAll(/name="([^"]*)"[^]*?\r\n\r\n([^]*?)\r\n--/g)
  return [...parts].map(([, name = '', value = '']) => [name, value] as const)
}

/** What a form says: `a[b]=1` is a member of an object, `a[0]=1` or `a[]=1` an element of a list. All values are texts. */
class Form {
  readonly members: Readonly<Record<string, unknown>>

  constructor(pairs: readonly (readonly [string, string])[]) {
    const members: Record<string, unknown> = {}
    for (const [name, value] of pairs) put(members, name.replaceAll(']', '').split('['), value)
    this.members = listsIn(members) as Record<string, unknown>
  }
}

function put(owner: Record<string, unknown>, path: readonly string[], value: string): void {
  const [first = '', ...rest] = path
  const name = first === '' ? String(Object.keys(owner).length) : first
  if (rest.length === 0) owner[name] = value
  else put((owner[name] ??= {}) as Record<string, unknown>, rest, value)
}

function listsIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
  const values = Object.values(value).map(listsIn)
  const isList = names.every((name, index) => name === String(index))
  return names.length > 0 && isList
    ? values
    : Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

/** OpenAPI's own words in those of JSON Schema. `isClosed`: objects take what they list. */
function asJsonSchema(value: unknown, isClosed: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => asJsonSchema(one, isClosed))
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...rest } = value as Schema
  const schema = Object.fromEntries(
    Object.entries(rest).map(([name, one]) => [name, asJsonSchema(one, isClosed)]),
  )
  const isPlain = !['allOf', 'anyOf', 'oneOf'].some((name) => name in rest)
  const isObject = typeof rest['properties'] === 'object' && isPlain
  return {
    ...schema,
    ...(nullable === true && typeof rest['type'] === 'string' && { type: [rest['type'], 'null'] }),
    ...(nullable === true &&
      Array.isArray(rest['enum']) && { enum: [...(rest['enum'] as unknown[]), null] }),
    ...(isClosed &&
      isObject &&
      rest['additionalProperties'] === undefined && { additionalProperties: false }),
  }
}
