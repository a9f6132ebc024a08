// What was typed into a form stays in this tab, so that a reload or another sign-in does not lose it.
import { useEffect, useState } from 'react'
import { type Json, parseJson, writeJson } from '../api/json-text.ts'
import { BASE } from '../place.tsx'

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

/** Who is signed in, of this tab and of this browser. Another service of the same host has its own. */
const WHO = `tenon.who ${BASE}`

/** What belongs to the one who typed it: everything in a tab, and of this browser what is kept until they sign out. */
const OWN = [
  [() => window.sessionStorage, 'tenon.'],
  [() => window.localStorage, UNTIL_SIGN_OUT],
] as const

/** From now on things are kept for this one: what somebody else left in this browser goes first. False: it was kept for them before. */
export function keepFor(who: string): boolean {
  const others = OWN.filter(([storageOf]) => storageOf().getItem(WHO) !== who)
  for (const [storageOf, start] of others) {
    dropFrom(storageOf(), start)
    storageOf().setItem(WHO, who)
  }
  return others.length > 0
}

/** Who signs out leaves nothing to the next user of this browser. */
export function dropAllTyped(): void {
  for (const [storageOf, start] of OWN) {
    const storage = storageOf()
    dropFrom(storage, start)
    storage.removeItem(WHO)
  }
}

/** A page that is open begins again when another tab has signed out, or signed somebody else in: they share the session. */
export function beginAgainForOthers(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    const who = window.sessionStorage.getItem(WHO)
    if (key !== WHO || who === null || newValue === who) return
    if (newValue === null) dropAllTyped()
    window.location.reload()
  })
}

function dropFrom(storage: Storage, start: string): void {
  for (const key of Object.keys(storage)) if (key.startsWith(start)) storage.removeItem(key)
}
