// Which members of a record leave as text: the schema says `string` where a vendor may send an integer.
import type { Path, PathStep } from '../expression/syntax.ts'
import type { ResponseRules } from './manifest.ts'
import type { SchemaNode } from './schema-nodes.ts'
import { childrenOf, followReferences, typesOf } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource } from './source.ts'

/**
 * The casts of a record, places relative to it, in the order of the schema. Members that may be text or a number are
 * left as they come. A shape that refers to itself is followed once.
 * Source: docs/manifest-language.md, "Answers", digits.
 */
export function castsOf(
  source: ManifestSource,
  record: SchemaSource | null,
): ResponseRules['casts'] {
  if (record === null) return []
  const casts: { at: Path; always: boolean }[] = []
  const visit = (node: SchemaNode, steps: readonly PathStep[], open: readonly string[]): void => {
    const { $ref } = node.schema
    if ($ref !== undefined && open.includes($ref)) return
    const below = $ref === undefined ? open : [...open, $ref]
    const target = followReferences(source, node)
    const types = typesOf(target.schema)
    if (steps.length > 0 && types.includes('string') && !/integer|number/.test(types.join())) {
      casts.push({ at: pathOf(steps), always: target.schema.format === 'int64' })
    }
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
  return casts
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
