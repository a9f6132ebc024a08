// Which parameters of an action are files.
import { isJsonObject } from '../json/members.ts'
import type { Action } from './manifest.ts'

/** The parameters of an action that take a file, other names included. */
export function fileParams({
  params: { schema, aliases },
}: Pick<Action, 'params'>): readonly string[] {
  const { properties } = schema
  const members = Object.entries(isJsonObject(properties) ? properties : {})
  const names = members.flatMap(([name, each]) =>
    isJsonObject(each) && each['format'] === 'binary' ? [name] : [],
  )
  const others = aliases.flatMap(({ alias, name }) => (names.includes(name) ? [alias] : []))
  return [...names, ...others]
}
