// The end of a listing that the answer did not state, in words for those who asked for the page.
import { doubtOf, type EndDoubt, type UnsaidEnd } from './page-end.ts'
import { own } from '../../language/json/own.ts'
import type { Json } from '../../language/json/json.ts'

/** The code of such a warning in `execution.warnings`. */
export const UNSAID_END = 'unsaid_end'

export interface DescribedEnd {
  readonly doubt: EndDoubt
  readonly text: string
}

/** What is to be thought of an unsaid end, and a sentence about it; null where the page can be the last. */
export function describeEnd(operation: string, end: UnsaidEnd, meta: object): DescribedEnd | null {
  const total = totalIn(meta)
  const doubt = doubtOf(end, { total, largestPage: null })
  if (doubt === null) return null
  const count = end.total ?? total
  const known = count === null ? '' : ` of ${count}`
  const asked = count === null && end.size !== null ? ', as many as were asked for' : ''
  const more = doubt === 'truncated' ? 'there are probably more' : 'there may be more'
  return {
    doubt,
    text:
      `${operation} ended after one page of ${end.received}${known} records${asked}, and nothing was found at ` +
      `${end.pointers.join(', ')}: ${more}. Correct the pagination of the manifest, or state silent_end: true if the ` +
      'vendor ends its listings so.',
  }
}

const TOTALS = ['total', 'totalRecords'] as const

/** The third party's own count where the manifest shows it in `meta`, in it or in its `pagination`; else null. */
export function totalIn(meta: object): number | null {
  for (const place of [meta, own(meta, 'pagination')]) {
    for (const name of TOTALS) {
      const total: Json | undefined = own(place, name)
      if (typeof total === 'number' && Number.isInteger(total)) return total
    }
  }
  return null
}
