// A text to copy; of code, the strings, numbers, words and comments are told apart.
import type { ReactNode } from 'react'
import './code-view.css'
import { CopyButton } from './values.tsx'

const WORDS = {
  ts: 'import|from|await|using|const|for|of|process',
  sh: 'curl|npx|export|sed',
  py: 'import|from|as|with|for|in|while|if|else|def|return|print|None|True|False|break|not',
} as const

/** In the order in which they are tried at each place. */
const KINDS = ['comment', 'string', 'number', 'word'] as const

function patternOf(words: string): RegExp {
  return new RegExp(
    String.raw`((?:^|(?<=\s))(?:#|\/\/)[^\n]*)|('(?:\\.|'\\''|[^'\\])*'|"(?:\\.|[^"\\])*")|(\b\d+(?:\.\d+)?n?\b)|(\b(?:${words})\b)`,
    'g',
  )
}

export function CodeView(props: {
  readonly text: string
  /** Of the box, alone on its page. */
  readonly label: string
  /** What is shown of the label, where only a number tells boxes apart. */
  readonly title?: string
  /** Absent: it is no code, or so long that telling its parts apart would take a while. */
  readonly language?: keyof typeof WORDS
}): ReactNode {
  const { text, label, title = label, language } = props
  const parts: ReactNode[] = []
  let end = 0
  const found = language === undefined ? [] : text.matchAll(patternOf(WORDS[language]))
  for (const match of found) {
    const kind = KINDS[match.slice(1).findIndex((part) => part !== undefined)]
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className={`code-${kind}`}>
        {match[0]}
      </span>,
    )
    end = match.index + match[0].length
  }
  return (
    <div className="box code">
      <div className="code-head">
        <span className="fine">{title}</span>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      {/* It scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {parts}
        {text.slice(end)}
      </pre>
    </div>
  )
}
