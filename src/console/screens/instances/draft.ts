// What was typed into the form of a new instance, without its secrets: it outlives a consent that failed and a session
// that ended, in this tab.
import { type JsonObject, parseJson, writeJson } from '../../api/json-text.ts'
import { propertiesOf, readNode } from '../../form/schema-node.ts'
import type { ChosenWay } from './credentials-form.tsx'

export interface Draft {
  readonly user: string
  readonly name: string
  readonly way: ChosenWay | null
  /** Those that are no secret. */
  readonly credentials: JsonObject
  readonly config: JsonObject
}

/** Whose draft it is, and of which connector. */
export interface DraftOwner {
  readonly clientId: string
  readonly connectorType: string
}

const KEY = 'tenon.new-instance.'

export function readDraft(owner: DraftOwner): Draft | null {
  const text = window.sessionStorage.getItem(keyOf(owner))
  // Written below.
  return text === null ? null : (parseJson(text) as unknown as Draft)
}

/** Keeps a draft; `schema` says which of its credentials are secrets. */
export function keepDraft(owner: DraftOwner, draft: Draft, schema: JsonObject): void {
  const plain = new Set(
    propertiesOf(schema)
      .filter(([, each]) => readNode(each, schema).kind === 'text')
      .map(([name]) => name),
  )
  const credentials = Object.fromEntries(
    Object.entries(draft.credentials).filter(([name]) => plain.has(name)),
  )
  window.sessionStorage.setItem(
    keyOf(owner),
    writeJson({ ...draft, way: draft.way === null ? null : { ...draft.way }, credentials }),
  )
}

export function dropDraft(owner: DraftOwner): void {
  window.sessionStorage.removeItem(keyOf(owner))
}

/** Whoever signs out leaves nothing to the next one. */
export function dropDrafts(): void {
  for (const key of Object.keys(window.sessionStorage))
    if (key.startsWith(KEY)) window.sessionStorage.removeItem(key)
}

function keyOf({ clientId, connectorType }: DraftOwner): string {
  return `${KEY}${clientId}.${connectorType}`
}
