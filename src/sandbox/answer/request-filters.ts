// Parameters that name a member of the records, as filters: what a listing does when the demo data declares none.
import type { Json } from '../../language/json/json.ts'
import type { Action } from '../../language/manifest/manifest.ts'
import { pagingOf } from '../../language/manifest/pagination-styles.ts'
import { singular } from '../data/default-sets.ts'
import type { Filter } from '../data/demo-types.ts'
import type { Understood } from '../wire/understand.ts'

/** Names that shape an answer rather than choose records. */
const OTHER_USES =
  /^(fields|expand|include|select|properties|order|order_?by|sort|sort_?by|direction|query|q|search|jql|limit|offset|page|per_?page|size|cursor|after|before|start_?at|max_?results)$/i

/** One filter per parameter (of query or body) that has the name of a member, or its plural: `callIds` and `callId`. */
export function requestFilters(
  understood: Understood,
  members: readonly string[],
  ownId: string,
): readonly Filter[] {
  const { action } = understood.route
  return understood.readings.flatMap(({ root, path, exact, from, value }) => {
    const name = path.at(-1) ?? ''
    const member = memberFor(name, members, ownId)
    const isFilter = root === 'params' && exact && (from === 'query' || from === 'body')
    if (!isFilter || member === undefined || isPaging(action, path) || OTHER_USES.test(name))
      return []
    if (!isPlain(value)) return []
    const at = [(fields: { readonly [name: string]: Json }) => fields[member]]
    return [{ at, value: () => value, test: 'is', ignore_case: false }]
  })
}

function memberFor(name: string, members: readonly string[], ownId: string): string | undefined {
  const single = singular(name)
  const isOwnId = [`${ownId}id`, 'id', 'ids', `${ownId}ids`].includes(
    name.replaceAll('_', '').toLowerCase(),
  )
  return (
    members.find((member) => member === name) ??
    members.find((member) => member === single) ??
    (isOwnId ? members.find((member) => member === 'id') : undefined)
  )
}

function isPaging(action: Action, path: readonly string[]): boolean {
  const paging = pagingOf(action.pagination)
  return [paging?.param, paging?.size].some((other) => other?.join('.') === path.join('.'))
}

function isPlain(value: Json): boolean {
  return Array.isArray(value)
    ? value.every((item: Json) => item === null || typeof item !== 'object')
    : value !== null && typeof value !== 'object'
}
