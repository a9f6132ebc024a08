// Calls that this browser keeps: the last runs, and those that somebody saved. Never a body, an answer or a secret.
import { isObject, type Json, type JsonObject, parseJson, writeJson } from '../../api/json-text.ts'
import { UNTIL_SIGN_OUT } from '../../parts/typed.ts'

export type KeptCall = {
  readonly instance: string
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
  /** When it ran or was saved. */
  readonly at: string
  /** Of a saved one what it is called, of a run what came of it. */
  readonly words: string
}

const LISTS = { runs: 50, saved: 100 } as const
export type CallList = keyof typeof LISTS

/** Of more, only the operation would be of use. */
const MAX_LENGTH = 8000

/** The newest first. `owner` is who is signed in: what somebody else ran is not their own. */
export function readCalls(list: CallList, owner: string): readonly KeptCall[] {
  try {
    const kept = parseJson(window.localStorage.getItem(keyOf(list, owner)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isCall) : []
  } catch {
    return []
  }
}

/** In front of those that are there; the oldest go, and an equal one is there once. */
export function keepCall(list: CallList, owner: string, call: KeptCall): void {
  if (writeJson(call).length > MAX_LENGTH) return
  const others = readCalls(list, owner).filter((each) => !isSame(each, call))
  write(list, owner, [call, ...others].slice(0, LISTS[list]))
}

export function dropCall(list: CallList, owner: string, call: KeptCall): void {
  write(
    list,
    owner,
    readCalls(list, owner).filter((each) => !isSame(each, call)),
  )
}

function isSame(a: KeptCall, b: KeptCall): boolean {
  const named = ({ instance, entity, action, params }: KeptCall): string =>
    writeJson([instance, entity, action, params])
  return named(a) === named(b)
}

function write(list: CallList, owner: string, calls: readonly KeptCall[]): void {
  try {
    window.localStorage.setItem(keyOf(list, owner), writeJson(calls))
  } catch {
    // The browser keeps no more; a run is not worth a failure.
  }
}

function keyOf(list: CallList, owner: string): string {
  return `${list === 'runs' ? UNTIL_SIGN_OUT : 'tenon.'}calls.${list}.${owner}`
}

function isCall(value: Json): value is KeptCall {
  if (!isObject(value) || !isObject(value['params'])) return false
  return ['instance', 'entity', 'action', 'at', 'words'].every(
    (name) => typeof value[name] === 'string',
  )
}
