// The same request in several languages, one at a time: the one that was looked at last, on every screen.
import { type ReactNode, useState } from 'react'
import { CodeView } from './code-view.tsx'
import { Tabs } from './tabs.tsx'

const LANGUAGES = {
  curl: ['curl', 'curl', 'sh'],
  typescript: ['TypeScript', 'TypeScript', 'ts'],
  python: ['Python', 'Python', 'py'],
  command: ['Command line', 'command line', 'sh'],
} as const

type Language = keyof typeof LANGUAGES
const LISTED = ['curl', 'typescript', 'python', 'command'] as const

const KEY = 'tenon.language'

export function CodeTabs(props: {
  /** Null: the language has no words for it, and no tab. */
  readonly texts: Readonly<Record<Language, string | null>>
  /** What the code needs to run. */
  readonly notes?: Readonly<Partial<Record<Language, ReactNode>>>
}): ReactNode {
  const { texts, notes = {} } = props
  const [chosen, setChosen] = useState(() => window.localStorage.getItem(KEY) ?? 'curl')
  const shown = (language: Language, text: string): ReactNode => {
    const [, label, words] = LANGUAGES[language]
    return (
      <>
        <CodeView text={text} label={label} language={words} />
        {notes[language] === undefined ? null : <p className="fine">{notes[language]}</p>}
      </>
    )
  }
  return (
    <Tabs
      label="Language"
      chosen={chosen}
      choose={(language) => {
        window.localStorage.setItem(KEY, language)
        setChosen(language)
      }}
      tabs={Object.fromEntries(
        LISTED.map((language) => {
          const text = texts[language]
          const [title] = LANGUAGES[language]
          return [language, text === null ? null : [title, () => shown(language, text)]]
        }),
      )}
    />
  )
}
