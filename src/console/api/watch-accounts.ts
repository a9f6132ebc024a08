// Whether anything about accounts has changed: one cheap question, asked oftener at rest than all that a screen shows.
import { useEffect } from 'react'
import type { InstancePage } from './answers.ts'
import { call } from './call.ts'
import { isAskedWithin, tellChange } from './fresh.ts'
import { restMs, WATCHED } from './pace.ts'

const STEP_MS = 250
/** The account that was changed last, and how many there are of each kind. */
const QUERY = { sort: '-updated_at', limit: '1', counts: 'true' } as const

let watchers = 0
let timer: number | undefined
let known: string | null = null
let nextMs = 0
let isAsking = false

/** As long as it is shown, what is shown is asked for again once anything about accounts has changed. */
export function useWatchedAccounts(): void {
  useEffect(() => {
    watchers++
    timer ??= window.setInterval(step, STEP_MS)
    return () => {
      watchers--
      if (watchers > 0) return
      window.clearInterval(timer)
      timer = undefined
      // A screen that is opened later asks for all itself.
      known = null
      nextMs = 0
    }
  }, [])
}

function step(): void {
  if (isAsking || performance.now() < nextMs || document.visibilityState === 'hidden') return
  // What is shown says it itself; what was known before is kept, and compared after that.
  if (isAskedWithin(WATCHED.everyMs)) return
  isAsking = true
  void look().finally(() => {
    isAsking = false
  })
}

async function look(): Promise<void> {
  const begun = performance.now()
  const found = await newest()
  const tookMs = performance.now() - begun
  nextMs = begun + Math.max(WATCHED.everyMs, restMs(tookMs, WATCHED.share))
  if (found === null || watchers === 0) return
  const isNews = known !== null && known !== found
  known = found
  if (isNews) tellChange()
}

/** Null: the service does not answer, which the screen says. */
async function newest(): Promise<string | null> {
  try {
    const { data, meta } = await call<InstancePage>('GET', '/integrations/connectors', {
      query: QUERY,
    })
    const [last] = data
    return JSON.stringify([last?.id, last?.updated_at, meta.total, meta.facets])
  } catch {
    return null
  }
}
