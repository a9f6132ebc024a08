// JSON behind the # of an address: it can be kept, sent and come back to, and no server and no log ever sees it.
import { useEffect } from 'react'
import { type Json, parseJson, writeJson } from '../api/json-text.ts'
import { addressOf, usePlace } from '../place.tsx'

/** Characters of an address. More stays in the tab alone. */
const MAX_LENGTH = 4000

/** `#<name>=<JSON>`; '' for what is too long. */
export function hashOf(name: string, value: Json): string {
  const hash = `#${name}=${encodeURIComponent(writeJson(value))}`
  return hash.length > MAX_LENGTH ? '' : hash
}

/** What stands in the present address; undefined: nothing, or what can not be read. */
export function readHash(name: string): Json | undefined {
  const { hash } = window.location
  if (!hash.startsWith(`#${name}=`)) return undefined
  try {
    return parseJson(decodeURIComponent(hash.slice(name.length + 2)))
  } catch {
    // An address that was cut off or typed.
    return undefined
  }
}

/** Whether the present address has such a thing, which can not be read. */
export function isHashBroken(name: string): boolean {
  return window.location.hash.startsWith(`#${name}=`) && readHash(name) === undefined
}

/**
 * Keeps `value` in the address as long as the screen is shown. `change` is called with what another address brings that
 * leads to the same screen, as Back does. Null: nothing is kept.
 */
export function useHash(name: string, value: Json, change: (value: Json) => void): void {
  const text = value === null ? null : writeJson(value)
  useEffect(() => {
    const hash = value === null ? '' : hashOf(name, value)
    const { pathname, search } = window.location
    if (hash !== window.location.hash)
      window.history.replaceState(null, '', pathname + search + hash)
    // The value is its text.
  }, [name, text])
  const place = usePlace()
  useEffect(() => {
    const given = readHash(name)
    if (given !== undefined && writeJson(given) !== text) change(given)
    // Only another address brings another value.
  }, [place])
}

export interface AddressedCall {
  readonly instance: string
  readonly entity: string
  readonly action: string
  readonly params: Json
}

/** The explorer with an operation and its parameters: `/explorer?instance=…&entity=…&action=…#params={…}`. */
export function explorerAddress({ params, ...operation }: AddressedCall): string {
  return addressOf('/explorer', operation) + hashOf('params', params)
}

/** The search with its query: `/search?instance=…&entity=…#query={…}`. */
export function searchAddress({ instance, entity, params }: Omit<AddressedCall, 'action'>): string {
  return addressOf('/search', { instance, entity }) + hashOf('query', params)
}
