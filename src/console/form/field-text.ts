// Between what stands in an input and the JSON value that it means.
import { type Json, parseJson, writeJson } from '../api/json-text.ts'

export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? writeJson(value) : String(value)
}

/** A number where the text is one, all digits kept; else the text, which the service will refuse with its place. */
export function numberIn(text: string): Json {
  const trimmed = text.trim()
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed) ? parseJson(trimmed) : text
}

/** JSON; where the text is none, why, and the value `before` it. */
export function jsonIn(
  text: string,
  before?: Json,
): { readonly value: Json | undefined; readonly fault: string | null } {
  if (text.trim() === '') return { value: undefined, fault: null }
  try {
    return { value: parseJson(text), fault: null }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { value: before, fault: `This is not JSON yet: ${reason}` }
  }
}

/** Lines as a list; empty lines mean nothing. */
export function linesIn(text: string, read: (line: string) => Json): readonly Json[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? undefined : lines.map(read)
}
