// Schemas of what a caller gives: the closed JSON Schema, and what the added keywords ask for before validation.
import type { ParamPath } from '../expression/syntax.ts'
import { hoistObject } from './hoist-schema.ts'
import type { InputDefault, InputSchema } from './manifest.ts'
import { resolveTemplate } from './resolve-template.ts'
import type { Resolver } from './resolver.ts'
import type { DocumentPath } from './document.ts'
import type { Owner } from './draft.ts'
import type { SchemaNode } from './schema-nodes.ts'
import { childrenOf, followReferences } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource } from './source.ts'

/** Resolves the schema of params, credentials or config; undefined = no members. */
export function resolveInput(
  source: ManifestSource,
  schema: SchemaSource | undefined,
  site: { readonly at: DocumentPath; readonly owner: Owner },
  resolver: Resolver,
): InputSchema {
  const top = schema ?? { properties: {} }
  const found: Found = { aliases: [], defaults: [], secrets: [], deprecated: [] }
  const walk: Walk = { source, resolver, owner: site.owner, found, open: [] }
  visitMembers({ schema: top, at: site.at }, [], walk)
  checkAliases(found.aliases, { schema: top, at: site.at }, walk)
  return {
    schema: hoistObject(source, top, 'input', { additionalProperties: false }),
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
  readonly source: ManifestSource
  readonly resolver: Resolver
  readonly owner: Owner
  readonly found: Found
  /** The references that are being followed. */
  readonly open: readonly string[]
}

/**
 * Visits the members of an object that can be addressed by names alone. `path` is null where they cannot: in lists,
 * among unnamed members, or in one of several alternatives.
 */
function visitMembers(node: SchemaNode, path: ParamPath | null, walk: Walk): void {
  const { $ref } = node.schema
  if ($ref !== undefined) {
    // Inside itself a shape has no end: what it holds there has no place of its own.
    const again = walk.open.includes($ref)
    if (again && path === null) return
    const target = followReferences(walk.source, node)
    visitMembers(target, again ? null : path, { ...walk, open: [...walk.open, $ref] })
    return
  }
  for (const [edge, child] of childrenOf(node)) {
    if (edge.kind === 'member') visitMember(child, edge.name, path, walk)
    else if (edge.kind !== 'branch') visitUnnamed(child, walk)
    else visitMembers(child, edge.keyword === 'oneOf' ? null : path, walk)
  }
}

function visitUnnamed(node: SchemaNode, walk: Walk): void {
  readKeywords(followReferences(walk.source, node), null, walk)
  visitMembers(node, null, walk)
}

function visitMember(node: SchemaNode, name: string, path: ParamPath | null, walk: Walk): void {
  const here = path === null ? null : [...path, name]
  const target = followReferences(walk.source, node)
  readKeywords(target, here, walk)
  if (here?.length === 1) {
    for (const [index, alias] of (target.schema.aliases ?? []).entries()) {
      walk.found.aliases.push({ alias, name, at: [...target.at, 'aliases', index] })
    }
  }
  visitMembers(node, here, walk)
}

/** The keywords of one member that ask for something before validation. */
function readKeywords({ schema, at }: SchemaNode, path: ParamPath | null, walk: Walk): void {
  const { found, owner, resolver } = walk
  if (path === null) {
    for (const keyword of ['default', 'default_from', 'writeOnly'] as const) {
      if (schema[keyword] === undefined) continue
      const message = `"${keyword}" has no effect in a list, in unnamed members, in oneOf, or where a shape repeats itself`
      const hint = 'put it on a member that has a name of its own'
      resolver.report(
        { at: [...at, keyword], owner, part: 'key' },
        'schema/no-place',
        message,
        hint,
      )
    }
    return
  }
  if (schema.default !== undefined) found.defaults.push({ at: path, value: schema.default })
  if (schema.default_from !== undefined) {
    const site = { at: [...at, 'default_from'], owner: SHARED, place: 'default_from' } as const
    const from = resolveTemplate(schema.default_from, site, resolver)
    if (schema.default === undefined) found.defaults.push({ at: path, from })
    else {
      const message = 'a member has either default or default_from'
      resolver.report(
        { at: site.at, owner, part: 'key' },
        'schema/two-defaults',
        message,
        'remove one',
      )
    }
  }
  if (schema.writeOnly === true) found.secrets.push(path)
  if (schema.deprecated === true) found.deprecated.push(path)
}

/** A shape serves several actions: its templates belong to none of them. */
const SHARED: Owner = { area: 'schema', entity: null, action: null, step: null, method: null }

function checkAliases(aliases: readonly PlacedAlias[], top: SchemaNode, walk: Walk): void {
  const { schema } = followReferences(walk.source, top)
  const taken = new Set(Object.keys(schema.properties ?? {}))
  for (const { alias, at } of aliases) {
    if (taken.has(alias)) {
      const message = `the name "${alias}" is taken`
      walk.resolver.report({ at, owner: walk.owner }, 'schema/alias-taken', message)
    }
    taken.add(alias)
  }
}
