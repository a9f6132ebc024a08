// Answers as React state.
import { useCallback, useEffect, useState } from 'react'
import { type Problem, problemOf } from './problem.ts'

export type Loading<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'ready'; readonly value: T }

/** Loads when `key` changes and on `reload`; a later load makes an earlier one void. While reloading the old value stays. */
export function useAnswer<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
): Loading<T> & { readonly reload: () => void } {
  const [state, setState] = useState<Loading<T> & { readonly key: string }>({
    kind: 'loading',
    key,
  })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const gone = new AbortController()
    void (async () => {
      try {
        const value = await load(gone.signal)
        if (!gone.signal.aborted) setState({ kind: 'ready', value, key })
      } catch (error) {
        if (!gone.signal.aborted) setState({ kind: 'failed', problem: problemOf(error), key })
      }
    })()
    return () => gone.abort()
    // What `load` reads is named by `key`.
  }, [key, round])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  return { ...(state.key === key ? state : { kind: 'loading' }), reload }
}

/** Something that a person starts: at most one at a time, with its problem when it failed. */
export function useDeed(): {
  readonly busy: boolean
  readonly problem: Problem | null
  readonly run: (deed: () => Promise<void>) => Promise<void>
  readonly clear: () => void
} {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const run = useCallback(async (deed: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await deed()
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }, [])
  const clear = useCallback(() => setProblem(null), [])
  return { busy, problem, run, clear }
}
