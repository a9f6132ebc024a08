// Options by name: a misspelt one is refused where the compiler did not see it.
import { didYouMean } from '../language/manifest/suggest.ts'

/** Every name of an options object, which the compiler compares with its type. */
export type OptionNames<T> = Readonly<Record<keyof T & string, true>>

/** Throws a TypeError that names each option that `of` does not have, with the nearest one that it has. */
export function requireKnown(
  of: string,
  options: object,
  known: Readonly<Record<string, true>>,
): void {
  for (const name in options) {
    if (Object.hasOwn(known, name)) continue
    const names = Object.keys(known)
    const unknown = Object.keys(options).filter((each) => !Object.hasOwn(known, each))
    const told = unknown.map((each) => {
      const near = didYouMean(each, names, '?')
      return `"${each}"${near === '' ? ` (it has ${names.join(', ')})` : near}`
    })
    throw new TypeError(`${of} has no option ${told.join('; no option ')}`)
  }
}
