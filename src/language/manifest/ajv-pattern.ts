// Patterns of schemas run on the linear engine, also inside validators that were made before.
import { compilePattern, type Pattern } from '../expression/pattern.ts'

/** A pattern as Ajv wants it, who takes two whose `toString` agree for the same one. */
export function compileForAjv(source: string): { test(text: string): boolean; toString(): string } {
  let pattern: Pattern | undefined
  // Compiled when a text is tested: most calls give no value that has a pattern.
  return { test: (text) => (pattern ??= compilePattern(source)).test(text), toString: () => source }
}
