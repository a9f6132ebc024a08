// A text in which the words that are looked for are marked.
import type { ReactNode } from 'react'
import { fromFirstMark, markedParts } from './marked-words.ts'

/** `fromMark`: a long text from shortly before the first of them; `inCell`: that, and whole words only. */
export function Marked(props: {
  readonly words: readonly string[]
  readonly text: string
  readonly inCell?: boolean
  readonly fromMark?: boolean
}): ReactNode {
  const { words, text, inCell = false, fromMark = inCell } = props
  if (words.length === 0) return text
  const parts = markedParts(words, text, inCell)
  return (fromMark ? fromFirstMark(parts) : parts).map(([part, isMarked], at) =>
    isMarked ? <mark key={at}>{part}</mark> : part,
  )
}
