// Fenced blocks of a Markdown file.
import { readFileSync } from 'node:fs'

export interface Block {
  /** '' where none is said. */
  readonly language: string
  readonly text: string
}

export function blocksOf(file: string): readonly Block[] {
  return [...readFileSync(file, 'utf8').matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language = '', text = '']) => ({ language, text }),
  )
}
