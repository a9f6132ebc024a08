// What an operation would send, without sending it.
import { pathsIn } from '../../language/expression/paths-in.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { ownAt, withMember } from '../../language/json/members.ts'
import type { Step } from '../../language/manifest/manifest.ts'
import { previewRequest, type RequestPreview } from '../request/curl.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import type { CompiledAction } from './compiled-action.ts'
import { buildRequest, type RunInput, type RunPorts, scopeOf } from './steps.ts'
import { withRange } from './file-request.ts'

/** One request of a preview. `after` says what must have happened before it is sent; null: nothing. */
export interface PreviewedRequest extends RequestPreview {
  readonly after: string | null
}

/** A value that only an earlier answer can give, until its text is put in. */
const MARK = /~earlier(\d+)~/g

/**
 * The requests of an operation, secrets masked, in order.
 *
 * Steps whose condition does not hold are left out. What only an earlier answer can give stands as
 * `<report_run_id of request 1>`.
 */
export function previewOperation(
  operation: CompiledAction,
  ports: RunPorts,
  input: RunInput,
  secrets: readonly string[],
): readonly PreviewedRequest[] {
  const unknowns: string[] = []
  const requests: PreviewedRequest[] = []
  let scope = scopeOf(operation, input)
  for (const [index, step] of operation.steps.entries()) {
    if (!step.isDue(scope)) continue
    const number = requests.length + 1
    const request = buildRequest(step, ports, input, scope, input.lent)
    const isFile = operation.action.download?.url === null
    requests.push(
      shown(
        isFile ? withRange(request, rangeIn(operation, input)) : request,
        number,
        secrets,
        unknowns,
      ),
    )
    const later = operation.action.steps.slice(index + 1)
    scope = {
      ...scope,
      steps: { ...scope.steps, [step.name]: unknownAnswer(step.name, later, number, unknowns) },
    }
  }
  const file = fileOf(operation, input, requests.length)
  return file === null
    ? requests
    : [...requests, shown(file, requests.length + 1, secrets, unknowns)]
}

/** The file request of a two-step download; its address is not known yet. */
function fileOf(
  operation: CompiledAction,
  input: RunInput,
  before: number,
): UpstreamRequest | null {
  const download = operation.action.download
  if (download === null || download.url === null) return null
  const request: UpstreamRequest = {
    method: 'GET',
    url: `<${download.url.source.replace(/^\$\.?/, '')} of request ${before}>`,
    headers: {},
    body: null,
    redirects: download.redirects,
    timeoutMs: 0,
    secretHeaders: [],
    secretQuery: [],
  }
  return withRange(request, rangeIn(operation, input))
}

function rangeIn({ action }: CompiledAction, { params }: RunInput): string | null {
  const range = action.download?.range ?? null
  const value = range === null ? undefined : ownAt(params, range)
  return typeof value === 'string' ? value : null
}

function shown(
  request: UpstreamRequest,
  number: number,
  secrets: readonly string[],
  unknowns: readonly string[],
): PreviewedRequest {
  const preview = previewRequest(signed(request), { secrets })
  const named = JSON.parse(
    JSON.stringify(preview).replaceAll(MARK, (_, index) =>
      JSON.stringify(unknowns[Number(index)]).slice(1, -1),
    ),
  ) as RequestPreview
  return { ...named, after: number === 1 ? null : `request ${number - 1} answered 2xx` }
}

/** An answer that holds a mark wherever a later step looks into it. */
function unknownAnswer(
  name: string,
  later: readonly Step[],
  number: number,
  unknowns: string[],
): JsonObject {
  const places = pathsIn(later, 'steps').flatMap(([step, ...rest]) => (step === name ? [rest] : []))
  return places.reduce<JsonObject>((answer, path) => {
    const at = path.filter((part, index) => index > 0 || part !== 'body').join('.')
    unknowns.push(`<${at} of request ${number}>`)
    return withMember(answer, path, `~earlier${unknowns.length - 1}~`)
  }, {})
}
