// Values in columns of text.
import type { Json, JsonObject } from '../../../../language/json/json.ts'
import { parseJson } from '../../../../language/json/parse-json.ts'

/** JSON text; null stays null. */
export function jsonText(value: Json | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

/** An object that was written by `JSON.stringify`. Digits stay as they were. */
export function readObject(text: string): JsonObject {
  // The only writers of such a column write objects.
  return parseJson(text) as JsonObject
}

export function readObjectOrNull(text: string | null): JsonObject | null {
  return text === null ? null : readObject(text)
}

/** A list of texts that was written by `JSON.stringify`. */
export function readTexts(text: string): readonly string[] {
  // The only writers of such a column write lists of texts.
  return JSON.parse(text) as string[]
}

export function readTextsOrNull(text: string | null): readonly string[] | null {
  return text === null ? null : readTexts(text)
}

/** Bytes as one type, whatever class a driver has for them. */
export function readBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
