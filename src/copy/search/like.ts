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
    .map((part) =>
      part.kind === 'text' ? part.text.replace(/[%_\\]/g, '\\$&') : WILDCARD[part.kind],
    )
    .join('')
}

const WILDCARD = { any: '%', one: '_' } as const

/** The longest text that every match contains; '' when there is none. */
export function longestText(parts: readonly LikePart[]): string {
  let longest = ''
  for (const part of parts)
    if (part.kind === 'text' && part.text.length > longest.length) longest = part.text
  return longest
}

/** Compiles a pattern to a test of whole folded texts. What follows a `%` is looked for once, at its first place. */
export function compileLike(parts: readonly LikePart[]): (folded: string) => boolean {
  const groups = ['']
  for (const part of parts) {
    if (part.kind === 'any') groups.push('')
    else if (part.kind === 'one') groups.push(`${groups.pop()}[^]`)
    else groups.push(groups.pop() + part.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  }
  const [first = '', ...rest] = groups
  const last = rest.pop()
  const between = rest.map((group, index) => `(?=([^]*?${group}))\\${index + 1}`)
  const end = last === undefined ? '' : `[^]*?${last}`
  const expression = new RegExp(`^${first}${between.join('')}${end}$`, 'u')
  return (folded) => expression.test(folded)
}
