// A manifest drafted from the tools of an MCP server: one action for each, right or left out with the reason.
import { Document } from 'yaml'
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { own } from '../../../language/json/own.ts'
import { CHECKS, gives } from '../../../language/manifest/actions.ts'
import { loadManifest } from '../../../language/manifest/load.ts'
import type { ManifestProblem } from '../../../language/manifest/problem.ts'
import type { Draft } from '../openapi/draft-manifest.ts'
import { entityName } from '../openapi/draft-names.ts'
import { type Authorization, draftAuthorization } from './draft-authorization.ts'
import {
  CONTENT,
  CONTENT_SHAPE,
  draftTool,
  listIn,
  type NamedTool,
  nameTool,
} from './draft-action.ts'
import { listedTools, type Offer, textAt } from './listed-tool.ts'

export interface ToolDraftOptions {
  readonly type: string
  /** Path of the manifest schema, for editors. */
  readonly schema: string
  /** The address of the server. */
  readonly url: string
  /** Where its tokens come from; null: it says nothing about it. */
  readonly authorization: Authorization | null
  /** Whether it answered without a token. */
  readonly isOpen: boolean
}

type Actions = Map<string, { readonly named: NamedTool; readonly written: Record<string, unknown> }>

/** The draft; null: the server offers nothing that a manifest can say. */
export function draftFromTools(offer: Offer, options: ToolDraftOptions): Draft | null {
  const { type, url, authorization, isOpen } = options
  const guessed: string[] = []
  const missing: string[] = []
  const tools = listedTools(offer)
  for (const { name, needsTask } of tools)
    if (needsTask)
      missing.push(`the tool ${name} is left out: it runs as a task only, which no call waits for`)
  const entities = placeTools(tools.filter(({ needsTask }) => !needsTask).map(nameTool))
  const info = own(offer.about, 'serverInfo') ?? {}
  const auth = draftAuthorization({
    authorization,
    isOpen,
    url,
    note: (text) => guessed.push(text),
  })
  const isPublic = url.startsWith('https://')
  if (!isPublic) guessed.push(`server.url: ${url} is not https; write the address that users call`)
  const manifestOf = (): JsonObject => {
    const check = checkOf(entities)
    const needsShape = [...entities.values()].some((actions) =>
      [...actions.values()].some(({ named }) => givesContent(named)),
    )
    return {
      manifest: 1,
      connector: {
        type,
        title: textAt(info, 'title') ?? textAt(info, 'name') ?? type,
        version: '0.1.0',
      },
      server: { url: isPublic ? url.replace(/\/$/, '') : `https://mcp.${type}.example/mcp` },
      auth,
      ...(check !== null && { check }),
      entities: Object.fromEntries(
        [...entities].map(([name, actions]) => [
          name,
          {
            actions: Object.fromEntries(
              [...actions].map(([action, { written }]) => [action, written]),
            ),
          },
        ]),
      ),
      ...(needsShape && { shapes: { [CONTENT_SHAPE]: CONTENT } }),
    } as unknown as JsonObject
  }
  const manifest = withoutRefused(entities, manifestOf, type, missing)
  if (manifest === null) return null
  for (const [entity, actions] of entities)
    for (const [action, { named }] of actions)
      guessed.push(...doubtsOf(`${entity}.${action}`, named))
  if (own(manifest, 'check') === undefined)
    missing.push(
      'a check: no tool that reads needs no arguments; name one under "check" with its params',
    )
  const text = new Document(manifest, { aliasDuplicateObjects: false }).toString({ lineWidth: 120 })
  return {
    text: `# yaml-language-server: $schema=${options.schema}\n${text}`,
    report: {
      entities: entities.size,
      actions: [...entities.values()].reduce((sum, { size }) => sum + size, 0),
      guessed,
      undecided: [],
      missing,
    },
  }
}

/** Whether an action passes on the content of its tool as it comes. */
function givesContent({ tool, action }: NamedTool): boolean {
  return tool.outputSchema === null && !gives(action, 'nothing')
}

/** Every tool has its place: things that differ by their number only are one, and no action stands twice. */
function placeTools(tools: readonly NamedTool[]): Map<string, Actions> {
  const entities = new Map<string, Actions>()
  const names = new Map<string, string>()
  for (const { thing } of tools) {
    const key = thing.replace(/s$/, '')
    const known = names.get(key)
    if (known === undefined || thing.length > known.length) names.set(key, thing)
  }
  for (const named of tools) {
    const { thing, action, tool } = named
    const wanted = entityName(names.get(thing.replace(/s$/, '')) ?? thing)
    const candidates = [
      wanted,
      entityName(tool.name),
      `${entityName(tool.name).slice(0, 60)}_${entities.size}`,
    ]
    const name = candidates.find((each) => entities.get(each)?.has(action) !== true) ?? wanted
    const actions: Actions = entities.get(name) ?? new Map()
    entities.set(name, actions.set(action, { named, written: draftTool(named) }))
  }
  return entities
}

/** Leaves out what the lint refuses; null when nothing is left. */
function withoutRefused(
  entities: Map<string, Actions>,
  manifestOf: () => JsonObject,
  type: string,
  missing: string[],
): JsonObject | null {
  while (entities.size > 0) {
    const manifest = manifestOf()
    const refused = errorsOf(manifest, type)
    if (refused.length === 0) return manifest
    for (const { path, message } of refused) {
      const [part, entity = '', , action = ''] = path.split('.')
      const found = entities.get(entity)?.get(action)
      if (part !== 'entities' || !entities.has(entity))
        throw new Error(`the draft is refused: ${path}: ${message}`)
      if (found === undefined) continue
      missing.push(`the tool ${found.named.tool.name} is left out: ${message}`)
      entities.get(entity)?.delete(action)
      if (entities.get(entity)?.size === 0) entities.delete(entity)
    }
  }
  return null
}

function errorsOf(manifest: JsonObject, type: string): readonly ManifestProblem[] {
  const { problems } = loadManifest({ object: manifest, file: `${type}.json` })
  return problems.filter(({ severity }) => severity === 'error')
}

/** The first tool that reads and needs nothing. */
function checkOf(entities: ReadonlyMap<string, Actions>): Json | null {
  for (const [entity, actions] of entities)
    for (const action of CHECKS) {
      const written = actions.get(action)?.written
      const params = written?.['params'] as { readonly required?: unknown } | undefined
      if (written !== undefined && params?.required === undefined) return { entity, action }
    }
  return null
}

function doubtsOf(name: string, named: NamedTool): readonly string[] {
  const { tool } = named
  const doubts: string[] = []
  if (givesContent(named))
    doubts.push(
      `${name}: the tool says nothing about its results, so its content is passed on as it comes`,
    )
  else if (listIn(tool) === null && /^(list|search|find|query)/.test(tool.name))
    doubts.push(
      `${name}: whether its results are pages cannot be told, so they are passed on as a whole`,
    )
  return doubts
}
