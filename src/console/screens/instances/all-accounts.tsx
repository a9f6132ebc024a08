// The accounts that a list is narrowed to: a page of them, and a button that does something with all of them.
import { type ReactNode, useState } from 'react'
import { STATES, SYNC_TROUBLES } from '../../../display/account-states.ts'
import { relativeTime } from '../../../display/relative-time.ts'
import type { Instance, InstancePage } from '../../api/answers.ts'
import { useTask } from '../../api/use-answer.ts'
import { Working } from '../../parts/answer.tsx'
import { Button } from '../../parts/controls.tsx'
import { NotThere } from '../../parts/not-there.tsx'
import { firstNamed, named, type NamedPage } from '../../parts/named-accounts.ts'

export const PAGE = 100

/** What the list is narrowed to and sorted by, as its address has it. */
export type Wanted = Readonly<Record<(typeof NAMES)[number], string>>

const NAMES = [
  'starts_with',
  'state',
  'connector_type',
  'external_user_id',
  'sync',
  'sort',
] as const

/** What there is to be narrowed to, and what is said where an address names something else. */
const KNOWN = {
  state: {
    isOne: (value: string) => Object.hasOwn(STATES, value),
    what: 'state',
    shown: 'accounts in any state are shown',
  },
  sync: {
    isOne: (value: string) => SYNC_TROUBLES.some((each) => each === value),
    what: 'kind of syncs',
    shown: 'accounts with any syncs are shown',
  },
} as const

/** What an address has of them: every name has its value, '' for none, and for a state or syncs that there are not. */
export function wantedIn(query: URLSearchParams): Wanted {
  const given = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as Wanted
  const { state, sync } = given
  return {
    ...given,
    state: KNOWN.state.isOne(state) ? state : '',
    sync: KNOWN.sync.isOne(sync) ? sync : '',
  }
}

/** What is said where the address names a state, or syncs, that there are not. */
export function UnknownFilters({ query }: { readonly query: URLSearchParams }): ReactNode {
  return (['state', 'sync'] as const).map((name) => {
    const given = query.get(name) ?? ''
    const { isOne, what, shown } = KNOWN[name]
    return given === '' || isOne(given) ? null : (
      <NotThere key={name} what={what} value={given} shown={shown} />
    )
  })
}

/** Whether it leaves accounts out. */
export function isNarrowed(wanted: Wanted): boolean {
  return NAMES.some((name) => name !== 'sort' && wanted[name] !== '')
}

/** `before`: null for the first page, which has the counts. */
export function accountsPage(
  { starts_with: words, ...narrowed }: Wanted,
  before: NamedPage | null,
  signal: AbortSignal,
): Promise<NamedPage> {
  const sort = narrowed.sort === '' ? '-created_at' : narrowed.sort
  const query = { ...narrowed, sort, limit: String(PAGE) }
  if (before === null) return firstNamed(words, { ...query, counts: 'true' }, signal)
  const cursor = before.meta.next_cursor ?? ''
  return named(words, before.meaning, { ...query, cursor }, signal)
}

/** When there are so many accounts that they are not counted for every answer; null: they were. */
export function countedWhen(meta: InstancePage['meta'] | undefined): string | null {
  const at = meta?.counted_at
  return at === undefined ? null : relativeTime(Date.parse(at) - Date.now())
}

/** Reads all pages, and gives all accounts to `act`. */
export function WithAll(props: {
  readonly wanted: Wanted
  readonly total: number | undefined
  readonly words: string
  readonly act: (all: readonly Instance[]) => void
}): ReactNode {
  const { wanted, total, words, act } = props
  const { busy, problem, run, stop } = useTask()
  const [count, setCount] = useState(0)
  const start = (): Promise<void> =>
    run(async (signal) => {
      // Who changes while they are read may come twice.
      const all = new Map<string, Instance>()
      let page: NamedPage | null = null
      do {
        setCount(all.size)
        page = await accountsPage(wanted, page, signal)
        for (const each of page.data) all.set(each.id, each)
      } while (page.meta.next_cursor !== null)
      act([...all.values()])
    })
  if (busy) {
    const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`
    return <Working words={`${count.toLocaleString('en')}${of} read`} stop={stop} />
  }
  return (
    <>
      <Button onClick={() => void start()}>{words}</Button>
      {problem === null ? null : (
        <span className="fault" role="alert">
          {problem.body.detail}
        </span>
      )}
    </>
  )
}
