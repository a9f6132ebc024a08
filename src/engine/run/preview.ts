// What an operation would send, without sending it.
import { isConnectorError } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { pathsIn } from '../../language/expression/paths-in.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject, withMember } from '../../language/json/members.ts'
import type { Step } from '../../language/manifest/manifest.ts'
import { previewRequest, type RequestPreview } from '../request/curl.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { plainFileRequest, rangeIn, withRange } from './file-request.ts'
import type { CompiledAction } from './compiled-action.ts'
import { buildRequest, type Run, scopeOf } from './steps.ts'
import { previewPart } from './upload.ts'
import { uploadedFile } from './upload-file.ts'

/** One request of a preview. `after` says what must have happened before it is sent; null: nothing. */
export interface PreviewedRequest extends RequestPreview {
  readonly after: string | null
}

/** A value that only an earlier answer can give, until its text is put in. */
const MARK = /~earlier(\d+)~/g

/** An operation with parameters that are checked and complete. */
type Planned = Pick<Run, 'compiled' | 'ports' | 'params' | 'files' | 'fresh'>

/**
 * The requests of an operation, secrets masked, in order.
 *
 * Steps whose condition does not hold are left out. What only an earlier answer can give stands as
 * `<report_run_id of request 1>`. `called`: the action that is called for each record, whose requests come last.
 */
export function previewOperation(
  planned: Planned,
  called: CompiledAction | null = null,
): readonly PreviewedRequest[] {
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
  if (compiled.upload !== null) {
    const { upload } = compiled.upload
    const at = upload.address.source.replace(/^\$\.?/, '')
    const url = `<${at} of request ${requests.length}>`
    const file = uploadedFile(upload, planned)
    requests.push(previewPart(compiled.upload, file, { url, scope, fresh }))
  }
  const own = requests.length
  if (called !== null) requests.push(...requestsForEach(run, called, { own, unknowns }))
  const secrets = planned.ports.keeper.secrets()
  return requests.map((request, before) => ({
    ...withNames(previewRequest(signed(request), secrets), unknowns),
    after: afterOf(before, own),
  }))
}

function afterOf(before: number, own: number): string | null {
  if (before === 0) return null
  const answered = `request ${before} answered 2xx`
  return before === own ? `${answered}, once for each of its records` : answered
}

/** The requests of the action that is called for each record, for one whose values are not known. */
function requestsForEach(
  run: Planned & Pick<Run, 'idempotencyKey' | 'link'>,
  called: CompiledAction,
  { own, unknowns }: { readonly own: number; readonly unknowns: string[] },
): readonly UpstreamRequest[] {
  const { forEach } = run.compiled.action
  if (forEach === undefined) return []
  const record = pathsIn(forEach.params, 'record').reduce<JsonObject>((known, path) => {
    unknowns.push(`<${path.join('.')} of each record of request ${own}>`)
    return withMember(known, path, `~earlier${unknowns.length - 1}~`)
  }, {})
  const params = compileTemplate(forEach.params)({ ...scopeOf(run), record })
  const given = isJsonObject(params) ? params : {}
  const inner = { ...run, compiled: called, params: withDefaults(called, given, run.fresh.config) }
  const scope = scopeOf(inner)
  return called.steps.map((step) => buildRequest(inner, step, scope, run.fresh))
}

/** A number that is not known yet is no number: such parameters go unchecked, and without their defaults. */
function withDefaults(called: CompiledAction, given: JsonObject, config: JsonObject): JsonObject {
  try {
    return called.plan(given, config)
  } catch (error) {
    if (!isConnectorError(error, 'params_invalid')) throw error
    return given
  }
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
