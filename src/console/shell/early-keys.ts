// Keys that are pressed before what they lead to is on the screen: they wait for it, in their order.
import { isBusy, singleKeys } from '../parts/single-keys.ts'

/** What is not there by then is not waited for any more: the keys do what they do without it. */
const MAX_WAIT_MS = 5000
/** Keys of lists and filters, which come with the answers of the service. */
const OF_SCREENS = '/jkxJK'
const SHELL_KEYS = 'g?'

const held: KeyboardEvent[] = []
let until = 0

/** Listens from now on, as the first of all: while the page is loaded nobody else does. */
export function holdEarlyKeys(): void {
  window.addEventListener('keydown', hold, { capture: true })
}

function hold(event: KeyboardEvent): void {
  // Those that are given back are made here.
  if (!event.isTrusted || (held.length === 0 && !mustWait(event))) return
  if (held.length > 0 && (event.key.length > 1 || isCommand(event) || isBusy(event))) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (held.length === 0) {
    until = Date.now() + MAX_WAIT_MS
    requestAnimationFrame(giveBack)
  }
  held.push(event)
}

function mustWait(event: KeyboardEvent): boolean {
  if (isCommand(event)) return isFind(event) && isFrameMissing()
  if (event.key.length > 1 || isBusy(event) || !singleKeys()) return false
  if (isFrameMissing()) return (OF_SCREENS + SHELL_KEYS).includes(event.key)
  return OF_SCREENS.includes(event.key) && isScreenMissing(event.key)
}

function isCommand({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey
}

function isFind({ key, altKey }: KeyboardEvent): boolean {
  return !altKey && key.toLowerCase() === 'k'
}

/** It is still asked who is signed in. */
function isFrameMissing(): boolean {
  return document.querySelector('.frame[aria-busy="true"]') !== null
}

function isScreenMissing(key: string): boolean {
  if (key === '/' && document.querySelector('#main input[type="search"]') !== null) return false
  return document.querySelector('#main .skeleton') !== null
}

/** One in each frame, so that what a key opens is there for the next one; `g` opens nothing, and goes with its letter. */
function giveBack(): void {
  const [first, second] = held
  if (first === undefined) return
  if (Date.now() >= until || !mustWait(first))
    for (const event of held.splice(0, first.key === 'g' && second !== undefined ? 2 : 1))
      give(event)
  requestAnimationFrame(giveBack)
}

function give(event: KeyboardEvent): void {
  const place = document.activeElement ?? document.body
  if (isTyped(event, place)) document.execCommand('insertText', false, event.key)
  else place.dispatchEvent(new KeyboardEvent('keydown', copyOf(event)))
}

/** A letter behind the key that has led to a field. */
function isTyped(event: KeyboardEvent, place: Element): boolean {
  return !isCommand(event) && place.matches('input, textarea')
}

function copyOf({ key, code, ctrlKey, metaKey, shiftKey }: KeyboardEvent): KeyboardEventInit {
  return { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true }
}
