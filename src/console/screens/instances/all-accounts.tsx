// The accounts that a list is narrowed to: a page of them, and a button that does something with all of them.
import { type ReactNode, useState } from 'react'
import type { Instance, InstancePage } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useTask } from '../../api/use-answer.ts'
import { Working } from '../../parts/answer.tsx'
import { Button } from '../../parts/controls.tsx'

export const PAGE = 100

/** What the list is narrowed to and sorted by, as its address has it. */
export type Wanted = Readonly<Record<(typeof NAMES)[number], string>>

export const NAMES = [
  'starts_with',
  'state',
  'connector_type',
  'external_user_id',
  'sync',
  'sort',
] as const

/** `cursor`: empty for the first page, which has the counts. */
export function accountsPage(
  wanted: Wanted,
  cursor: string,
  signal: AbortSignal,
): Promise<InstancePage> {
  return call<InstancePage>('GET', '/integrations/connectors', {
    query: {
      ...wanted,
      sort: wanted.sort === '' ? '-created_at' : wanted.sort,
      limit: String(PAGE),
      ...(cursor === '' ? { counts: 'true' } : { cursor }),
    },
    signal,
  })
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
      for (let cursor: string | null = ''; cursor !== null;) {
        setCount(all.size)
        const page: InstancePage = await accountsPage(wanted, cursor, signal)
        for (const each of page.data) all.set(each.id, each)
        cursor = page.meta.next_cursor
      }
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
