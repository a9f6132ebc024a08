// What a request says of its signature, read by the templates that its sender fills: `t={{ request.timestamp }},v1={{ signature }}`.
import type { Template, TextPart } from '../expression/syntax.ts'

/** What was found. A header that is a list may hold several signatures: by an old key and a new one. */
export interface ToldOfSignature {
  readonly timestamp?: string
  readonly nonce?: string
  readonly signatures: readonly string[]
}

/** More signatures than any vendor sends: each one that is tried costs time. */
const MAX_SIGNATURES = 8

type Name = 'timestamp' | 'nonce' | 'signature'

/**
 * Compiles the reader of headers and parameters. `separator`: they are lists, in any order; null: each is one text.
 * What stands nowhere is left out, and a text of another form holds nothing.
 */
export function compileTold(
  placed: readonly { readonly value: Template }[],
  separator: string | null,
): (texts: readonly (string | undefined)[]) => ToldOfSignature {
  const readers = placed.map(({ value }) =>
    splitParts(partsOf(value), separator).map((parts) => (text: string) => match(parts, text)),
  )
  return (texts) => {
    const found: Record<Name, string[]> = { timestamp: [], nonce: [], signature: [] }
    for (const [index, items] of readers.entries()) {
      const text = texts[index]
      if (text === undefined) continue
      const given = separator === null ? [text] : text.split(separator).map((item) => item.trim())
      for (const item of given)
        for (const read of items)
          for (const [name, value] of read(item) ?? []) found[name].push(value)
    }
    const [timestamp] = found.timestamp
    const [nonce] = found.nonce
    return {
      ...(timestamp !== undefined && { timestamp }),
      ...(nonce !== undefined && { nonce }),
      signatures: found.signature.slice(0, MAX_SIGNATURES),
    }
  }
}

/** A literal, or what stands for a value; null: a value that says nothing here. */
type Part = string | { readonly name: Name | null }

function partsOf(template: Template): readonly Part[] {
  switch (template.kind) {
    case 'text':
      return template.text.map(partOf)
    case 'value':
      return [partOf(template.expression)]
    case 'constant':
      return [typeof template.value === 'string' ? template.value : JSON.stringify(template.value)]
    case 'when':
      return partsOf(template.value)
    case 'array':
    case 'object':
      return [{ name: null }]
  }
}

function partOf(part: TextPart): Part {
  if (typeof part === 'string') return part
  if (part.kind !== 'path') return { name: null }
  if (part.root === 'signature') return { name: 'signature' }
  const [first] = part.path
  const isTold = part.root === 'request' && (first === 'timestamp' || first === 'nonce')
  return { name: isTold ? first : null }
}

/** The parts of each item of a list. */
function splitParts(
  parts: readonly Part[],
  separator: string | null,
): readonly (readonly Part[])[] {
  if (separator === null) return [parts]
  const items: Part[][] = [[]]
  for (const part of parts) {
    if (typeof part !== 'string') {
      items.at(-1)?.push(part)
      continue
    }
    for (const [index, piece] of part.split(separator).entries()) {
      if (index > 0) items.push([])
      if (piece !== '') items.at(-1)?.push(piece.trimStart())
    }
  }
  return items
}

/** The values in a text of this form; null: it is of another one. Each value reaches to the literal behind it. */
function match(parts: readonly Part[], text: string): readonly (readonly [Name, string])[] | null {
  const found: [Name, string][] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      if (!text.startsWith(part, at)) return null
      at += part.length
      continue
    }
    const next = parts[index + 1]
    const end =
      next === undefined ? text.length : typeof next === 'string' ? text.indexOf(next, at) : at
    if (end <= at) return null
    if (part.name !== null) found.push([part.name, text.slice(at, end)])
    at = end
  }
  return at === text.length ? found : null
}
