// The entries of a question: a page, those before it, and those that come while somebody looks.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { LogEntry, LogPage } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { useRate } from '../../api/fresh.ts'
import { answers, useEvery } from '../../api/use-answer.ts'

export type LogQuery = Readonly<Record<string, string>>

const LIVE_MS = 2000
const PAGE = '50'
/** The oldest are dropped from the screen, and can be asked for again. */
const MAX_SHOWN = 1000

interface Shown {
  /** The filters. */
  readonly key: string
  /** '': from any time on. */
  readonly from: string
  readonly entries: readonly LogEntry[]
  readonly next: string | null
  readonly tail: string
  readonly searchedTo: string | null
  /** For how long, and what. */
  readonly kept: Kept | null
}

type Kept = NonNullable<LogPage['meta']['kept']>

export interface LogsAnswer {
  /** What is asked for, with the moment from which on. */
  readonly asked: LogQuery
  /** Null: the first page is on its way, or failed. */
  readonly shown: Shown | null
  /** Why it could not be loaded; where entries are shown, why they may not be the latest. */
  readonly problem: Problem | null
  readonly busy: boolean
  /** When the oldest entry was, where all that are found are shown; null: there may be older ones. */
  readonly first: string | null
  readonly reload: () => void
  /** Null: there is nothing before. */
  readonly earlier: (() => void) | null
  /** For how long entries are kept, and what; null: it is not known yet. */
  readonly kept: Kept | null
}

/** What was shown last, for whom comes back to it. */
const LAST = ['logs', 'shown']

/** `minutes`: only the last ones; '' is any time. */
export function useLogs(filters: LogQuery, minutes: string, isLive: boolean): LogsAnswer {
  const key = JSON.stringify([filters, minutes])
  const [state, setState] = useState<Shown | null>(() => answers.getQueryData<Shown>(LAST) ?? null)
  const [round, setRound] = useState(0)
  const shown = state?.key === key ? state : null
  const from = useMemo(
    () => shown?.from ?? (momentBefore(minutes) || filters['from'] || ''),
    [key, round],
  )
  const query = { ...filters, from }
  const { ask, isAsking, busy, problem, clear } = useQuestions(key + from, query)
  useEffect(() => {
    if (shown !== null) answers.setQueryData(LAST, shown)
  }, [shown])

  useEffect(() => {
    clear()
    if (shown !== null && round === 0) {
      // Only what has come since is missing.
      void ask({ after: shown.tail }, (page) =>
        setState((before) => before && withNewer(before, page)),
      )
      return
    }
    void ask({}, (page) => setState(firstPage(key, from, page)))
  }, [ask, clear, key, round])

  const follow = useCallback(() => {
    // A page that somebody has asked for comes first.
    if (shown === null || isAsking()) return
    void ask({ after: shown.tail }, (page) =>
      setState((before) => before && withNewer(before, page)),
    )
  }, [ask, isAsking, shown])
  useEvery(isLive ? LIVE_MS : null, follow)
  // What is counted of them follows as often.
  useRate(isLive ? LIVE_MS : null)

  const reload = useCallback(() => setRound((before) => before + 1), [])
  const next = shown?.next ?? null
  const goBack = (cursor: string): void =>
    void ask({ cursor }, (page) => setState((before) => before && withOlder(before, page)))
  const earlier = next === null ? null : () => goBack(next)
  // Of more than are shown, the oldest is not known.
  const isAll = shown !== null && next === null && shown.entries.length < MAX_SHOWN
  const first = isAll ? (shown.entries.at(-1)?.at ?? null) : null
  return { asked: query, shown, first, problem, busy, reload, earlier, kept: state?.kept ?? null }
}

function momentBefore(minutes: string): string {
  return minutes === '' ? '' : new Date(Date.now() - Number(minutes) * 60_000).toISOString()
}

/** Asks one question at a time, and gives the answer to what is still wanted. */
function useQuestions(key: string, query: LogQuery) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const asking = useRef<AbortController | null>(null)
  const ask = useCallback(
    async (more: LogQuery, take: (page: LogPage) => void): Promise<void> => {
      const gone = new AbortController()
      asking.current?.abort()
      asking.current = gone
      setBusy(true)
      try {
        const asked = { ...query, ...more, limit: PAGE }
        const page = await call<LogPage>('GET', '/logs', { query: asked, signal: gone.signal })
        if (gone.signal.aborted) return
        setProblem(null)
        take(page)
      } catch (error) {
        if (!gone.signal.aborted) setProblem(problemOf(error))
      } finally {
        if (asking.current === gone) {
          asking.current = null
          setBusy(false)
        }
      }
    },
    // What `query` holds is named by `key`.
    [key],
  )
  useEffect(() => () => asking.current?.abort(), [key])
  const clear = useCallback(() => setProblem(null), [])
  const isAsking = useCallback(() => asking.current !== null, [])
  return { ask, isAsking, busy, problem, clear }
}

function firstPage(key: string, from: string, { data, meta }: LogPage): Shown {
  return {
    key,
    from,
    entries: data,
    next: meta.next_cursor,
    tail: meta.tail_cursor ?? '',
    searchedTo: meta.searched_to ?? null,
    kept: meta.kept ?? null,
  }
}

function withOlder(before: Shown, { data, meta }: LogPage): Shown {
  return {
    ...before,
    entries: [...before.entries, ...data],
    next: meta.next_cursor,
    searchedTo: meta.searched_to ?? null,
  }
}

/** The oldest of the new ones first. Some may be shown already: what is written meanwhile is told twice rather than never. */
function withNewer(before: Shown, { data, meta }: LogPage): Shown {
  const known = new Set(before.entries.map(({ id }) => id))
  const fresh = data.filter(({ id }) => !known.has(id)).toReversed()
  const entries = [...fresh, ...before.entries]
  const tail = meta.tail_cursor ?? before.tail
  return entries.length > MAX_SHOWN
    ? { ...before, tail, entries: entries.slice(0, MAX_SHOWN), next: null }
    : { ...before, tail, entries }
}
