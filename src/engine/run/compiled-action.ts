// The closures of one action, made once at its first use.
import { compileExpression, isTrue } from '../../language/expression/evaluate.ts'
import { type Answer, compilePath } from '../../language/expression/pick.ts'
import type { ConnectorError } from '../../errors.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { toolIn } from '../../language/manifest/body-forms/forms.ts'
import { changesData } from '../../language/manifest/changes-data.ts'
import type { Action, Entity, Manifest, Step } from '../../language/manifest/manifest.ts'
import { compilePlan, type PlanParams } from '../plan/plan.ts'
import { type BuildRequest, compileRequest } from '../request/build.ts'
import { type AnswerCheck, compileTests } from '../response/answer-tests.ts'
import { compileAnswerTests, compileErrorRules, type Verdict } from '../response/error-rules.ts'
import { compileEmptyReader, compileReader, type ReadPage } from '../response/read-page.ts'
import { compileRelay, type Relay } from '../response/relay.ts'
import { compileUpstreamError, type UpstreamFailure } from '../response/upstream-error.ts'
import { compileForEach, type Complete } from './for-each.ts'
import { compileNarrowLimits } from './narrow-limits.ts'
import { pathTemplate } from './path-template.ts'
import { type CompiledUpload, compileUpload } from './compiled-upload.ts'
import type { NarrowLimit, RepeatRules } from '../exchange/call.ts'
import { compileWaits } from '../exchange/waits.ts'

export interface CompiledAction {
  readonly manifest: Manifest
  readonly recordFields: Entity['recordFields']
  readonly action: Action
  readonly plan: PlanParams
  readonly steps: readonly CompiledStep[]
  readonly read: ReadPage
  /** What a listing gives whose answer an error rule called empty; null for actions that list nothing. */
  readonly readEmpty: ReadPage | null
  /** Passes records on as bytes; null where the manifest looks into them. */
  readonly relay: Relay | null
  readonly errorOf: (failure: UpstreamFailure) => ConnectorError
  readonly write: boolean
  readonly sendsKey: boolean
  /** Completes the records of an answer by further calls; null where the manifest asks for none. */
  readonly complete: Complete | null
  /** Sends the file in parts behind the request; null where the requests have all of it. */
  readonly upload: CompiledUpload | null
}

export interface CompiledStep extends RepeatRules {
  readonly name: string
  /** The tool that its request calls; null: its answer is that of HTTP. */
  readonly tool: string | null
  readonly isDue: (scope: Scope) => boolean
  readonly build: BuildRequest
  readonly verdictOn: (answer: Answer, scope: Scope) => Verdict
  /** Limits for less than an instance that a call falls under. */
  readonly narrow: (scope: Scope) => readonly NarrowLimit[]
  /** How its answer is read; null: as `readAnswerBody` says. */
  readonly decode: Action['response']['decode'] | null
  readonly poll: CompiledPoll | null
  /** Reads the answer where this step has its records at a place of their own; null: like every other answer. */
  readonly read: ReadPage | null
}

export interface CompiledPoll {
  readonly isDone: AnswerCheck
  readonly hasFailed: AnswerCheck
  readonly progressOf: (answer: Answer) => Json | undefined
  readonly everyMs: number
  readonly timeoutMs: number
}

/** Compiles one action of a manifest. `serverUrl`: another upstream origin; null: the manifest's. */
export function compileAction(
  manifest: Manifest,
  { recordFields }: Pick<Entity, 'recordFields'>,
  action: Action,
  serverUrl: string | null = null,
): CompiledAction {
  return {
    manifest,
    recordFields,
    action,
    plan: compilePlan(manifest, action),
    steps: action.steps.map((step) => compileStep(step, action, manifest, serverUrl)),
    read: compileReader(action, manifest.definitions),
    readEmpty: action.response.kind === 'list' ? compileEmptyReader(action) : null,
    relay: compileRelay(action, manifest.definitions),
    errorOf: compileUpstreamError(manifest.title, withToolErrors(action)),
    write: changesData(action),
    complete:
      action.forEach === undefined
        ? null
        : compileForEach(action.forEach, `${action.entity}.${action.name}`),
    upload: uploadOf(action),
    sendsKey: action.steps.some((step) => step.retry.idempotencyKey !== null),
  }
}

function uploadOf({ upload, steps }: Action): CompiledUpload | null {
  const step = steps.at(-1)
  return upload === undefined || step === undefined
    ? null
    : compileUpload(upload, step.request.timeoutMs)
}

/** Of the request that asks for the address of an upload only that is read; null: its answer is the action's. */
function startDecode({ upload }: Action): 'json' | 'none' | null {
  if (upload === undefined) return null
  return upload.address.root === 'body' ? 'json' : 'none'
}

/** What tools call an error says so in `message`, where the manifest does not know better. */
function withToolErrors(action: Action): Action {
  const { errorBody, steps } = action
  const callsTools = steps.some(({ request }) => toolIn(request.body) !== null)
  if (!callsTools || errorBody.message !== null) return action
  const path = ['body', 'message']
  const message = { kind: 'value', expression: { kind: 'path', root: 'response', path } } as const
  return { ...action, errorBody: { ...errorBody, message } }
}

function compileStep(
  step: Step,
  action: Action,
  manifest: Manifest,
  serverUrl: string | null,
): CompiledStep {
  const test = step.test === null ? null : compileExpression(step.test)
  const changes = changesData(action)
  const isLast = step === action.steps.at(-1)
  const { method } = step.request
  const reads = method === 'GET' || method === 'HEAD' || step.request.reads === true
  const write = changes && !reads
  const isFile = action.response.kind === 'stream' && action.download?.url === null && isLast
  return {
    name: step.name,
    place: pathTemplate(step.request.path),
    tool: toolIn(step.request.body),
    isDue: test === null ? () => true : (scope) => isTrue(test(scope)),
    build: compileRequest(step.request, manifest, {
      serverUrl,
      ...(isFile
        ? { accept: acceptOf(action) }
        : action.response.unpack === undefined
          ? { decode: step.decode ?? action.response.decode }
          : { accept: '*/*' }),
    }),
    decode: step.decode ?? startDecode(action),
    verdictOn: compileErrorRules(step.errors, {
      stream: isFile,
      listing: action.response.kind === 'list',
    }),
    policy: step.retry,
    waits: compileWaits(step.retry.wait, compileAnswerTests),
    narrow: compileNarrowLimits(manifest.limits, step.request, write),
    write,
    repeatable: !write || step.retry.idempotent || step.retry.idempotencyKey !== null,
    poll: step.poll === null ? null : compilePoll(step.poll),
    read:
      step.records === undefined
        ? null
        : compileReader(
            { ...action, response: { ...action.response, at: step.records } },
            manifest.definitions,
          ),
  }
}

function compilePoll(poll: NonNullable<Step['poll']>): CompiledPoll {
  return {
    isDone: compileTests(poll.until),
    hasFailed: poll.failed === null ? () => false : compileTests(poll.failed),
    progressOf: poll.progress === null ? () => undefined : compilePath(poll.progress),
    everyMs: poll.everyMs,
    timeoutMs: poll.timeoutMs,
  }
}

function acceptOf(action: Action): string {
  const types = action.download?.types ?? []
  return types.length === 0 ? '*/*' : types.join(', ')
}
