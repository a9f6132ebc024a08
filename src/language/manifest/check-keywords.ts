// Part of the fourth phase: keywords of schemas that no validator could compile, or that would act on nothing.
import type { Resolver } from './resolver.ts'
import type { SchemaNode } from './schema-nodes.ts'
import { childrenOf, typesOf } from './schema-nodes.ts'
import type { Owner } from './draft.ts'
import { inWords } from './suggest.ts'
import { kindName } from './value-problems.ts'

/** The types of values that a keyword acts on. */
const ACTS_ON: Readonly<Record<string, readonly string[]>> = {
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
}

const NUMBERS = ['integer', 'number']
const FORMAT_ACTS_ON: Readonly<Record<string, readonly string[]>> = {
  int32: NUMBERS,
  // On a text: the vendor may send an integer, which leaves as text.
  int64: [...NUMBERS, 'string'],
}

/** Checks one schema and all schemas inside it. `implied`: the types it has without saying so. */
export function checkKeywords(
  node: SchemaNode,
  implied: readonly string[],
  owner: Owner,
  resolver: Resolver,
): void {
  const { schema, at } = node
  const declared = typesOf(schema)
  const types = declared.length > 0 ? declared : implied
  for (const keyword of Object.keys(schema)) {
    const acts = Object.hasOwn(ACTS_ON, keyword)
      ? ACTS_ON[keyword]
      : keyword === 'format'
        ? (FORMAT_ACTS_ON[schema.format ?? ''] ?? ['string'])
        : undefined
    if (acts === undefined || acts.some((type) => types.includes(type))) continue
    resolver.report(
      { at: [...at, keyword], owner, part: 'key' },
      'schema/wrong-type',
      `"${keyword}" acts on ${inWords(acts.map(kindName))} only`,
      types.length === 0
        ? `write type: ${acts[0]} beside it`
        : `the type here is ${types.join(', ')}`,
    )
  }
  for (const type of declared) {
    if (implied.length === 0 || implied.includes(type)) continue
    if (type === 'integer' && implied.includes('number')) continue
    const message = `"${type}" is none of the types of the schema around it`
    resolver.report(
      { at: [...at, 'type'], owner },
      'schema/wrong-type',
      message,
      implied.join(', '),
    )
  }
  if (schema.pattern !== undefined) {
    resolver.pattern(schema.pattern, { at: [...at, 'pattern'], owner })
  }
  for (const [edge, child] of childrenOf(node)) {
    checkKeywords(child, edge.kind === 'branch' ? types : [], owner, resolver)
  }
}
