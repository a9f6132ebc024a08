// The OpenAPI document of a service as the reference shows it: groups of operations, and their schemas in words.
import {
  isObject,
  type Json,
  type JsonObject,
  listIn,
  objectIn,
  parseJson,
  textIn,
} from '../api/json-text.ts'
import { propertiesOf, readNode, requiredOf, resolve } from '../form/schema-node.ts'

export interface ApiDocument {
  readonly version: string
  /** Where the service is, without a slash at the end. */
  readonly server: string
  readonly groups: readonly Group[]
  /** Holds the definitions that references of the schemas name. */
  readonly root: JsonObject
}

export interface Group {
  readonly name: string
  readonly about: string
  readonly operations: readonly Operation[]
}

export interface Operation {
  readonly id: string
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly summary: string
  /** Which tokens it takes. */
  readonly about: string
  readonly aliases: readonly string[]
  readonly takesToken: boolean
  readonly parameters: readonly Parameter[]
  /** Of JSON; null: it takes no body. */
  readonly body: Body | null
  readonly answers: readonly Answer[]
  /** Codes of errors by the status that they are answered with. */
  readonly errors: readonly (readonly [status: string, codes: readonly string[]])[]
}

export interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly about: string
  readonly schema: JsonObject
  readonly example: string
}

interface Body {
  readonly schema: JsonObject
  readonly example: Json
  readonly required: boolean
  /** It may come as the first part of a form, with files behind it. */
  readonly takesFiles: boolean
}

interface Answer {
  readonly status: string
  readonly about: string
  readonly headers: readonly (readonly [name: string, about: string])[]
  /** null: no JSON. */
  readonly schema: JsonObject | null
  /** What a sandbox answered, cut to what shows its shape; one for each form that has one. */
  readonly examples: readonly ExampleAnswer[]
  /** It may be a file instead. */
  readonly mayBeFile: boolean
}

interface ExampleAnswer {
  /** Which form it has; empty: there is one. */
  readonly summary: string
  readonly value: Json
}

/** Reads the text of a document. Its references are those of a schema of our own, to `#/definitions`. */
export function readDocument(text: string, origin: string): ApiDocument {
  const document = objectIn(parseJson(text.replaceAll('#/components/schemas/', '#/definitions/')))
  const operations = Object.entries(objectIn(document['paths'])).flatMap(([path, item]) =>
    Object.entries(objectIn(item)).map(([method, each]) =>
      operationOf(path, method, objectIn(each)),
    ),
  )
  const address = textIn(objectIn(listIn(document['servers'])[0])['url'])
  return {
    version: textIn(objectIn(document['info'])['version']),
    server: new URL(address, origin).href.replace(/\/+$/, ''),
    groups: listIn(document['tags'])
      .map(objectIn)
      .map((tag) => ({
        name: textIn(tag['name']),
        about: textIn(tag['description']),
        operations: operations
          .filter(({ group }) => group === tag['name'])
          .map(({ operation }) => operation),
      }))
      .filter((group) => group.operations.length > 0),
    root: { definitions: objectIn(objectIn(document['components'])['schemas']) },
  }
}

function operationOf(
  path: string,
  method: string,
  given: JsonObject,
): { readonly group: Json | undefined; readonly operation: Operation } {
  const summary = textIn(given['summary'])
  const responses = Object.entries(objectIn(given['responses']))
  const operation: Operation = {
    id: textIn(given['operationId']),
    method: method.toUpperCase(),
    path,
    summary,
    about: textIn(given['description']).replace(`${summary}. `, ''),
    aliases: listIn(given['x-aliases']).map(textIn),
    takesToken: listIn(given['security']).length > 0,
    parameters: listIn(given['parameters']).map(objectIn).map(parameterOf),
    body: isObject(given['requestBody']) ? bodyOf(given['requestBody']) : null,
    answers: responses
      .filter(([status]) => status < '4')
      .map(([status, each]) => answerOf(status, objectIn(each))),
    errors: responses
      .filter(([status]) => status >= '4')
      .map(([status, each]) => [status, codesOf(objectIn(each))]),
  }
  return { group: listIn(given['tags'])[0], operation }
}

