// The time that the overview tells of: it stands in the address, and whatever leads to the logs takes it along.
import { createContext, type ReactNode, useContext } from 'react'
import { useTick } from '../../api/fresh.ts'
import { NotThere } from '../../parts/not-there.tsx'
import { addressOf, Link } from '../../place.tsx'

/** By minutes, as the logs are asked for. `bars`: as many at most as can be told apart on a phone. */
const PERIODS = {
  '60': { words: 'Last hour', inWords: 'the last hour', bars: '15' },
  '1440': { words: '24 hours', inWords: 'the last 24 hours', bars: '50' },
  '10080': { words: '7 days', inWords: 'the last 7 days', bars: '60' },
} as const

export type Minutes = keyof typeof PERIODS

const USUAL: Minutes = '1440'
/** The service counts in times of so long: questions within one are the same question. */
const COUNTED_MS = 300_000

export const Period = createContext<Minutes>(USUAL)

/** The period of an address; a day where it names none that there is. */
export function periodIn(query: URLSearchParams): Minutes {
  const given = query.get('minutes') ?? ''
  return Object.hasOwn(PERIODS, given) ? (given as Minutes) : USUAL
}

/** What is said where the address names a period that there is not. */
export function UnknownPeriod({ query }: { readonly query: URLSearchParams }): ReactNode {
  const given = query.get('minutes') ?? ''
  const shown = periodIn(query)
  return given === '' || given === shown ? null : (
    <NotThere
      what="period of minutes"
      value={given}
      shown={`${PERIODS[shown].inWords} are shown`}
    />
  )
}

export function usePeriod() {
  const minutes = useContext(Period)
  // Who looks for hours still sees the last hour.
  useTick()
  const now = Date.now()
  const from = new Date(now - (now % COUNTED_MS) - Number(minutes) * 60_000).toISOString()
  return { minutes, from, ...PERIODS[minutes] }
}

export function PeriodChoice(): ReactNode {
  const { minutes } = usePeriod()
  return (
    <nav className="periods" aria-label="Period">
      {Object.entries(PERIODS).map(([each, { words }]) => (
        <Link
          key={each}
          to={addressOf('/overview', each === USUAL ? {} : { minutes: each })}
          current={each === minutes}
        >
          {words}
        </Link>
      ))}
    </nav>
  )
}
