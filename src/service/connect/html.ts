// Text of pages in which every value is escaped, unless it is such text itself.

export interface Html {
  readonly markup: string
}

type Value = Html | string | number | null | false | readonly Html[]

/** A template of markup. Texts are escaped, for attributes too (which stand in double quotes); null and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    markup: parts.reduce((text, part, index) => text + markupOf(values[index - 1] ?? null) + part),
  }
}

/** A document with a title and a body, and nothing else of ours. */
export function plainPage(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      ${body}
    </html> `.markup
}

function markupOf(value: Value): string {
  if (value === null || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
