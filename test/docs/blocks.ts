// Fenced blocks of a Markdown file.
import { readFileSync } from 'node:fs'

export interface Block {
  /** '' where none is said. */
  readonly language: string
  readonly text: string
}

/** Of a whole file, or of the chapter with this title. */
export function blocksOf(file: string, title?: string): readonly Block[] {
  const text = readFileSync(file, 'utf8')
  const chapter =
    title === undefined
      ? text
      : (text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`)) ?? '')
  return [...chapter.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language = '', text = '']) => ({ language, text }),
  )
}
