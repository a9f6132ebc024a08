// Searches of the console for which nobody asked, behind what somebody looks at: they leave no entry in the logs.
import { LABEL_MEMBERS, nameNextTo } from '../../display/record-columns.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { ServiceRequest } from '../route.ts'

/** Sent by the console with such a search: what it is for. */
const MARK = 'x-tenon-console-own'

/** What each of them may ask: a search that reads more has its entry. */
const SEARCHES: Readonly<Record<string, (params: JsonObject) => boolean>> = {
  /** How often the words of a search stand elsewhere: the best hit alone. */
  count: (params) => own(params, 'limit') === 1,
  /** What records are called that others name: names, by what names the records. */
  names: asksForNames,
}

export function isOwnSearch(request: ServiceRequest, params: JsonObject): boolean {
  if (request.principal.sessionHash === undefined) return false
  const mark = request.header(MARK) ?? ''
  return Object.hasOwn(SEARCHES, mark) && SEARCHES[mark]?.(params) === true
}

function asksForNames(params: JsonObject): boolean {
  const filter = own(own(params, 'query'), 'filter')
  const keys = own(filter, 'in')
  const fields = own(params, 'fields')
  if (!isJsonObject(filter) || !isJsonObject(keys) || !isList(fields)) return false
  const [key, ...more] = Object.keys(keys)
  return (
    Object.keys(filter).length === 1 &&
    key !== undefined &&
    more.length === 0 &&
    fields.length > 0 &&
    fields.every((name) => [key, nameNextTo(key), ...LABEL_MEMBERS].some((label) => label === name))
  )
}
