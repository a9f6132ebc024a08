// What a screen is to the frame.
import type { ReactNode } from 'react'

export interface ScreenProps {
  /** Named groups of the path. */
  readonly parts: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

export interface ScreenEntry {
  readonly path: RegExp
  /** Screens of one area light up the same line of the menu. */
  readonly area: string
  readonly inMenu: { readonly title: string; readonly to: string } | null
  readonly show: (props: ScreenProps) => ReactNode
}
