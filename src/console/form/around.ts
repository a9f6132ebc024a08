// What the screen around a form knows of its fields.
import { createContext } from 'react'

/** Values that a field may be given, which are asked for once somebody comes to it. */
export interface Suggested {
  readonly ask: () => void
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** By the pointer of a field; null: nothing is known. */
export const SuggestContext = createContext<(pointer: string) => Suggested | null>(() => null)

/** Takes the files that are chosen, by parameter; null: the screen takes none. */
export const FilesContext = createContext<{
  readonly choose: (param: string, file: File | null) => void
} | null>(null)
