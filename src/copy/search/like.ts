// Patterns of `like`: read once, matched in linear steps.
import { fold } from './text.ts'

/** One part of a pattern: folded text, any run (`%`), or one code point (`_`). */
export type LikePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }

/** Reads a pattern; null when a backslash stands before anything but `%`, `_` and itself. Runs of `%` are one. */
export function readPattern(pattern: string): readonly LikePart[] | null {
  const parts: LikePart[] = []
  let text = ''
  const endText = (): void => {
    // Folded after reading: a full-width percent sign folds to a plain one and is still no wildcard.
    if (text !== '') parts.push({ kind: 'text', text: fold(text) })
    text = ''
  }
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern.charAt(at)
    if (letter === '\\') {
      const next = pattern.charAt(++at)
      if (next !== '%' && next !== '_' && next !== '\\') return null
      text += next
    } else if (letter === '%') {
      endText()
      if (parts.at(-1)?.kind !== 'any') parts.push({ kind: 'any' })
    } else if (letter === '_') {
      endText()
      parts.push({ kind: 'one' })
    } else text += letter
  }
  endText()
  return parts
}

export function countWildcards(pattern: string): number {
  return pattern.replace(/\\[^]/g, '').match(/[%_]/g)?.length ?? 0
}

/** The pattern in the notation of SQL with `\` as escape character. */
export function sqlPattern(parts: readonly LikePart[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? escapeText(part.text) : WILDCARD[part.kind]))
    .join('')
}

const WILDCARD = { any: '%', one: '_' } as const

function escapeText(text: string): string {
  return text.replace(/[%_\\]/g, '\\$&')
}

/** The longest text that every match contains; '' when there is none. */
export function longestText(parts: readonly LikePart[]): string {
  let longest = ''
  for (const part of parts)
    if (part.kind === 'text' && part.text.length > longest.length) longest = part.text
  return longest
}

/** Compiles a pattern to a test of whole folded texts. Each `%` is decided once, so there is no way to make it slow. */
export function compileLike(parts: readonly LikePart[]): (folded: string) => boolean {
  const groups: LikePart[][] = [[]]
  for (const part of parts) {
    if (part.kind === 'any') groups.push([])
    else groups.at(-1)?.push(part)
  }
  const [first = [], ...rest] = groups
  const last = rest.pop()
  return (folded) => {
    const start = matchAt(first, folded, 0)
    if (start === null) return false
    if (last === undefined) return start === folded.length
    let at = start
    for (const group of rest) {
      const end = findGroup(group, folded, at)
      if (end === null) return false
      at = end
    }
    return endsWith(last, folded, at)
  }
}

/** Where the group ends when it stands at `at`; null when it does not stand there. */
function matchAt(group: readonly LikePart[], text: string, at: number): number | null {
  let place = at
  for (const part of group) {
    if (part.kind === 'text') {
      if (!text.startsWith(part.text, place)) return null
      place += part.text.length
    } else {
      if (place >= text.length) return null
      place += (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1
    }
  }
  return place
}

/** The end of the first place from `from` on where the group stands: the earliest is never worse than a later one. */
function findGroup(group: readonly LikePart[], text: string, from: number): number | null {
  const [head] = group
  for (let at = from; at <= text.length; at = nextPoint(text, at)) {
    if (head?.kind === 'text') {
      at = text.indexOf(head.text, at)
      if (at < 0) return null
    }
    const end = matchAt(group, text, at)
    if (end !== null) return end
  }
  return null
}

function endsWith(group: readonly LikePart[], text: string, from: number): boolean {
  let at = text.length
  for (const part of group.toReversed()) {
    if (part.kind === 'text') {
      if (at - part.text.length < from || !text.endsWith(part.text, at)) return false
      at -= part.text.length
    } else {
      if (at <= from) return false
      const low = text.charCodeAt(at - 1)
      at -= low >= 0xdc00 && low <= 0xdfff ? 2 : 1
    }
  }
  return at >= from
}

function nextPoint(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}
