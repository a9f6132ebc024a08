// Names that people gave, shown as they are: what would be invisible, or would turn the text around it, has its code point.

/** Controls, and the marks of Unicode that hide or change the direction of what follows; joiners belong to words and emoji. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

export function plainText(text: string): string {
  return text.replaceAll(
    UNSEEN,
    (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

/** The same in one line of a terminal or a table: what breaks lines and sets columns is a blank. */
export function plainLine(text: string): string {
  return plainText(text.replaceAll(BREAKS, ' '))
}

/** A text without its middle, of `most` characters: names of one customer begin alike, and their ends tell them apart. */
export function withoutMiddle(text: string, most: number): string {
  const parts = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  if (parts.length <= most) return text
  const end = Math.floor((most - 1) / 2)
  return `${parts.slice(0, most - 1 - end).join('')}…${parts.slice(parts.length - end).join('')}`
}

const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g
