// The parts of the built-in JSON object that TypeScript does not know yet.
// Source: TC39 proposal "JSON.parse source text access", in V8 since 11.4.
import type { ExactNumber } from './json.ts'

/** What a reviver gets next to key and value: the text of a primitive as it was written. */
export interface ReviverContext {
  readonly source?: string
}

interface NativeJson {
  parse(
    text: string,
    reviver?: (key: string, value: unknown, context: ReviverContext) => unknown,
  ): unknown
  /** A frozen object that JSON.stringify writes as this text. Throws SyntaxError unless it is a JSON primitive. */
  rawJSON(text: string): ExactNumber
  /** True for objects made by `rawJSON` only, never for a parsed `{ "rawJSON": … }`. */
  isRawJSON(value: unknown): value is ExactNumber
}

/** The built-in JSON object under its full type. */
// The library's type is a subset of what Node 24 has, so a promise is the only way to name the rest.
export const nativeJson: NativeJson = JSON as unknown as NativeJson
