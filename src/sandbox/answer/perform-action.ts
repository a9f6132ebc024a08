// What the vendor does on a request: one function per role that a request can have in its action.
import type { ActionName } from '../../manifest/manifest.ts'
import type { Route } from '../wire/routes.ts'
import { scalarText } from '../wire/same-scalar.ts'
import type { WireAnswer } from '../wire/wire-answer.ts'
import { hasTarget, pathParams } from './doing.ts'
import type { Doing } from './doing.ts'
import { answerFile, answerLink, answerPoll, answerStart, readFrom } from './files-and-jobs.ts'
import { answerGet, answerList } from './reading.ts'
import { answerCreate, answerDelete, answerUpdate } from './writing.ts'

type Role = 'list' | 'get' | 'create' | 'update' | 'delete' | 'start' | 'poll' | 'file' | 'link'

const PERFORM: Readonly<Record<Role, (doing: Doing) => WireAnswer>> = {
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
export function performAction(doing: Doing): WireAnswer {
  return PERFORM[roleOf(doing.understood.route)](doing)
}

/** True when a request that names a row or a job names one that is there, and for every other request. */
export function meansSomething(doing: Doing): boolean {
  const role = roleOf(doing.understood.route)
  if (role === 'poll') return doing.jobs.has(scalarText(pathParams(doing).at(-1)) ?? '')
  return role === 'get' || role === 'update' || role === 'delete' ? hasTarget(doing) : true
}

const ROLE_OF_ACTION: Readonly<Record<ActionName, Role>> = {
  list: 'list',
  api_search: 'list',
  get: 'get',
  create: 'create',
  update: 'update',
  delete: 'delete',
  download: 'file',
}

function roleOf(route: Route): Role {
  const { action, step, stepped } = route
  const isLast = step === action.steps.at(-1)
  if (step.poll !== null) return 'poll'
  if (action.name === 'download' && isLast) return action.download?.url == null ? 'file' : 'link'
  if (!stepped) return ROLE_OF_ACTION[action.name]
  if (!isLast && readFrom(action, step.name).length > 0) return 'start'
  const { method } = step.request
  if (method === 'GET' || method === 'HEAD') return action.response.kind === 'list' ? 'list' : 'get'
  if (method === 'DELETE') return 'delete'
  return action.name === 'list' || action.name === 'api_search'
    ? 'list'
    : ROLE_OF_WRITE[action.name]
}

/** In an action of several requests a POST or PUT does what the action is named for. */
const ROLE_OF_WRITE: Readonly<Record<Exclude<ActionName, 'list' | 'api_search'>, Role>> = {
  get: 'start',
  create: 'create',
  update: 'update',
  delete: 'update',
  download: 'start',
}
