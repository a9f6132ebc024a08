// The third party's own count of the records of a listing.
import { own } from '../../language/json/own.ts'
import type { Json } from '../../language/json/json.ts'

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
