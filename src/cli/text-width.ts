// How much room a text takes in a line of a terminal.
import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

/** Columns that a terminal gives to a text: wide East Asian characters and emoji take two, colours none. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(stripVTControlCharacters(text)))
    width += WIDE.test(segment) ? 2 : 1
  return width
}
