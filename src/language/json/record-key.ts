/** The identity of a record as one text: of a single part the part itself, of several a JSON array of them. */
export function recordKey(parts: readonly string[]): string {
  const [only = '', ...others] = parts
  return others.length === 0 ? only : JSON.stringify(parts)
}
