// Long lines of a terminal: broken between words, with an indent.
import { widthOf } from './text-width.ts'

/** What a line may be: in files and pipes as long as it is. */
export interface LineRoom {
  readonly isTerminal: boolean
  readonly columns: number
}

/** Least characters of a line that is broken; with less room it stays whole. */
const MIN_ROOM = 20

/**
 * A line as one or several, of which those after the first begin with `indent` spaces. A word that is longer than a line,
 * such as an address, is broken by the terminal: who copies it gets it whole.
 */
export function wrapLine(line: string, { isTerminal, columns }: LineRoom, indent: number): string {
  if (!isTerminal || widthOf(line) <= columns || columns - indent < MIN_ROOM) return line
  const [, lead = '', rest = ''] = /^(\s*)(.*)$/su.exec(line) ?? []
  const lines: string[] = []
  let current = lead
  // Two spaces between the parts of a line stay where it is not broken.
  for (const [, gap = '', word = ''] of rest.matchAll(/(\s*)(\S+)/gu)) {
    const isFirst = current.trim() === ''
    if (!isFirst && widthOf(current) + gap.length + widthOf(word) > columns) {
      lines.push(current)
      current = ' '.repeat(indent) + word
    } else current += gap + word
  }
  return [...lines, current].join('\n')
}

/** Each line of a text, with an indent of two more than it has. */
export function wrapText(text: string, room: LineRoom): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, room, indentOf(line)))
    .join('\n')
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length + 2
}

/** Paragraphs, whose lines are broken where the source has room for no more: a sentence ends with its line. */
export function wrapParagraphs(text: string, room: LineRoom): string {
  if (!room.isTerminal) return text
  const paragraphs = text.replaceAll(/(?<![.:;])\n(?=\S)/g, ' ').split('\n')
  return paragraphs.map((each) => wrapLine(each, room, 0)).join('\n')
}

/** A command of a shell, as it can be copied: broken between its words, with `\` at the ends; a comment stands before it. */
export function wrapCommand(line: string, room: LineRoom): string {
  if (!room.isTerminal || widthOf(line) <= room.columns) return line
  const indent = ' '.repeat(indentOf(line) - 2)
  const [, command = '', comment] = /^\s*(.*?)(?:\s+#\s+(.*))?$/su.exec(line) ?? []
  const words = withValues(
    command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu) ?? [],
    room.columns - indent.length - 6,
  )
  const lines: string[] = []
  let current = indent
  for (const word of words) {
    const isFirst = current.trim() === ''
    // Room for the backslash.
    if (!isFirst && widthOf(current) + 1 + widthOf(word) > room.columns - 2) {
      lines.push(`${current} \\`)
      current = `${indent}    ${word}`
    } else current += isFirst ? word : ` ${word}`
  }
  const before =
    comment === undefined ? [] : [wrapLine(`${indent}# ${comment}`, room, indent.length + 2)]
  return [...before, ...lines, current].join('\n')
}

/** A flag stays with its value, where both have room in one line. */
function withValues(words: readonly string[], columns: number): readonly string[] {
  const parts: string[] = []
  for (const word of words) {
    const last = parts.at(-1) ?? ''
    const pair = `${last} ${word}`
    if (/^-\S+$/.test(last) && !word.startsWith('-') && widthOf(pair) <= columns)
      parts.splice(-1, 1, pair)
    else parts.push(word)
  }
  return parts
}
