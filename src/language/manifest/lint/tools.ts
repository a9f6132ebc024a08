// Requests that call a tool: whether it reads must be said, for nothing about them shows it; and what only they answer.
import { ACTIONS } from '../actions.ts'
import { formIn } from '../body-forms/forms.ts'
import type { PlacedAction } from '../draft.ts'
import type { RequestSource } from '../source.ts'
import { keyAt, type Lint } from './lint.ts'
import { requestsIn, requestsOf } from './request-facts.ts'

export function lintTools(lint: Lint): void {
  for (const { at, source: request, action, isFree } of requestsOf(lint)) {
    if (!callsTool(request) || isFree || request.reads === true) continue
    // A check reads as a `get` does.
    if (ACTIONS[action?.name ?? 'get'].effect !== null) continue
    const message = `${action?.operation ?? 'the check'} only reads, and calls a tool, which may change data`
    const hint =
      'write reads: true next to mcp if the server says so of the tool (readOnlyHint); otherwise make the action one that changes records'
    lint.error('request/changing-tool', { at: [...at, 'mcp'] }, message, hint)
  }
  for (const action of lint.actions) {
    lintReadingTools(lint, action)
    lintContent(lint, action)
  }
}

/** Whether a request calls a tool. */
export function callsTool(request: RequestSource): boolean {
  return formIn(request)?.[1].tool !== undefined
}

/** An action that changes records by nothing but tools that read. */
function lintReadingTools(lint: Lint, action: PlacedAction): void {
  const { effect } = ACTIONS[action.name]
  const requests = requestsIn(action)
  const last = requests.at(-1)
  if (effect === null || last === undefined) return
  if (!requests.every(({ source }) => callsTool(source) && source.reads === true)) return
  const message = `${action.operation} ${effect} a record, and calls a tool that only reads`
  const hint = 'make it an action that reads, or remove reads: true'
  lint.warn('request/reading-tool', keyAt(...last.at, 'reads'), message, hint)
}

function lintContent(lint: Lint, action: PlacedAction): void {
  const last = requestsIn(action).at(-1)
  const isContent = action.source.response?.decode === 'content'
  if (!isContent || (last !== undefined && callsTool(last.source))) return
  const message = `"content" is the result of a tool, and ${action.operation} calls none`
  const place = { at: [...action.at, 'response', 'decode'] }
  lint.error('response/content-of-no-tool', place, message, 'write json or text')
}
