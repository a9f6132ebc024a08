// Schemas of what a caller gives: the closed JSON Schema, and what the added keywords ask for before validation.
import type { ParamPath, Template } from '../expression/syntax.ts'
import { type ClockDefault, clockDefault, clockTemplate } from './clock-default.ts'
import { hoistObject } from './hoist-schema.ts'
import type { DocumentPath } from './document.ts'
import type { InputDefault, InputSchema } from './manifest.ts'
import { resolveTemplate } from './resolve-template.ts'
import type { Site } from './resolver.ts'
import type { SchemaEdge, SchemaNode } from './schema-nodes.ts'
import { childrenOf, followReferences } from './schema-nodes.ts'
import type { SchemaSource } from './source.ts'

/** Resolves the schema of params, credentials or config; undefined = no members. */
export function resolveInput(schema: SchemaSource = { properties: {} }, site: Site): InputSchema {
  const found: Found = { aliases: [], defaults: [], secrets: [], deprecated: [] }
  const walk: Walk = { site, found, open: [] }
  const top = { schema, at: site.at }
  visitInside(top, { path: [], optional: false }, walk)
  checkAliases(found.aliases, top, walk)
  return {
    schema: hoistObject(site.resolver.source, schema, 'input', { additionalProperties: false }),
    aliases: found.aliases.map(({ alias, name }) => ({ alias, name })),
    defaults: found.defaults,
    secrets: found.secrets,
    deprecated: found.deprecated,
  }
}

interface PlacedAlias {
  readonly alias: string
  readonly name: string
  readonly at: DocumentPath
}

interface Found {
  readonly aliases: PlacedAlias[]
  readonly defaults: InputDefault[]
  readonly secrets: ParamPath[]
  readonly deprecated: ParamPath[]
}

interface Walk {
  /** Where the schema stands whose inside is looked at. */
  readonly site: Site
  readonly found: Found
  /** The references that are being followed. */
  readonly open: readonly string[]
}

interface Position {
  /** Its names from the top; null where names alone do not lead to it: in lists and among unnamed members. */
  readonly path: ParamPath | null
  /** Whether it is there in one of several alternatives only. */
  readonly optional: boolean
}

const NOWHERE: Position = { path: null, optional: false }

/** Visits everything inside a schema; the keywords of the schema itself were read. */
function visitInside(node: SchemaNode, here: Position, walk: Walk): void {
  const { $ref } = node.schema
  if ($ref !== undefined) {
    // Inside itself a shape has no end: what it holds there has no place of its own.
    const again = walk.open.includes($ref)
    if (again && here.path === null) return
    const target = followReferences(walk.site.resolver.source, node)
    visitInside(target, again ? NOWHERE : here, { ...walk, open: [...walk.open, $ref] })
    return
  }
  for (const [edge, child] of childrenOf(node)) {
    const position = positionOf(edge, here)
    const target = followReferences(walk.site.resolver.source, child)
    readKeywords(target, position, walk)
    if (edge.kind === 'member' && position.path?.length === 1)
      for (const [index, alias] of (target.schema.aliases ?? []).entries()) {
        const at = [...target.at, 'aliases', index]
        walk.found.aliases.push({ alias, name: edge.name, at })
      }
    visitInside(child, position, walk)
  }
}

function positionOf(edge: SchemaEdge, { path, optional }: Position): Position {
  if (path === null || edge.kind === 'element' || edge.kind === 'others') return NOWHERE
  if (edge.kind === 'member') return { path: [...path, edge.name], optional }
  return { path, optional: optional || edge.keyword === 'oneOf' }
}

/** The keywords of one member that ask for something before validation. */
function readKeywords(node: SchemaNode, { path, optional }: Position, walk: Walk): void {
  const { schema, at } = node
  if (path === null || path.length === 0) {
    refuseKeywords(node, ['default', 'default_from', 'writeOnly'], walk)
    return
  }
  if (schema.writeOnly === true) walk.found.secrets.push(path)
  if (schema.deprecated === true) walk.found.deprecated.push(path)
  if (optional) {
    refuseKeywords(node, ['default', 'default_from'], walk)
    return
  }
  if (schema.default !== undefined) walk.found.defaults.push({ at: path, value: schema.default })
  if (schema.default_from === undefined) return
  // A shape serves several actions: its templates belong to none of them.
  const site = walk.site.resolver.site('schema', [...at, 'default_from'])
  if (schema.default === undefined)
    walk.found.defaults.push({ at: path, ...resolveDefaultFrom(schema.default_from, site) })
  else {
    const message = 'a member has either default or default_from'
    site.key.report('schema/two-defaults', message, 'remove one of the two')
  }
}

function resolveDefaultFrom(
  written: NonNullable<SchemaSource['default_from']>,
  site: Site,
): { readonly from: Template; readonly clock?: ClockDefault } {
  if (typeof written === 'string') return { from: resolveTemplate(written, site, 'default_from') }
  const clock = clockDefault(written)
  return { from: clockTemplate(clock), clock }
}

function refuseKeywords(
  { schema, at }: SchemaNode,
  keywords: readonly ('default' | 'default_from' | 'writeOnly')[],
  { site }: Walk,
): void {
  for (const keyword of keywords) {
    if (schema[keyword] === undefined) continue
    const message = `"${keyword}" has no effect in lists, unnamed members and oneOf, and where a shape repeats itself`
    const hint = 'put it on a member that has a name of its own'
    site.resolver.report({
      at: [...at, keyword],
      part: 'key',
      rule: 'schema/no-place',
      message,
      hint,
    })
  }
}

function checkAliases(
  aliases: readonly PlacedAlias[],
  top: SchemaNode,
  { site: { resolver } }: Walk,
): void {
  const { schema } = followReferences(resolver.source, top)
  const taken = new Set(Object.keys(schema.properties ?? {}))
  for (const { alias, at } of aliases) {
    if (taken.has(alias)) {
      const message = `the name "${alias}" is taken`
      resolver.report({ at, rule: 'schema/alias-taken', message })
    }
    taken.add(alias)
  }
}
