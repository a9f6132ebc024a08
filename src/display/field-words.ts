// What people call a field of credentials or settings, and what they call a third party: the same words on the connect
// page and in the console.

export interface FieldWords {
  readonly label: string
  /** Null: the label says it all. */
  readonly help: string | null
}

const MAX_LABEL = 48

/** A short description says what people call the field; a long one helps below it. */
export function fieldWords(member: string, description: unknown): FieldWords {
  if (typeof description !== 'string') return { label: labelOf(member), help: null }
  const line = description.replace(/\.$/, '')
  return line.length <= MAX_LABEL && !line.includes('. ')
    ? { label: line, help: null }
    : { label: labelOf(member), help: description }
}

/** `api_base_url` → `API base URL`: words that are always capital letters, and the first letter. */
function labelOf(member: string): string {
  const words = member
    .split(/[_\s-]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => capitals(word.toLowerCase()))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `ids` → `IDs` */
function capitals(word: string): string {
  if (CAPITALS.has(word)) return word.toUpperCase()
  const one = word.replace(/s$/, '')
  return CAPITALS.has(one) ? `${one.toUpperCase()}s` : word
}

const CAPITALS: ReadonlySet<string> = new Set(['api', 'url', 'id', 'sso', 'jwt', 'ip', 'uri'])

/** What an end user reads of a description: the rest of it is for those who build with the connector. */
export function firstSentence(description: string): string {
  return /^.*?[.!?](?=\s+\p{Lu}|\s*$)/su.exec(description)?.[0] ?? description
}

/** The first sentence of a description, and the rest of it, where there is one. */
export function sentencesOf(description: string | null | undefined): readonly string[] {
  if (description === null || description === undefined) return []
  const first = firstSentence(description)
  return [first, description.slice(first.length).trim()].filter((text) => text !== '')
}

/** All sentences of a text. */
export function allSentencesOf(text: string): readonly string[] {
  const [first, rest = ''] = sentencesOf(text)
  return first === undefined ? [] : [first, ...allSentencesOf(rest)]
}

/** The third party's name: what stands in brackets behind the title of its connector, else the title. */
export function vendorName(title: string): string {
  return /\(([^()]+)\)$/.exec(title)?.[1] ?? title
}
