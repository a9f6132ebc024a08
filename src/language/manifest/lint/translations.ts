// Texts in other languages: each is one of a text that end users see, and a language that was begun has all of them.
import { shownTexts, translated } from '../shown-texts.ts'
import { nearest } from '../suggest.ts'
import { keyAt, type Lint } from './lint.ts'

export function lintTranslations(lint: Lint): void {
  const { manifest } = lint.draft
  const languages = Object.entries(lint.source.translations ?? {})
  if (languages.length === 0) return
  const { shown, known } = shownTexts(manifest)
  for (const [language, words] of languages) {
    for (const text of Object.keys(words)) {
      if (known.includes(text)) continue
      const near = nearest(text, known)
      const hint =
        near === null
          ? 'write the text as it stands in the manifest, or leave this line out'
          : `did you mean "${near}"?`
      const message = `"${language}" has words for ${quoted(text)}, which is no text that end users see`
      lint.warn('translations/unknown-text', keyAt('translations', language, text), message, hint)
    }
    const missing = shown.filter((text) => translated(manifest, language, text) === null)
    if (missing.length === 0) continue
    const message = `"${language}" has no words for ${missing.length} of ${shown.length} texts that end users see: ${missing.map(quoted).join(', ')}`
    const hint = 'add them; what has no words is shown in English'
    lint.warn('translations/missing', keyAt('translations', language), message, hint)
  }
}

function quoted(text: string): string {
  return `"${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}"`
}

/** Enough of a text to find it. */
const MAX_SHOWN = 60
