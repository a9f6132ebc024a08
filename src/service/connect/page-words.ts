// The languages of the connect page, and which of them a visitor reads.
import { ENGLISH, type PageWord } from './english.ts'
import { GERMAN } from './german.ts'

export type Language = 'en' | 'de'

/** A new language is a dictionary of its own, and a row here. */
export const LANGUAGES: Readonly<Record<Language, Readonly<Record<PageWord, string>>>> = {
  en: ENGLISH,
  de: GERMAN,
}

/** A text of the page in the visitor's language, with the names that it has in braces. */
export type Say = (word: PageWord, names?: Readonly<Record<string, string>>) => string

export function sayIn(language: Language): Say {
  const words = LANGUAGES[language]
  return (word, names = {}) => {
    const text = words[word].replaceAll(/\{([a-z]+)\}/g, (whole, name: string) =>
      Object.hasOwn(names, name) ? (names[name] ?? whole) : whole,
    )
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
}

/** `de-AT` → `de`; null: there is no such dictionary. */
export function languageIn(tag: string | undefined): Language | null {
  const [name = ''] = (tag ?? '').trim().toLowerCase().split('-')
  return isLanguage(name) ? name : null
}

/** What is wanted most of what there is; English where nothing is. `wanted`: by the link. Source: RFC 9110, 12.5.4. */
export function chooseLanguage(
  wanted: string | undefined,
  acceptLanguage: string | undefined,
): Language {
  const offered = (acceptLanguage ?? '').split(',').map((part) => {
    const [tag, ...parameters] = part.split(';')
    const quality = parameters.find((each) => each.trim().startsWith('q='))
    return { tag, weight: quality === undefined ? 1 : Number(quality.trim().slice(2)) || 0 }
  })
  const byWeight = offered
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return (
    languageIn(wanted) ??
    byWeight.map(({ tag }) => languageIn(tag)).find((each) => each !== null) ??
    'en'
  )
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name)
}
