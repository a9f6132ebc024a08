// What the vendor does on a request: one function per role that a request can have in its action.
import { ACTIONS } from '../../language/manifest/actions.ts'
import type { Route } from '../wire/routes.ts'
import { scalarText } from '../wire/same-scalar.ts'
import type { WireAnswer } from '../wire/wire-answer.ts'
import { type Call, hasTarget, pathParams } from './vendor-call.ts'
import {
  answerFile,
  answerLink,
  answerPoll,
  answerStart,
  answerUploadStart,
  readFrom,
} from './files-and-jobs.ts'
import { answerGet, answerList } from './reading.ts'
import { answerCreate, answerDelete, answerUpdate } from './writing.ts'

type Role = 'list' | 'get' | 'create' | 'update' | 'delete' | 'start' | 'poll' | 'file' | 'link'

const PERFORM: Readonly<Record<Role, (call: Call) => WireAnswer>> = {
  list: answerList,
  get: answerGet,
  create: answerCreate,
  update: answerUpdate,
  delete: answerDelete,
  start: answerStart,
  poll: answerPoll,
  file: answerFile,
  link: answerLink,
}

/** Does what the request asks for, and answers. Throws VendorRefusal. */
export function performAction(call: Call): WireAnswer {
  const { route } = call.understood
  const perform = PERFORM[roleOf(route)]
  const { upload } = route.action
  return upload === undefined ? perform(call) : answerUploadStart(call, upload, perform)
}

/** True when a request that names a row or a job names one that is there, and for every other request. */
export function meansSomething(call: Call): boolean {
  const role = roleOf(call.understood.route)
  if (role === 'poll') return call.jobs.has(scalarText(pathParams(call).at(-1)) ?? '')
  return role === 'get' || role === 'update' || role === 'delete' ? hasTarget(call) : true
}

const ROLE_OF_EFFECT = { adds: 'create', alters: 'update', removes: 'delete' } as const

function roleOf(route: Route): Role {
  const { action, step, stepped } = route
  const isLast = step === action.steps.at(-1)
  if (step.poll !== null) return 'poll'
  const { gives, effect } = ACTIONS[action.name]
  if (gives === 'stream' && isLast) return action.download?.url == null ? 'file' : 'link'
  const reading = gives === 'list' ? 'list' : 'get'
  if (!stepped) return effect === null ? reading : ROLE_OF_EFFECT[effect]
  if (!isLast && readFrom(action, step.name).length > 0) return 'start'
  const { method } = step.request
  if (method === 'GET' || method === 'HEAD') return reading
  if (method === 'DELETE') return 'delete'
  // In an action of several requests a POST or PUT does what the action is for.
  if (effect === null) return gives === 'list' ? 'list' : 'start'
  return effect === 'adds' ? 'create' : 'update'
}
