// Short ways to the resolved form of a part of a manifest, without the semantic lint.
import type {
  Expression,
  Path,
  PathStep,
  Template,
} from '../../../src/language/expression/syntax.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import type { ManifestDraft } from '../../../src/language/manifest/draft.ts'
import type { Action, Manifest } from '../../../src/language/manifest/manifest.ts'
import { readDocument } from '../../../src/language/manifest/read.ts'
import { resolveManifest } from '../../../src/language/manifest/resolve.ts'
import { checkSchema } from '../../../src/language/manifest/schema-problems.ts'
import type { ManifestSource } from '../../../src/language/manifest/source.ts'

/** A manifest with nothing in it but what is given; `things.get` is there unless `entities` are given. */
export function draftOf(parts: Readonly<Record<string, unknown>> = {}): ManifestDraft {
  const value = {
    manifest: 1,
    connector: { type: 'thing', title: 'Thing', version: '1.0.0' },
    server: { url: 'https://api.thing.example' },
    auth: { key: { credentials: { properties: {} }, apply: { bearer: '{{ credentials.key }}' } } },
    ...(parts['defaults'] === undefined ? {} : { defaults: parts['defaults'] }),
    entities: { things: { actions: { get: { request: { http: 'GET /thing' } } } } },
    ...parts,
  }
  const { document, problems } = readDocument(JSON.stringify(value, null, 1), 'thing.yaml')
  if (document === null) throw new Error(JSON.stringify(problems))
  const formal = checkSchema(document)
  if (formal.length > 0) throw new Error(JSON.stringify(formal))
  const resolved = resolveManifest(document, document.value as unknown as ManifestSource)
  if (resolved.draft === null) throw new Error(JSON.stringify(resolved.problems))
  return resolved.draft
}

/** The manifest of a draft. */
export function manifestOf(parts: Readonly<Record<string, unknown>> = {}): Manifest {
  return draftOf(parts).manifest
}

/** One action of the entity `things`, with what the manifest says beside it. */
export function actionOf(
  name: string,
  action: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, unknown>> = {},
  entity: Readonly<Record<string, unknown>> = {},
): Action {
  const entities = { things: { ...entity, actions: { [name]: action } } }
  const [found] = manifestOf({ ...parts, entities }).entities[0]?.actions ?? []
  if (found === undefined) throw new Error('there is one action')
  return found
}

/** `{{ params.a.b }}` alone. */
export function param(...path: readonly string[]): Template {
  return { kind: 'value', expression: paramPath(...path) }
}

/** `params.a.b` in an expression. */
export function paramPath(...path: readonly string[]): Expression {
  return { kind: 'path', root: 'params', path }
}

/** A constant. */
export function constant(value: Json): Template {
  return { kind: 'constant', value }
}

/** A path into the body, by its members. */
export function body(source: string, ...members: readonly string[]): Path {
  const steps = members.map((name): PathStep =>
    name === '*' ? { kind: 'all' } : { kind: 'member', name },
  )
  return { root: 'body', steps, source }
}

/** A schema of members that are all texts. */
export function texts(...names: readonly string[]): JsonObject {
  return { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
}

/** An error rule. */
export function rule(when: unknown, effect: string, more: JsonObject = {}): unknown {
  // A key of the language, and no promise.
  // oxlint-disable-next-line unicorn/no-thenable
  return { when, then: effect, ...more }
}
