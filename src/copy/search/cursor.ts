// Cursors: where a walk stands, sealed, so that they say nothing and fit nothing but the search they came from.
import type { EarlySealer } from '../../engine/run/seal.ts'
import { ConnectorError } from '../../errors.ts'

/** The last record of a page, by what orders it. */
export interface WalkPosition {
  /** How the walk is ordered: by sort keys, by score, or newest first. Fixed by its first page. */
  readonly mode: 'sort' | 'score' | 'seq'
  /** The keys of the sort conditions; null where the record has no value. Empty in the other modes. */
  readonly keys: readonly (string | null)[]
  /** The score; 1 in the other modes. */
  readonly score: number
  readonly seq: number
}

export interface CursorContext {
  readonly organizationId: string
  readonly instanceId: string
  readonly entity: string
  readonly epoch: number
  readonly layoutHash: string
  /** Of `hashQuery`. */
  readonly queryHash: string
}

export interface CursorSeal {
  /** Begins a cursor of which only the position is not known yet: most of its cost. What it gives is called once. */
  begin(context: CursorContext): (position: WalkPosition) => string
  /** Throws `cursor_invalid`, with one message for everything that can be wrong. */
  open(cursor: string, context: CursorContext): WalkPosition
}

const LIFETIME_MS = 24 * 3_600_000
/** Four sort keys of 256 code points each, which JSON may write with six bytes each, in base64. */
const MAX_LENGTH = 10_240

/** `sealer`: of the organisation, for cursors of searches alone. */
export function createCursorSeal(sealer: EarlySealer, nowMs: () => number): CursorSeal {
  return {
    begin(context) {
      const seal = sealer.begin(purposeOf(context))
      const bound = boundTo(context)
      return ({ mode, keys, score, seq }) =>
        seal(JSON.stringify([...bound, nowMs() + LIFETIME_MS, mode, keys, score, seq]))
    },
    open(cursor, context) {
      const text = cursor.length > MAX_LENGTH ? null : sealer.open(cursor, purposeOf(context))
      // Only what was sealed here opens.
      const parts = text === null ? [] : (JSON.parse(text) as readonly unknown[])
      const bound = boundTo(context)
      if (bound.every((part, index) => parts[index] === part)) {
        const [expiresMs, mode, keys, score, seq] = parts.slice(bound.length) as SealedPosition
        if (expiresMs > nowMs()) return { mode, keys, score, seq }
      }
      throw new ConnectorError(
        'cursor_invalid',
        'the cursor does not belong to this search, or is older than 24 hours; search again without it',
      )
    },
  }
}

type SealedPosition = [
  expiresMs: number,
  mode: WalkPosition['mode'],
  keys: WalkPosition['keys'],
  score: number,
  seq: number,
]

/** Cursors of an earlier version of the program, up to a day old, are opened, too: form and order stay as they are. */
function boundTo({ entity, epoch, layoutHash, queryHash }: CursorContext): readonly unknown[] {
  return [1, entity, epoch, layoutHash, queryHash]
}

function purposeOf({ organizationId, instanceId }: CursorContext): string {
  return JSON.stringify(['search-cursor', organizationId, instanceId])
}
