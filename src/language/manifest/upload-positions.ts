// How vendors say which bytes of a file they have: the one place that knows the words below `upload.received`.
import type { Json } from '../json/json.ts'
import { isList } from '../json/members.ts'

/** What a vendor has of a file, and what it wants next. */
export interface Position {
  /** How many bytes it has from the beginning on: where the next part begins. */
  readonly from: number
  /** Behind the last byte that it wants next; null: it does not say. */
  readonly until: number | null
}

interface PositionWord {
  /** What is found there → the position; null where it says none. `size`: of the file; null: not known yet. */
  readonly read: (found: Json | undefined, size: number | null) => Position | null
  /** The other way round, as a vendor writes it; undefined: nothing stands there. */
  readonly write: (from: number, size: number | null) => Json | undefined
}

/** How the vendor says it: a word below `upload.received`. */
export type PositionKind = 'offset' | 'range' | 'expected'

export const POSITIONS: Readonly<Record<PositionKind, PositionWord>> = {
  /** tus: `Upload-Offset: 43`. */
  offset: {
    read(found) {
      const text = typeof found === 'number' ? String(found) : found
      const from = typeof text === 'string' ? numberIn(/^\d+$/.exec(text.trim())?.[0]) : null
      return from === null ? null : { from, until: null }
    },
    write: (from) => String(from),
  },
  /** Google: `Range: bytes=0-42`, which is left out where there is nothing. */
  range: {
    read(found) {
      if (found === undefined || found === null) return { from: 0, until: null }
      if (typeof found !== 'string') return null
      const last = numberIn(/^(?:bytes[= ])?0-(\d+)$/.exec(found.trim())?.[1])
      return last === null ? null : { from: last + 1, until: null }
    },
    write: (from) => (from === 0 ? undefined : `bytes=0-${from - 1}`),
  },
  /** Microsoft: `["43-99", "150-"]`; the first range counts, and an empty list says that nothing is missing. */
  expected: {
    read(found, size) {
      const ranges = isList(found) ? found : [found]
      if (ranges.length === 0) return size === null ? null : { from: size, until: null }
      const positions = ranges.map(expectedRange)
      return positions.reduce((first, each) =>
        first === null || each === null ? null : each.from < first.from ? each : first,
      )
    },
    write: (from, size) => (from === size ? [] : [`${from}-`]),
  },
}

/** The word below `upload.received`, which the schema of manifests allows no other of. */
export function positionWord(kind: string): PositionWord {
  return POSITIONS[kind as PositionKind]
}

function expectedRange(range: Json | undefined): Position | null {
  const [, first, last] = (typeof range === 'string' && /^(\d+)-(\d*)$/.exec(range.trim())) || []
  const from = numberIn(first)
  if (from === null) return null
  const end = numberIn(last === '' ? undefined : last)
  return { from, until: end === null ? null : end + 1 }
}

function numberIn(digits: string | undefined): number | null {
  const number = Number(digits)
  return digits !== undefined && Number.isSafeInteger(number) ? number : null
}
