// What an operation would send, without sending it.
import { pathsIn } from '../../language/expression/paths-in.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { withMember } from '../../language/json/members.ts'
import type { Step } from '../../language/manifest/manifest.ts'
import { previewRequest, type RequestPreview } from '../request/curl.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { plainFileRequest, rangeIn, withRange } from './file-request.ts'
import { buildRequest, type Run, scopeOf } from './steps.ts'

/** One request of a preview. `after` says what must have happened before it is sent; null: nothing. */
export interface PreviewedRequest extends RequestPreview {
  readonly after: string | null
}

/** A value that only an earlier answer can give, until its text is put in. */
const MARK = /~earlier(\d+)~/g

/** An operation with parameters that are checked and complete. */
type Planned = Pick<Run, 'compiled' | 'ports' | 'params' | 'fresh'>

/**
 * The requests of an operation, secrets masked, in order.
 *
 * Steps whose condition does not hold are left out. What only an earlier answer can give stands as
 * `<report_run_id of request 1>`.
 */
export function previewOperation(planned: Planned): readonly PreviewedRequest[] {
  const { compiled, params, fresh } = planned
  const { steps, download } = compiled.action
  const run = { ...planned, idempotencyKey: 'one-value-per-operation', link: null }
  const range = download === null ? null : rangeIn(download, params)
  const requests: UpstreamRequest[] = []
  const unknowns: string[] = []
  let scope = scopeOf(run)
  for (const [index, step] of compiled.steps.entries()) {
    if (!step.isDue(scope)) continue
    const request = buildRequest(run, step, scope, fresh)
    requests.push(download?.url === null ? withRange(request, range) : request)
    const answer = unknownAnswer(step.name, steps.slice(index + 1), requests.length, unknowns)
    scope = { ...scope, steps: { ...scope.steps, [step.name]: answer } }
  }
  // The address of the file of a two-step download is not known yet.
  if (download !== null && download.url !== null) {
    const address = `<${download.url.source.replace(/^\$\.?/, '')} of request ${requests.length}>`
    requests.push(withRange(plainFileRequest(address, download), range))
  }
  const secrets = planned.ports.keeper.secrets()
  return requests.map((request, before) => ({
    ...withNames(previewRequest(signed(request), secrets), unknowns),
    after: before === 0 ? null : `request ${before} answered 2xx`,
  }))
}

function withNames(preview: RequestPreview, unknowns: readonly string[]): RequestPreview {
  const text = JSON.stringify(preview).replaceAll(MARK, (_, index) =>
    JSON.stringify(unknowns[Number(index)]).slice(1, -1),
  )
  return JSON.parse(text) as RequestPreview
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
