// What a change of a key means. schemas/manifest.schema.json says so at each key, as `x-tenon-change`; nothing else does.
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { readSchema } from '../../language/manifest/schema-problems.ts'

/** `breaking`: a caller may fail. `additive`: callers can do more. `cosmetic`: texts, and how it is done inside. */
export type ChangeClass = 'breaking' | 'additive' | 'cosmetic'

/** One difference between two versions of a manifest. */
export interface Change {
  readonly class: ChangeClass
  /** `issues.get params.expand`, `config.region`. */
  readonly path: string
  /** In a few words: `removed`, `newly required`, `no longer "eu"`. */
  readonly change: string
}

/** What a key says when its value appears, goes, or differs; left out: `cosmetic`. */
export type ChangeSteps = {
  readonly [step in 'added' | 'removed' | 'changed']?: ChangeClass
}

/**
 * What `x-tenon-change` says of a key: a class, classes by step, or a word, of blocks in `compare-manifests.ts`, of the
 * keywords of schemas in `compare-schemas.ts`. Source: CONTRIBUTING.md, "Add a key of the manifest".
 */
export type KeyChange = ChangeSteps | string

export interface KeyRule {
  readonly change: KeyChange
  readonly schema: JsonObject
}

/** The keys of a block by name, as its schema describes them. */
export function keysOf(block: JsonObject): ReadonlyMap<string, KeyRule> {
  const target = followed(block)
  const inherited = (target['allOf'] ?? []) as readonly JsonObject[] // a list of schemas in every schema
  return new Map([
    ...inherited.flatMap((part) => [...keysOf(part)]),
    ...Object.entries((target['properties'] ?? {}) as JsonObject).flatMap(([name, schema]) =>
      isJsonObject(schema) && schema['x-tenon-change'] !== undefined
        ? [[name, { change: schema['x-tenon-change'] as KeyChange, schema }] as const]
        : [],
    ),
  ])
}

/** The schema of one entry of a block whose entries have names, or stand in a list. */
export function entrySchema(block: JsonObject, name: string): JsonObject {
  const { properties, additionalProperties, items } = followed(block)
  const own = isJsonObject(properties) ? properties[name] : undefined
  return [own, additionalProperties, items].find(isJsonObject) ?? {}
}

export function schemaKeywords(): ReadonlyMap<string, KeyRule> {
  return (keywords ??= keysOf({ $ref: '#/definitions/schema' }))
}

/** The difference of two values that are not the same, as classes by step judge it. */
export function stepOf(
  change: ChangeSteps | ChangeClass,
  [old, next]: readonly [old: unknown, next: unknown],
): { readonly class: ChangeClass; readonly change: keyof ChangeSteps } {
  const step = isNone(old) ? 'added' : isNone(next) ? 'removed' : 'changed'
  return { class: typeof change === 'string' ? change : (change[step] ?? 'cosmetic'), change: step }
}

/** Whether a value says as much as a key that is left out. */
function isNone(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === false
  return Object.keys(value).length === 0
}

let manifest: JsonObject | null = null
let keywords: ReadonlyMap<string, KeyRule> | null = null

/** The JSON Schema of manifests, read once. */
export function manifestSchema(): JsonObject {
  return (manifest ??= readSchema())
}

function followed(block: JsonObject): JsonObject {
  const name = typeof block['$ref'] === 'string' ? block['$ref'].replace('#/definitions/', '') : ''
  const target = (manifestSchema()['definitions'] as JsonObject)[name]
  return isJsonObject(target) ? target : block
}
