// The colour of an application on the connect page, from one colour that somebody gives.

/** What is wrong with a colour, as the end of a sentence; null: nothing. */
export function accentProblem(text: string): string | null {
  return /^#[\da-f]{6}$/i.test(text)
    ? null
    : 'is no colour of # and six hexadecimal digits, such as #0f766e'
}

export interface AccentColours {
  /** Of links, on a light page and on a dark one. */
  readonly links: Readonly<Record<'light' | 'dark', string>>
  readonly button: string
  readonly onButton: string
}

type Rgb = readonly [number, number, number]

/** Of text and its ground. Source: WCAG 2.2, 1.4.3. */
const ENOUGH = 4.5
/** The grounds of links with the least contrast: `--raised` of colours.css. */
const GROUNDS = { light: '#f1f3f5', dark: '#20242a' } as const
const WHITE = '#ffffff'
const BLACK = '#000000'

/**
 * Buttons have the colour as it is, with white or black on it, whichever is read better. As a link it is darkened on a light
 * page, and lightened on a dark one, until it has enough contrast with each ground of it.
 */
export function accentColours(accent: string): AccentColours {
  const isWhiteBetter = contrast(WHITE, accent) >= contrast(BLACK, accent)
  return {
    links: {
      light: readable(accent, GROUNDS.light, BLACK),
      dark: readable(accent, GROUNDS.dark, WHITE),
    },
    button: accent,
    onButton: isWhiteBetter ? WHITE : BLACK,
  }
}

/** The rules that put it in the place of the page's own colour. */
export function accentStyle(accent: string): string {
  const { links, button, onButton } = accentColours(accent)
  // Away from the text on it, so that it is read better still.
  const strong = mixed(button, onButton === WHITE ? BLACK : WHITE, 0.15)
  return `:root {
  --accent: light-dark(${links.light}, ${links.dark});
  --accent-strong: light-dark(${mixed(links.light, BLACK, 0.15)}, ${mixed(links.dark, WHITE, 0.15)});
  --button: ${button};
  --button-strong: ${strong};
  --on-button: ${onButton};
}
`
}

function readable(accent: string, ground: string, towards: string): string {
  for (let percent = 0; percent < 100; percent++) {
    const colour = mixed(accent, towards, percent / 100)
    if (contrast(colour, ground) >= ENOUGH) return colour
  }
  return towards
}

function mixed(colour: string, other: string, share: number): string {
  const [a, b] = [rgbOf(colour), rgbOf(other)]
  const parts = a.map((part, at) => Math.round(part * (1 - share) + (b[at] ?? 0) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Source: WCAG 2.2, "contrast ratio" and "relative luminance". */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
