// What was typed into the form of a new instance, without its secrets: it outlives a consent that failed and a session
// that ended.
import type { JsonObject } from '../../api/json-text.ts'
import { propertiesOf, readNode } from '../../form/schema-node.ts'
import { dropTyped, keepTyped, readTyped } from '../../parts/typed.ts'
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
  /** `whoIs` of the session. */
  readonly owner: string
  readonly connectorType: string
}

export function readDraft(owner: DraftOwner): Draft | null {
  // Written below.
  return readTyped(nameOf(owner)) as Draft | null
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
  keepTyped(nameOf(owner), { ...draft, credentials })
}

export function dropDraft(owner: DraftOwner): void {
  dropTyped(nameOf(owner))
}

function nameOf({ owner, connectorType }: DraftOwner): string {
  return `new-instance ${owner} ${connectorType}`
}
