// The detail of an error, which goes on behind a colon elsewhere, as a sentence.

/** With a capital, unless it begins with a name of the API (`issues.list: …`). */
export function beginning(detail: string): string {
  return WORD.test(detail) ? detail.charAt(0).toUpperCase() + detail.slice(1) : detail
}

/** With one mark at its end: what a third party said may have one already. */
export function ended(detail: string): string {
  return MARK.test(detail) ? detail : `${detail}.`
}

const WORD = /^\p{Ll}[\p{L}\p{M}’'-]*(?:[\s,;:]|$)/u
const MARK = /[.!?…][)"”]?$/
