// A place in a YAML document where something is being written.

export type Step = string | number

export interface Place {
  readonly kind: 'key' | 'value'
  /** Of the mapping that gets the key, or of the value. */
  readonly path: readonly Step[]
  /** Where the word that is being typed begins. */
  readonly from: number
  readonly typed: string
  /** The members of the same mapping with their scalars as text, null where they are none. Without the one being typed. */
  readonly siblings: ReadonlyMap<string, string | null>
  /** Columns before the key; of a flow mapping null. */
  readonly indent: number | null
  /** Names that the document declares, by the top key they stand below: `shapes`, `entities`. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>
}

/** A place while the document is read. */
export interface FoundPlace extends Omit<Place, 'names'> {
  /** The key that is being changed, which is no sibling of itself; null: a new one. */
  readonly own: string | null
}

export type Members = Map<string, string | null>

/** A scalar in plain words; null: it is none. */
export function scalarIn(text: string): string | null {
  const scalar = text.replace(/(^|\s)#.*$/, '').trim()
  return scalar === '' || /^[|>&*]/.test(scalar) ? null : unquoted(scalar)
}

/** Without the quotes around it. */
export function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text
}

/** The offset of the next line feed, or of the end. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
