// Where the palette leads, and which of it fits words.
import type { ReactNode } from 'react'
import type { RightName } from '../../display/rights.ts'
import { addressOf, goTo } from '../place.tsx'
import { fitOf, rankOf } from './rank.ts'

export interface Goal {
  readonly id: string
  readonly words: string
  readonly about?: string
  /** By what it is found, too. */
  readonly found?: string
  readonly icon?: ReactNode
  /** How it does, at its end. */
  readonly mark?: ReactNode
  /** What leads there without the palette. */
  readonly keys?: readonly string[]
  /** What it takes; absent: everybody may. */
  readonly needs?: RightName
  readonly go: () => void
}

export type Group = readonly [title: string, goals: readonly Goal[]]

/** Of each group, the best. */
const SHOWN = 8

export function leading(
  words: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
  about?: string,
): Goal {
  const address = addressOf(path, query)
  return { id: address, words, ...(about === undefined ? {} : { about }), go: () => goTo(address) }
}

/**
 * Of each group its best goals; of those that fit as well, what was chosen before. The groups keep their order, but that
 * what is called so goes before what has the words in its name, and that before all others. `near`: with a mistake, too.
 */
export function ranked(
  groups: readonly Group[],
  words: readonly string[],
  recent: readonly string[],
  near = false,
): readonly Group[] {
  return groups
    .flatMap(([title, goals]) => {
      const fitting = goals.flatMap((goal) => {
        const rank = rankOf(words, goal.words, `${goal.about ?? ''} ${goal.found ?? ''}`, near)
        return rank === null ? [] : [{ goal, rank: rank + Number(recent.includes(goal.id)) }]
      })
      const best = fitting.toSorted((a, b) => b.rank - a.rank).slice(0, SHOWN)
      const fit = Math.max(...best.map(({ goal }) => fitOf(words, goal.words)))
      return best.length === 0 ? [] : [{ title, best, fit }]
    })
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ title, best }): Group => [title, best.map(({ goal }) => goal)])
}
