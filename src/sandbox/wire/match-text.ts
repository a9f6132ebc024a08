// Text of a manifest run backwards: what its expressions must have been, given the finished text.
import type { Text, TextPart } from '../../language/expression/syntax.ts'

/** A part of a text that is no literal, and what stands in its place. `value` is undefined where that cannot be told. */
export interface Capture {
  readonly part: Exclude<TextPart, string>
  readonly value: string | undefined
}

/**
 * Takes a finished text apart; null when it cannot have come from this template.
 *
 * A part ends where the next literal first occurs. Of two expressions side by side neither can be told,
 * and a block (`#if`, `#each`) stands for any text.
 */
export function matchText(text: Text, finished: string): readonly Capture[] | null {
  const captures: Capture[] = []
  let pending: Exclude<TextPart, string>[] = []
  let at = 0
  for (const [index, part] of text.entries()) {
    if (typeof part !== 'string') {
      pending.push(part)
      continue
    }
    // A literal stands right here, at the very end, or where it first occurs.
    const isLast = index === text.length - 1
    const far = isLast ? finished.length - part.length : finished.indexOf(part, at)
    const found = pending.length === 0 ? at : far
    if (found < at || !finished.startsWith(part, found)) return null
    captures.push(...settle(pending, finished.slice(at, found)))
    pending = []
    at = found + part.length
  }
  if (pending.length === 0) return at === finished.length ? captures : null
  captures.push(...settle(pending, finished.slice(at)))
  return captures
}

function settle(parts: readonly Exclude<TextPart, string>[], value: string): Capture[] {
  const known = parts.length === 1
  return parts.map((part) => ({ part, value: known ? value : undefined }))
}
