// What a screen is to the frame.
import type { ReactNode } from 'react'

export interface ScreenProps {
  /** Of paths with an id; else empty. */
  readonly id: string
  readonly query: URLSearchParams
}

export interface ScreenEntry {
  /** `{id}` stands for digits, letters a to f and hyphens. */
  readonly path: string
  /** Screens of one area light up the same line of the menu. */
  readonly area: string
  /** The line of the menu; absent: the screen is reached from others. */
  readonly inMenu?: string
  readonly show: (props: ScreenProps) => ReactNode
}
