// Which members a request wants, as vendors let it be written: `id,name,creative{id,name}`.

/** Names of members, each with what is wanted inside of it; null: all of it. */
export type Selection = ReadonlyMap<string, Selection | null>

/**
 * Reads names with commas between them, nested in braces. What stands between a name and its brace (`.limit(3)`) is left
 * out, and so is what cannot be read: the sandbox judges no selections.
 */
export function readSelection(text: string): Selection {
  const selection = new Map<string, Selection | null>()
  for (const part of topLevelParts(text)) {
    const [, name = '', inside] = SELECTED.exec(part) ?? []
    if (name !== '') selection.set(name, inside === undefined ? null : readSelection(inside))
  }
  return selection
}

/** A name, what may stand behind it, and what is wanted inside. */
const SELECTED = /^\s*([^\s.({]+)(?:\.\w+\([^)]*\))*\s*(?:\{(.*)\})?\s*$/s

/** The text cut at commas that stand in no brackets. */
function topLevelParts(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '{' || letter === '(') depth++
    else if (letter === '}' || letter === ')') depth--
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}
