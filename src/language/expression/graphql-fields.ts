// `graphql_fields list`: a selection the caller chose, as GraphQL text.
import type { Json } from '../json/json.ts'
import { type Helper, kindOf, requireList, unary } from './helper.ts'
import { ValueError } from './value-error.ts'

interface Selection extends Map<string, Selection> {}

const NAME = /^[A-Za-z_]\w*$/
const MAX_DEPTH = 32

/** `[id, owner.login, owner.id]` → `id owner { login id }`; an empty list is absent, as GraphQL has no empty selection. */
export const graphqlFieldsHelper: Helper = unary(
  (list) => {
    const selection: Selection = new Map()
    for (const field of requireList(list)) addField(selection, field)
    return selection.size === 0 ? undefined : print(selection)
  },
  { gives: 'string' },
)

function addField(selection: Selection, field: Json): void {
  if (typeof field !== 'string')
    throw new ValueError(`a field is named by text, not ${kindOf(field)}`)
  const names = field.split('.')
  if (names.length > MAX_DEPTH) throw new ValueError('a field is nested too deeply')
  let inside = selection
  for (const name of names) {
    // What passes here becomes part of a query: nothing but names may.
    if (!NAME.test(name))
      throw new ValueError('a field is made of letters, digits and _, with dots between names')
    const next: Selection = inside.get(name) ?? new Map()
    inside.set(name, next)
    inside = next
  }
}

function print(selection: Selection): string {
  const fields = Array.from(selection, ([name, inside]) =>
    inside.size === 0 ? name : `${name} { ${print(inside)} }`,
  )
  return fields.join(' ')
}
