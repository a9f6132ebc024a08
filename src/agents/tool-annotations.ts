// What a host may tell its user about an action before it runs.
import type { ActionDescription } from '../client/client.ts'
import { kindOf } from '../language/manifest/actions.ts'
import type { ToolAnnotations } from './agent-tool.ts'

export function annotationsOf({ action, safe, idempotent }: ActionDescription): ToolAnnotations {
  return {
    readOnlyHint: safe,
    // What changes data overwrites or removes; a `create` only adds.
    destructiveHint: !safe && kindOf(action)?.effect !== 'adds',
    idempotentHint: idempotent,
    openWorldHint: true,
  }
}

/** Of descriptions, and of searches in the service's own copy: they reach nothing else. */
export const CLOSED_WORLD: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
