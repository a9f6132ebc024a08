// Which members of a record leave as text: the schema says `string` where a vendor may send an integer.
import type { Path, PathStep } from '../expression/syntax.ts'
import type { ResponseRules } from './manifest.ts'
import type { SchemaNode } from './schema-nodes.ts'
import { childrenOf, followReferences, typesOf } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource } from './source.ts'

/**
 * The casts of a record, places relative to it, in the order of the schema. Members that may be text or a number are
 * left as they come.
 * Source: docs/manifest-language.md, "Answers", digits.
 */
export function castsOf(
  source: ManifestSource,
  record: SchemaSource | null,
): ResponseRules['casts'] {
  const casts: { at: Path; always: boolean }[] = []
  walkRecord(source, record, (types, schema, at) => {
    if (at.steps.length > 0 && types.includes('string') && !/integer|number/.test(types.join()))
      casts.push({ at, always: schema.format === 'int64' })
  })
  return casts
}

/**
 * What the schema of a record says of texts, for answers that are texts only (XML): the places of lists, numbers and
 * truths, and of texts that may be null, relative to the record.
 */
export function textTypesOf(
  source: ManifestSource,
  record: SchemaSource | null,
): NonNullable<ResponseRules['types']> {
  const found: { at: Path; type: TextType }[] = []
  walkRecord(source, record, (types, _schema, at) => {
    const isText = types.includes('string')
    const kinds = types.flatMap((type) => TEXT_TYPES[type] ?? [])
    for (const type of new Set(kinds)) {
      const isChoice = isText && type !== 'null'
      if (!isChoice && at.steps.length > 0) found.push({ at, type })
    }
  })
  return found
}

type TextType = NonNullable<ResponseRules['types']>[number]['type']

const TEXT_TYPES: Readonly<Record<string, TextType>> = {
  array: 'list',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Visits every place of a record's schema that a path leads to; a shape that refers to itself is followed once. */
function walkRecord(
  source: ManifestSource,
  record: SchemaSource | null,
  found: (types: readonly string[], schema: SchemaSource, at: Path) => void,
): void {
  if (record === null) return
  const visit = (node: SchemaNode, steps: readonly PathStep[], open: readonly string[]): void => {
    const { $ref } = node.schema
    if ($ref !== undefined && open.includes($ref)) return
    const below = $ref === undefined ? open : [...open, $ref]
    const target = followReferences(source, node)
    found(typesOf(target.schema), target.schema, pathOf(steps))
    const named = Object.keys(target.schema.properties ?? {}).length > 0
    for (const [edge, child] of childrenOf(target)) {
      if (edge.kind === 'member') {
        visit(child, [...steps, { kind: 'member', name: edge.name }], below)
      } else if (edge.kind === 'element' || (edge.kind === 'others' && !named)) {
        visit(child, [...steps, { kind: 'all' }], below)
      } else if (edge.kind === 'branch') visit(child, steps, below)
    }
  }
  visit({ schema: record, at: [] }, [], [])
}

/** A path of the body, with the notation that an author would write. */
export function pathOf(steps: readonly PathStep[]): Path {
  const source = steps.map((step) => (step.kind === 'member' ? written(step.name) : '[*]')).join('')
  return { root: 'body', steps, source: `$${source}` }
}

function written(name: string): string {
  if (/^[\p{L}\p{N}_-]+$/u.test(name)) return `.${name}`
  return `['${name.replace(/['\\]/g, '\\$&')}']`
}
