// The picture of a connector: letters by which people find its name.
import type { Lint } from './lint.ts'

export function lintPicture(lint: Lint): void {
  const { type, title, icon } = lint.source.connector
  if (icon === undefined) return
  if ([type, title].some((name) => isWithin(icon.letters, name))) return
  const message = `the letters "${icon.letters}" do not stand in this order in "${title}" or "${type}"`
  const hint = 'take letters of the name, or leave the icon out: it follows from the type'
  lint.warn('names/icon-letters', { at: ['connector', 'icon', 'letters'] }, message, hint)
}

/** Whether the letters of a name, some left out, are these. */
function isWithin(letters: string, name: string): boolean {
  let from = 0
  for (const letter of letters.toLowerCase()) {
    const found = name.normalize('NFKD').toLowerCase().indexOf(letter, from)
    if (found < 0) return false
    from = found + 1
  }
  return true
}
