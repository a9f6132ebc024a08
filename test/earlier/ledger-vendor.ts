// The vendor of ledger.yaml: seven entries in pages of three.
import { createHttpVendor, type HttpVendor, sendJson } from '../faults/http-vendor.ts'

export const API_KEY = 'key-of-the-ledger'
export const ENTRIES: readonly { readonly id: string }[] = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
].map((text, index) => ({
  id: `e${index + 1}`,
  text: `entry ${text}`,
  updated: `2026-01-0${index + 1}T00:00:00Z`,
}))

/** Refuses every key but the one that the kept instances have: their credentials must open. */
export async function startLedger(): Promise<HttpVendor> {
  return await createHttpVendor(({ url, headers }, response) => {
    if (headers['x-api-key'] !== API_KEY)
      return sendJson(response, { error: 'unknown key' }, { status: 401 })
    const from = Number(new URL(url, 'http://ledger').searchParams.get('cursor') ?? 0)
    const next = from + 3 < ENTRIES.length ? String(from + 3) : null
    return sendJson(response, { items: ENTRIES.slice(from, from + 3), next })
  })
}
