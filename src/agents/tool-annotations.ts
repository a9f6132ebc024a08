// What a host may tell its user about an action before it runs.
import type { ActionDescription } from '../client/client.ts'
import type { ToolAnnotations } from './agent-tool.ts'

/** Actions that overwrite or remove; `create` only adds. */
const DESTRUCTIVE: ReadonlySet<string> = new Set(['update', 'delete'])

export function annotationsOf({ action, safe, idempotent }: ActionDescription): ToolAnnotations {
  return {
    readOnlyHint: safe,
    destructiveHint: DESTRUCTIVE.has(action),
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
