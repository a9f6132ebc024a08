// JSON as values of the languages that code is shown in.
import { isObject, type Json } from '../api/json-text.ts'
import { textOf as textFieldOf } from '../form/field-text.ts'

/** For a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A text of TypeScript. */
export function textOf(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}

export const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** A value of TypeScript; no members at all, and no indent, are no argument. */
export function literalOf(value: Json, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value))
    return `[${value.map((each: Json) => literalOf(each, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value)
  if (members.length === 0) return indent === '' ? '' : '{}'
  const lines = members.map(
    ([name, each]) =>
      `${inner}${IDENTIFIER.test(name) ? name : textOf(name)}: ${literalOf(each, inner)},`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** JSON strings are strings of Python as well, but for half of a pair of surrogates. */
export const pythonTextOf = (text: string): string => JSON.stringify(text)

export function pythonOf(value: Json, indent = ''): string {
  const inner = `${indent}    `
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return pythonTextOf(value)
  const isList = Array.isArray(value)
  if (!isList && !isObject(value)) return textFieldOf(value)
  const parts = isList
    ? value.map((each: Json) => pythonOf(each, inner))
    : Object.entries(value).map(([name, each]) => `${pythonTextOf(name)}: ${pythonOf(each, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
