// Requests whose answer is a file, the address of one, or a word about work that goes on.
import { pathsIn } from '../../language/expression/paths-in.ts'
import type { Json } from '../../language/json/json.ts'
import { withMember } from '../../language/json/members.ts'
import type { Action, Upload } from '../../language/manifest/manifest.ts'
import type { Row } from '../data/world.ts'
import { contentTypeFor, createMediaFile } from '../files/media-file.ts'
import { said } from '../files/upload-sessions.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { fileAnswer, valueAnswer, type WireAnswer } from '../wire/wire-answer.ts'
import { type Draft, writePath } from '../wire/write-path.ts'
import {
  type Call,
  contextOf,
  findTarget,
  hasTarget,
  pathParams,
  refuse,
  withEnvelope,
} from './vendor-call.ts'
import { writeTests } from './write-page.ts'

const DEFAULT_FILE_BYTES = 100_000

export function answerFile(call: Call): WireAnswer {
  const { action, operation } = call.understood.route
  const row = call.set === null ? null : findTarget(call)
  refuse(call, row)
  const key = pathParams(call).map(scalarText).join('/')
  const contentType = contentTypeFor(action.download?.types ?? [])
  const sent = row === null ? null : call.kept.of(row, contentType)
  const file =
    sent ??
    createMediaFile({
      name: `${operation}/${key}`,
      contentType,
      size: call.fileBytes ?? sizeOf(row),
    })
  return fileAnswer(file, call.request.headers, new Date(call.world.startMs).toUTCString())
}

/** The address of a file, where the manifest looks for it. */
export function answerLink(call: Call): WireAnswer {
  const row = hasTarget(call) ? findTarget(call) : null
  refuse(call, row)
  const draft: Draft = { body: {}, headers: {} }
  writeFileLink(draft, call, { action: call.understood.route.action, row })
  return valueAnswer(200, withEnvelope(call, draft.body, contextOf(call)), draft.headers)
}

/** The address to which a file is sent in parts, where the manifest looks for it. `complete`: what is done with the file. */
export function answerUploadStart(
  call: Call,
  upload: Upload,
  complete: (call: Call) => WireAnswer,
): WireAnswer {
  refuse(call, null)
  const { understood, uploads } = call
  const { params } = understood
  const address = uploads.open({
    operation: understood.route.operation,
    upload,
    size: said(understood, 'total'),
    complete(file) {
      const sent = file === null ? {} : { [upload.file.join('.')]: file.toString('base64') }
      return complete({ ...call, understood: { ...understood, params: { ...params, ...sent } } })
    },
  })
  const draft: Draft = { body: undefined, headers: {} }
  writePath(draft, upload.address, address)
  return valueAnswer(200, draft.body, draft.headers)
}

/** In bytes, where the record says it. */
function sizeOf(row: Row | null): number {
  const size = row?.fields['size']
  return typeof size === 'number' && size >= 0 ? size : DEFAULT_FILE_BYTES
}

/** Writes a signed address where the action's download looks for one. The parameters decide which file it is. */
export function writeFileLink(
  draft: Draft,
  call: Call,
  { action, row }: { readonly action: Action; readonly row: Row | null },
): void {
  if (action.download?.url == null) return
  const link = call.world.linkFile({
    name: `${action.entity}/${JSON.stringify(call.understood.params)}`,
    contentType: contentTypeFor(action.download.types),
    size: sizeOf(row),
    row,
  })
  writePath(draft, action.download.url, link)
}

/** The start of a job: its id wherever later steps read it, if the demo data does not say the answer. */
export function answerStart(call: Call): WireAnswer {
  refuse(call, null)
  const { rules, understood } = call
  const { action, step } = understood.route
  if (rules.answer !== undefined)
    return valueAnswer(rules.status ?? 200, rules.answer(contextOf(call)))
  const id = String(9_000_001 + call.jobs.size)
  call.jobs.set(id, 0)
  let body: Json = {}
  for (const path of readFrom(action, step.name)) body = withMember(body, path, id)
  return valueAnswer(200, withEnvelope(call, body, contextOf(call)))
}

/** How often a job says that it is still at work. */
const ASKED_BEFORE_DONE = 2

/** How far a job is. It is done when it has been asked for some times. */
export function answerPoll(call: Call): WireAnswer {
  refuse(call, null)
  const { poll } = call.understood.route.step
  const id = scalarText(pathParams(call).at(-1)) ?? ''
  const asked = call.jobs.get(id)
  if (asked === undefined || poll === null)
    throw new VendorRefusal('not_found', `There is no job ${id}`)
  call.jobs.set(id, asked + 1)
  const progress = Math.min(1, asked / ASKED_BEFORE_DONE)
  const draft: Draft = { body: {}, headers: {} }
  writeTests(draft, poll.until, progress >= 1)
  if (poll.progress !== null) writePath(draft, poll.progress, Math.round(progress * 100))
  return valueAnswer(200, withEnvelope(call, draft.body, contextOf(call)))
}

/** The members of a step's answer that other parts of the action read: `steps.start.body.report_id`. */
export function readFrom(action: Action, step: string): readonly (readonly string[])[] {
  return action.steps
    .flatMap(({ request }) => pathsIn(request, 'steps'))
    .flatMap(([name, part, ...rest]) =>
      name === step && part === 'body' && rest.length > 0 ? [rest] : [],
    )
}
