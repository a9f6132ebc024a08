// The kinds of actions: the one place that knows what a name means. Everything else reads this table.

/** The actions that a manifest can declare, each with what a call of it delivers: the types of clients follow from it. */
interface Delivered {
  readonly list: 'list'
  readonly get: 'record'
  readonly create: 'record'
  readonly update: 'record'
  readonly delete: 'nothing'
  readonly api_search: 'list'
  readonly download: 'stream'
  readonly upload: 'record'
}
/** The actions that a manifest can declare. */
export type ActionName = keyof Delivered
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The one operation that is no action and that no manifest declares: it reads the synchronized copy. */
export const SEARCH = 'search'

/** The action that asks the search of the vendor. */
export const VENDOR_SEARCH: ActionName = 'api_search'

export interface OperationKind {
  /**
   * What a call delivers. `list`: pages of records. `record`: one record. `nothing`: null. `stream`: the bytes of a file.
   * `hits`: records of the synchronized copy.
   */
  readonly gives: 'list' | 'record' | 'nothing' | 'stream' | 'hits'
  /** What it does to the records of the vendor; null: it only reads, so that it is safe to repeat and free for agents. */
  readonly effect: 'adds' | 'alters' | 'removes' | null
  readonly namesRecord: boolean
  /** The methods it may send; any other one changes data unless the request says `reads: true`. */
  readonly methods: readonly HttpMethod[]
}
export interface ActionKind extends OperationKind {
  /** Whether it is there to send a file: one of its parameters must be one. Others may have such parameters too. */
  readonly isForFile?: true
  readonly gives: Exclude<OperationKind['gives'], 'hits'>
}

/** POST is among them: many vendors read by it. */
const READING: readonly HttpMethod[] = ['GET', 'HEAD', 'POST']
const ALL: readonly HttpMethod[] = [...READING, 'PUT', 'PATCH', 'DELETE']

export const ACTIONS: {
  readonly [Name in ActionName]: ActionKind & { readonly gives: Delivered[Name] }
} = {
  list: { gives: 'list', effect: null, namesRecord: false, methods: READING },
  get: { gives: 'record', effect: null, namesRecord: true, methods: READING },
  create: { gives: 'record', effect: 'adds', namesRecord: false, methods: ALL },
  update: { gives: 'record', effect: 'alters', namesRecord: true, methods: ALL },
  delete: { gives: 'nothing', effect: 'removes', namesRecord: true, methods: ALL },
  api_search: { gives: 'list', effect: null, namesRecord: false, methods: READING },
  download: { gives: 'stream', effect: null, namesRecord: true, methods: READING },
  upload: { gives: 'record', effect: 'adds', namesRecord: false, methods: ALL, isForFile: true },
}

const OF_COPY = { gives: 'hits', effect: null, namesRecord: false, methods: [] } as const

/** The names of the operations that deliver this. */
export type Giving<G extends OperationKind['gives']> =
  | (typeof OF_COPY.gives extends G ? typeof SEARCH : never)
  | { [Name in ActionName]: Delivered[Name] extends G ? Name : never }[ActionName]

/** What is known of an operation; null for a name of a later version, and for none. */
export function kindOf(name: string): OperationKind | null {
  if (name === SEARCH) return OF_COPY
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name as ActionName] : null
}

/** Whether a call of this operation delivers one of these. */
export function gives<G extends OperationKind['gives']>(
  name: string,
  ...what: readonly G[]
): name is Giving<G> {
  const kind = kindOf(name)
  return kind !== null && (what as readonly string[]).includes(kind.gives)
}

/** Whether an action of this name reads one record by what names it. */
export function readsOneRecord(name: string): boolean {
  return gives(name, 'record') && kindOf(name)?.effect === null
}

const NAMES = Object.keys(ACTIONS) as ActionName[]

export const LISTINGS: readonly ActionName[] = NAMES.filter((name) => gives(name, 'list'))
export const CHANGES: readonly ActionName[] = NAMES.filter((name) => ACTIONS[name].effect !== null)
/** The actions that a check can call: they read, and deliver no file. */
export const CHECKS: readonly ActionName[] = NAMES.filter(
  (name) => !CHANGES.includes(name) && !gives(name, 'stream'),
)

/** The operations of an entity: its actions, and the search where it has one. */
export function withSearch(actions: readonly string[], isSearchable: boolean): readonly string[] {
  return isSearchable ? [...actions, SEARCH] : actions
}
