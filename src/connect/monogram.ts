// What stands in the place of a connector's picture: two letters in a colour, the same on the connect page and in the
// console.

export interface Monogram {
  readonly letters: string
  /** CSS colours, for light and dark. */
  readonly ground: string
  readonly ink: string
}

/** The letters and the colour of its manifest, else those that follow from its type. */
export function monogramOf(
  type: string,
  icon: { readonly letters: string; readonly hue?: number } | null | undefined,
): Monogram {
  const hue = icon?.hue ?? hueOf(type)
  return {
    letters: icon?.letters ?? lettersOf(type),
    ground: `light-dark(oklch(92% 0.05 ${hue}), oklch(32% 0.06 ${hue}))`,
    ink: `light-dark(oklch(36% 0.1 ${hue}), oklch(90% 0.07 ${hue}))`,
  }
}

const DEGREES = 360

function hueOf(type: string): number {
  let sum = 0
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return sum % DEGREES
}

/** `facebook-marketing`: FM. `jira`: Ji. */
function lettersOf(type: string): string {
  const [first = '', second] = type.split(/[-_]/)
  return second === undefined
    ? first.slice(0, 1).toUpperCase() + first.slice(1, 2)
    : (first.slice(0, 1) + second.slice(0, 1)).toUpperCase()
}