function parameterOf(given: JsonObject): Parameter {
  const schema = objectIn(given['schema'])
  const place = textIn(given['in'])
  return {
    name: textIn(given['name']),
    place: place === 'path' || place === 'header' ? place : 'query',
    required: given['required'] === true,
    about: textIn(given['description'] ?? schema['description']),
    schema,
    example: textIn(given['example'] ?? listIn(schema['examples'])[0]),
  }
}

function bodyOf(given: JsonObject): Body {
  const content = objectIn(given['content'])
  const json = objectIn(content['application/json'])
  return {
    schema: objectIn(json['schema']),
    example: json['example'] ?? {},
    required: given['required'] === true,
    takesFiles: content['multipart/form-data'] !== undefined,
  }
}

function answerOf(status: string, given: JsonObject): Answer {
  const content = objectIn(given['content'])
  const json = content['application/json']
  const { example, examples } = objectIn(json)
  return {
    status,
    about: textIn(given['description']),
    headers: Object.entries(objectIn(given['headers'])).map(([name, header]) => [
      name,
      textIn(objectIn(header)['description']),
    ]),
    schema: isObject(json) ? objectIn(json['schema']) : null,
    examples:
      example === undefined
        ? Object.values(objectIn(examples)).map((each) => ({
            summary: textIn(objectIn(each)['summary']),
            value: objectIn(each)['value'] ?? null,
          }))
        : [{ summary: '', value: example }],
    mayBeFile: isObject(json) && content['application/octet-stream'] !== undefined,
  }
}

/** The description of an answer names its codes: `params_invalid: Parameters are not valid; …`. */
function codesOf(given: JsonObject): readonly string[] {
  return [...textIn(given['description']).matchAll(/(?:^|; )(\w+): /g)].map(([, code = '']) => code)
}

/** A member of a schema, in words. */
export interface Member {
  readonly name: string
  readonly required: boolean
  readonly type: string
  readonly limits: readonly string[]
  readonly about: string
  /** What it has itself; of a list, what its elements have. */
  readonly inner: JsonObject | null
}

/** The members of an object, or of the elements of a list, in words. */
export function membersOf(schema: JsonObject, root: JsonObject): readonly Member[] {
  const required = requiredOf(schema)
  return propertiesOf(schema).map(([name, given]) =>
    memberOf(name, required.has(name), given, root),
  )
}

export function memberOf(name: string, required: boolean, given: Json, root: JsonObject): Member {
  const { schema, limits, description } = readNode(given, root)
  return {
    name,
    required,
    type: typeWords(schema, root),
    limits,
    about: description ?? '',
    inner: innerOf(schema, root),
  }
}

function innerOf(schema: JsonObject, root: JsonObject): JsonObject | null {
  if (propertiesOf(schema).length > 0) return schema
  const forms = listIn(schema['oneOf'] ?? schema['anyOf']).map((form) => resolve(form, root))
  const inner = [schema['items'], schema['additionalProperties'], ...forms].find(
    (each) => propertiesOf(resolve(each, root)).length > 0,
  )
  return inner === undefined ? null : resolve(inner, root)
}

/** `text`, `list of numbers`, `"a" or "b"`. */
export function typeWords(given: Json | undefined, root: JsonObject): string {
  const schema = resolve(given, root)
  const values = schema['enum']
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(', ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const forms = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(forms))
    return [...new Set(forms.map((form) => typeWords(form, root)))].join(' or ')
  const types = [schema['type'] ?? []].flat().map(String)
  if (types.length === 0) return propertiesOf(schema).length > 0 ? 'object' : 'anything'
  return types
    .map((type) =>
      type === 'array' && schema['items'] !== undefined
        ? `array of ${typeWords(schema['items'], root)}`
        : type,
    )
    .join(' or ')
}
