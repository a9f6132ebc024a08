// Requests whose answer is a file, the address of one, or a word about work that goes on.
import type { Expression, Template, Text } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import type { Action, BodyTests, RequestTemplate } from '../../language/manifest/manifest.ts'
import { contentTypeFor, createMediaFile } from '../files/media-file.ts'
import { passing, VendorRefusal } from '../wire/refusal.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { setAt } from '../wire/value-at.ts'
import { fileAnswer, valueAnswer } from '../wire/wire-answer.ts'
import type { WireAnswer } from '../wire/wire-answer.ts'
import { writePath } from '../wire/write-path.ts'
import type { Draft } from '../wire/write-path.ts'
import { findTarget, makingOf, pathParams, refuse, withEnvelope } from './doing.ts'
import type { Doing } from './doing.ts'
import { DEFAULT_FILE_BYTES, writeFileLink } from './file-link.ts'
import { failing } from './write-page.ts'

/** The file itself. */
export function answerFile(doing: Doing): WireAnswer {
  const { action, operation } = doing.understood.route
  const row = doing.set === null ? null : findTarget(doing)
  refuse(doing, row)
  const key = pathParams(doing).map(scalarText).join('/')
  const file = createMediaFile({
    name: `${operation}/${key}`,
    contentType: contentTypeFor(action.download?.types ?? []),
    size: doing.fileBytes ?? DEFAULT_FILE_BYTES,
  })
  return fileAnswer(file, doing.request.headers, new Date(doing.world.startMs).toUTCString())
}

/** The address of a file, where the manifest looks for it. */
export function answerLink(doing: Doing): WireAnswer {
  refuse(doing, null)
  const draft: Draft = { body: {}, headers: {} }
  writeFileLink(draft, doing, doing.understood.route.action)
  return valueAnswer(200, withEnvelope(doing, draft.body, makingOf(doing)), {
    headers: draft.headers,
  })
}

/** The start of a job: its id wherever later steps read it. */
export function answerStart(doing: Doing): WireAnswer {
  refuse(doing, null)
  const { action, step } = doing.understood.route
  const id = doing.jobs.start()
  let body: Json = {}
  for (const path of readFrom(action, step.name)) body = setAt(body, path, id)
  return valueAnswer(200, withEnvelope(doing, body, makingOf(doing)))
}

/** How far a job is. It is done when it has been asked for some times. */
export function answerPoll(doing: Doing): WireAnswer {
  refuse(doing, null)
  const { poll } = doing.understood.route.step
  const id = scalarText(pathParams(doing).at(-1)) ?? ''
  const progress = doing.jobs.ask(id)
  if (progress === null || poll === null)
    throw new VendorRefusal('not_found', `There is no job ${id}`)
  const draft: Draft = { body: {}, headers: {} }
  writeState(draft, poll.until, progress >= 1)
  if (poll.progress !== null) writePath(draft, poll.progress, Math.round(progress * 100))
  return valueAnswer(200, withEnvelope(doing, draft.body, makingOf(doing)))
}

function writeState(draft: Draft, tests: BodyTests, isDone: boolean): void {
  for (const { at, test } of tests) {
    const value = isDone ? passing(test) : failing(test)
    if (value !== undefined) writePath(draft, at, value)
  }
}

/** The members of a step's answer that other parts of the action read: `steps.start.body.report_id`. */
export function readFrom(action: Action, step: string): readonly (readonly string[])[] {
  const found = action.steps.flatMap(({ request }) => expressionsIn(request)).flatMap(pathsIn)
  return found.flatMap((path) => {
    const [name, part, ...rest] = path
    return name === step && part === 'body' && rest.length > 0 ? [rest] : []
  })
}

function expressionsIn(request: RequestTemplate): readonly Expression[] {
  const entries = [...request.query, ...request.headers]
  const { body } = request
  return [
    ...request.path.flatMap(inText),
    ...entries.flatMap(({ value }) => inTemplate(value)),
    ...(body.kind === 'json' ? inTemplate(body.value) : []),
    ...(body.kind === 'form' ? body.entries.flatMap(({ value }) => inTemplate(value)) : []),
    ...(body.kind === 'graphql' ? inTemplate(body.variables) : []),
  ]
}

function inText(text: Text): readonly Expression[] {
  return text.flatMap((part) =>
    typeof part === 'string' || part.kind === 'ifBlock' || part.kind === 'eachBlock' ? [] : [part],
  )
}

function inTemplate(template: Template): readonly Expression[] {
  switch (template.kind) {
    case 'constant':
      return []
    case 'value':
      return [template.expression]
    case 'text':
      return inText(template.text)
    case 'array':
      return template.items.flatMap(inTemplate)
    case 'object':
      return template.members.flatMap(([, value]) => inTemplate(value))
    case 'when':
      return [template.test, ...inTemplate(template.value)]
  }
}

function pathsIn(expression: Expression): readonly (readonly string[])[] {
  if (expression.kind === 'call') return expression.args.flatMap(pathsIn)
  return expression.kind === 'path' && expression.root === 'steps' ? [expression.path] : []
}
