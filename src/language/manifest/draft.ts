// What the semantic lint looks at: a manifest that is valid against the schema and whose references, schemas,
// templates and paths could all be read. Every part knows where it stands in the file.
import type { ParamPath, Path, Text } from '../expression/syntax.ts'
import type { DocumentPath, ManifestDocument } from './document.ts'
import type { ActionName } from './actions.ts'
import type { Manifest } from './manifest.ts'
import type { ActionSource, AuthMethodSource, EntitySource, ManifestSource } from './source.ts'

export interface ManifestDraft {
  readonly document: ManifestDocument
  readonly source: ManifestSource
  /** The same after resolving: what the engine would run. */
  readonly manifest: Manifest
  /** Every string that stands where templates may stand and holds `{{`, in file order. */
  readonly texts: readonly PlacedText[]
  /** Every `$` path, in file order. */
  readonly paths: readonly PlacedPath[]
  /** Every name of a parameter outside templates, in file order. */
  readonly paramNames: readonly PlacedParam[]
}

/** Whose a part of the manifest is. Parts under `defaults`, `server` and `check` have no entity. */
export interface Owner {
  readonly area:
    'action' | 'auth' | 'check' | 'defaults' | 'schema' | 'search' | 'server' | 'sync' | 'webhooks'
  readonly entity: string | null
  readonly action: ActionName | null
  /** Index in `steps`; null outside them and in an action with `request`. */
  readonly step: number | null
  readonly method: string | null
}

/** Where a template stands, which decides its roots and its encoder. */
export type TextPlace =
  | `request.${'path' | 'query' | 'headers' | 'form' | 'body' | 'multipart' | 'related' | 'text' | 'bytes'}`
  | `request.graphql.${'query' | 'variables'}`
  | 'request.mcp.arguments'
  | `response.${'keep' | 'set'}`
  | `${'errors' | 'error_body'}.message`
  | `${'download' | 'upload' | 'server' | 'oauth'}.headers`
  /** `server.url`: base URLs, of the server and of methods. */
  | `${'server' | 'oauth'}.url`
  | `${'oauth' | 'check' | 'sync'}.params`
  | 'sync.each'
  | 'pagination.carry'
  /** What is called for each record. */
  | `for_each.${'if' | 'params'}`
  | 'choose.match'
  | 'apply'
  /** What is signed, and `placed`, where the signature goes. */
  | `sign.${'of' | 'placed'}`
  | 'jwt'
  /** Of `webhooks`: keys and tokens, what is signed, where the signature stands, what a challenge is answered, which subscription is the own. */
  | `webhooks.${'key' | 'of' | 'placed' | 'answer' | 'route' | 'subscribe'}`
  | 'derive'
  | 'default_from'
  /** `if` of a step, of `refuse`, of `after_token`, of `webhooks.subscribe`. */
  | 'condition'
  /** The `$if` of an object in any place. */
  | 'directive'
  /** An index inside a `$` path. */
  | 'path.index'

interface PlacedPart {
  readonly at: DocumentPath
  /** `key`: the key itself is the text (`match: { $.files[{{ … }}].url: … }`). */
  readonly part: 'key' | 'value'
  readonly owner: Owner
}

export interface PlacedText extends PlacedPart {
  readonly place: TextPlace
  readonly source: string
  readonly text: Text
}

export interface PlacedPath extends PlacedPart {
  /** The keys that lead to it inside its block, `response.records`, `pagination.next`, `sync.primary_key`. */
  readonly use: string
  readonly path: Path
}

export interface PlacedParam extends PlacedPart {
  /** `request.query`, `pagination.param`, `response.where`, `refuse.params`, `sync.cursor.since`, … */
  readonly use: string
  readonly source: string
  readonly param: ParamPath
}

interface PlacedBlock<Source> {
  readonly name: string
  readonly at: DocumentPath
  readonly source: Source
}
export type PlacedEntity = PlacedBlock<EntitySource>
export type PlacedMethod = PlacedBlock<AuthMethodSource>
export interface PlacedAction extends PlacedBlock<ActionSource> {
  readonly entity: string
  readonly name: ActionName
  /** `issues.list`. */
  readonly operation: string
}

function placedIn<Source>(
  blocks: Readonly<Record<string, Source>>,
  at: DocumentPath,
): readonly PlacedBlock<Source>[] {
  return Object.entries(blocks).map(([name, source]) => ({ name, at: [...at, name], source }))
}

export function entitiesOf({ entities }: ManifestSource): readonly PlacedEntity[] {
  return placedIn(entities, ['entities'])
}

export function methodsOf({ auth }: ManifestSource): readonly PlacedMethod[] {
  return placedIn(auth, ['auth'])
}

export function actionsOf(source: ManifestSource): readonly PlacedAction[] {
  return entitiesOf(source).flatMap(({ name: entity, at, source: { actions } }) =>
    placedIn(actions, [...at, 'actions']).map((placed) => ({
      ...placed,
      entity,
      name: placed.name as ActionName, // the schema allows no other keys
      operation: `${entity}.${placed.name}`,
    })),
  )
}
