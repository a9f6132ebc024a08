// What was typed into a form stays in this tab, so that a reload or another sign-in does not lose it.
import { useEffect, useState } from 'react'
import { type Json, parseJson, writeJson } from '../api/json-text.ts'

const KEY = 'tenon.typed.'

/** What was kept under a name; null: nothing. The same name always holds the same shape. */
export function readTyped(name: string): Json {
  const text = window.sessionStorage.getItem(KEY + name)
  return text === null ? null : parseJson(text)
}

export function keepTyped(name: string, value: Json): void {
  try {
    window.sessionStorage.setItem(KEY + name, writeJson(value))
  } catch {
    // More than the browser keeps for a tab: then a reload begins with nothing.
    window.sessionStorage.removeItem(KEY + name)
  }
}

/** State that begins with what was kept under its name, else with `first`, and is kept there. */
export function useKept<T extends Json>(name: string, first: () => T) {
  // The same name always holds the same shape.
  const state = useState(() => (readTyped(name) as T | null) ?? first())
  const [value] = state
  useEffect(() => keepTyped(name, value), [name, value])
  return state
}

export function dropTyped(name: string): void {
  window.sessionStorage.removeItem(KEY + name)
}

/** The start of the names of what is kept in this browser until somebody signs out. */
export const UNTIL_SIGN_OUT = 'tenon.until-sign-out.'

/** Who signs out leaves nothing to the next user of this browser. */
export function dropAllTyped(): void {
  for (const [storage, start] of [
    [window.sessionStorage, KEY],
    [window.localStorage, UNTIL_SIGN_OUT],
  ] as const)
    for (const key of Object.keys(storage)) if (key.startsWith(start)) storage.removeItem(key)
}
