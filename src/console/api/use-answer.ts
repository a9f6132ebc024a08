// Answers as React state, kept by TanStack Query.
import { QueryClient, type QueryKey, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { call } from './call.ts'
import { refresh, useFresh } from './fresh.ts'
import { type Problem, problemOf } from './problem.ts'

export type Loading<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | {
      readonly kind: 'ready'
      readonly value: T
      /** Why it could not be loaded again; null: it is the latest. */
      readonly stale: Problem | null
    }

export type Answer<T> = Loading<T> & {
  readonly reload: () => void
  /** Resolves once what is asked now is shown: for who says next to it what was changed. Never rejects. */
  readonly renewed: () => Promise<unknown>
  /** The last value that was loaded, whatever its key: it stands while the next one is on its way. Null: none was. */
  readonly last: T | null
}

/** What was asked for, for as long as something shows it; longer where it says so. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      // The service may be on this machine, which needs no network for it.
      networkMode: 'always',
      retry: false,
      refetchOnWindowFocus: false,
    },
  },
})

/** For how long what is kept outlives its screen: who comes back sees it while it is loaded again. */
export const KEPT_MS = 300_000

/**
 * Loads when `key` changes and on `reload`; a later load makes an earlier one void. While reloading the old value stays,
 * and longer where the service does not answer. `isLive`: it is asked for again as long as it is looked at.
 */
export function useAnswer<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { isLive = false } = {},
): Answer<T> {
  const own = useId()
  return useShared([own, key], load, { isLive })
}

/**
 * The answer to a GET; another path or query is another answer. All who ask share it. `kept`: see KEPT_MS. It is live,
 * unless `isLive` is false; `freshMs`: it is not, and for so long nobody asks again.
 */
export function useGet<T>(
  path: string,
  query: Readonly<Record<string, string>> = {},
  { kept = false, freshMs = 0, isLive = true } = {},
): Answer<T> {
  const load = (signal: AbortSignal): Promise<T> => call<T>('GET', path, { query, signal })
  const gcTime = kept ? KEPT_MS : 0
  const isAsked = isLive && freshMs === 0
  return useShared(['get', path, query], load, { gcTime, staleTime: freshMs, isLive: isAsked })
}

function useShared<T>(
  queryKey: QueryKey,
  load: (signal: AbortSignal) => Promise<T>,
  { gcTime = 0, staleTime = 0, isLive = false },
): Answer<T> {
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    gcTime,
    staleTime,
  })
  const reload = useCallback(() => void refetch(), [refetch])
  const again = useCallback((isForced: boolean) => refetch({ cancelRefetch: isForced }), [refetch])
  useFresh(isLive ? again : null)
  const last = useRef<T | null>(null)
  if (data !== undefined) last.current = data
  const problem = error === null ? null : problemOf(error)
  const shown: Loading<T> =
    data !== undefined && (problem === null || mayPass(problem))
      ? { kind: 'ready', value: data, stale: problem }
      : problem === null
        ? { kind: 'loading' }
        : { kind: 'failed', problem }
  const renewed = useCallback(() => again(true), [again])
  return { ...shown, reload, renewed, last: last.current }
}

/** Calls `reload` at an interval as long as the page is looked at, where that is not an answer which is live. Null: never. */
export function useEvery(everyMs: number | null, reload: () => void): void {
  useEffect(() => {
    if (everyMs === null) return
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, everyMs)
    return () => window.clearInterval(timer)
  }, [everyMs, reload])
}

/** A text once nobody has changed it for a moment. */
export function useSettled(text: string, restMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), restMs)
    return () => window.clearTimeout(timer)
  }, [text, restMs])
  return settled
}

/** Nobody answered, or could not: what was known may still be so. */
function mayPass({ body: { status } }: Problem): boolean {
  return status === 0 || status === 429 || status >= 500
}

export interface Task {
  readonly busy: boolean
  readonly problem: Problem | null
  /**
   * The signal is aborted by `stop`, and when the screen is left; then the task ends without a problem. While one runs
   * this does nothing: a button that is disabled keeps clicks away, but not the keyboard, and not a second click that
   * comes before the page is drawn again.
   */
  readonly run: (task: (signal: AbortSignal) => Promise<void>) => Promise<void>
  readonly stop: () => void
  readonly clear: () => void
}

export function useTask(): Task {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const running = useRef<AbortController | null>(null)
  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])
  const run = useCallback(async (task: (signal: AbortSignal) => Promise<void>) => {
    if (running.current !== null) return
    const gone = new AbortController()
    running.current = gone
    setBusy(true)
    setProblem(null)
    try {
      await task(gone.signal)
    } catch (error) {
      if (!gone.signal.aborted) setProblem(problemOf(error))
    } finally {
      running.current = null
      setBusy(false)
      // What failed may have changed something as well: a check finds out that credentials are refused.
      if (!gone.signal.aborted) refresh()
    }
  }, [])
  const clear = useCallback(() => setProblem(null), [])
  return { busy, problem, run, stop, clear }
}

export function usePages<Page>() {
  const [{ pages, at }, set] = useState<{ readonly pages: readonly Page[]; readonly at: number }>({
    pages: [],
    at: 0,
  })
  return {
    at,
    shown: pages[at],
    empty: () => set({ pages: [], at: 0 }),
    /** Shows a page behind those that are there. */
    add: (page: Page) =>
      set((before) => ({ pages: [...before.pages, page], at: before.pages.length })),
    back: at === 0 ? null : () => set({ pages, at: at - 1 }),
    /** Shows the page behind, which `load` asks for where it has not come yet. Null: there is none. */
    next: (load: (() => void) | null) =>
      pages[at + 1] === undefined ? load : () => set({ pages, at: at + 1 }),
  }
}
