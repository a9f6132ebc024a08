// What somebody may have meant by a command that is not there: a misspelt one, or one as other programs call it.
import { nearest } from '../language/manifest/suggest.ts'

/** The names that other programs have for it, with ours, of which the first that is there counts. */
const USUAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['instances'],
  add: ['create', 'init'],
  agent: ['mcp'],
  call: ['try'],
  codegen: ['types'],
  connections: ['instances'],
  connectors: ['instances'],
  create: ['create', 'init'],
  curl: ['request'],
  del: ['delete'],
  dev: ['serve'],
  exec: ['try'],
  execute: ['try'],
  export: ['export', 'backup'],
  fetch: ['request'],
  find: ['search'],
  generate: ['types'],
  get: ['show', 'describe'],
  health: ['doctor'],
  import: ['restore'],
  info: ['show', 'describe'],
  inspect: ['show', 'describe'],
  invoke: ['try'],
  list: ['list', 'instances'],
  ls: ['list', 'instances'],
  new: ['create', 'init'],
  query: ['search'],
  remove: ['delete'],
  rm: ['delete'],
  run: ['run', 'try'],
  show: ['show', 'describe'],
  start: ['serve'],
  status: ['status', 'doctor'],
  tail: ['logs'],
  up: ['serve'],
  update: ['update', 'migrate'],
  validate: ['lint'],
  verify: ['verify', 'lint'],
}

/** One of the names that are there; null: nothing is like it. */
export function meantBy(name: string, known: readonly string[]): string | null {
  const usual = Object.hasOwn(USUAL_NAMES, name) ? USUAL_NAMES[name] : undefined
  return usual?.find((each) => known.includes(each)) ?? nearest(name, known)
}
