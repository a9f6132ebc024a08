// Part of the fourth phase: keywords of schemas that no validator could compile, or that would act on nothing.
import { typesUnder } from './json-schema.ts'
import type { Site } from './resolver.ts'
import { childrenOf, type SchemaNode, typesOf } from './schema-nodes.ts'
import { inWords } from './suggest.ts'
import { kindName } from './value-problems.ts'

const NUMBERS = ['integer', 'number']
const FORMAT_ACTS_ON: Readonly<Record<string, readonly string[]>> = {
  int32: NUMBERS,
  // On a text: the vendor may send an integer, which leaves as text.
  int64: [...NUMBERS, 'string'],
  epoch_s: NUMBERS,
  epoch_ms: NUMBERS,
  duration_s: NUMBERS,
  duration_ms: NUMBERS,
}

/** Checks one schema and all schemas inside it. `implied`: the types it has without saying so. */
export function checkKeywords(node: SchemaNode, implied: readonly string[], site: Site): void {
  const { schema, at } = node
  const place = site.in(...at)
  const declared = typesOf(schema)
  const types = declared.length > 0 ? declared : implied
  for (const keyword of Object.keys(schema)) {
    const acts =
      keyword === 'format'
        ? (FORMAT_ACTS_ON[schema.format ?? ''] ?? ['string'])
        : typesUnder(keyword)
    if (acts === null || acts.some((type) => types.includes(type))) continue
    const message = `"${keyword}" acts on ${inWords(acts.map(kindName))} only`
    const hint =
      types.length > 0
        ? `the type here is ${types.join(', ')}`
        : `write type: ${acts[0]} next to it`
    place.in(keyword).key.report('schema/wrong-type', message, hint)
  }
  for (const type of declared) {
    if (implied.length === 0 || implied.includes(type)) continue
    if (type === 'integer' && implied.includes('number')) continue
    const message = `"${type}" is none of the types of the schema around it`
    place.in('type').report('schema/wrong-type', message, implied.join(', '))
  }
  if (schema.pattern !== undefined) place.in('pattern').pattern(schema.pattern)
  for (const [edge, child] of childrenOf(node))
    checkKeywords(child, edge.kind === 'branch' ? types : [], site)
}
