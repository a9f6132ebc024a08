// The records in an answer, and their values as a table shows them.
import { labelOf } from '../../../display/record-columns.ts'
import { isObject, type Json } from '../../api/json-text.ts'
import { textOf } from '../../form/field-text.ts'

export const SHOWN_AT_FIRST = 8

/** The records in an answer's data: those of a list, those in a page object, or the one; null: there is none. */
export function recordsIn(data: Json, paged: boolean): readonly Json[] | null {
  if (data === null) return null
  if (Array.isArray(data)) return data
  if (!isObject(data)) return [data]
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  const [only] = lists
  return paged && lists.length === 1 && only !== undefined ? only : [data]
}

export function cellText(value: Json | undefined): string {
  if (value === undefined) return ''
  if (value === null) return 'null'
  if (Array.isArray(value)) {
    const texts = value.map(cellText)
    return value.every((each) => typeof each !== 'object') && texts.join(', ').length <= 80
      ? texts.join(', ')
      : `${value.length} items`
  }
  if (!isObject(value)) return textOf(value)
  const label = labelOf(value)
  return label ?? `${Object.keys(value).length} members`
}
