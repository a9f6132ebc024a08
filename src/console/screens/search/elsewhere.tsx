// Where words are found, too: in the other copies of the account.
import { type ReactNode, useEffect, useState } from 'react'
import { type Words, wordsFilter } from '../../../copy/search/words-filter.ts'
import { SEARCH } from '../../../language/manifest/actions.ts'
import type { EntityDescription, Instance, SearchAnswer } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../parts/controls.tsx'
import { keepTyped } from '../../parts/typed.ts'
import { addressOf, goTo } from '../../place.tsx'
import { EMPTY_FORM, searchParams } from './groups.ts'

/** Under this name the form of a search is kept, so that it is there when its screen is opened. */
export function keptName(instance: Instance, { entity }: EntityDescription): string {
  return `search ${instance.id} ${entity}`
}

interface Counted {
  readonly entity: EntityDescription
  readonly count: number
  /** There are more. */
  readonly isCut: boolean
}

/** Counted behind the hits, one copy after the other, so that a search of somebody else waits for one of them at most. */
export function Elsewhere(props: {
  readonly instance: Instance
  /** What else can be searched. */
  readonly others: readonly EntityDescription[]
  readonly words: Words
  /** Whether the chosen records do not have the words. */
  readonly isNoneHere: boolean
}): ReactNode {
  const { instance, others, words } = props
  const [found, setFound] = useState<readonly Counted[]>([])
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const look = async (): Promise<void> => {
      let isWhole = true
      for (const entity of others) {
        const counted = await countIn(instance, entity, words, stop.signal)
        if (stop.signal.aborted) return
        isWhole &&= counted !== null
        if (counted !== null && counted.count > 0)
          setFound((before) => [...before, counted].toSorted((a, b) => b.count - a.count))
      }
      setDone(isWhole)
    }
    void look()
    return () => stop.abort()
    // For other words it is mounted again.
  }, [])
  const open = (entity: EntityDescription): void => {
    keepTyped(keptName(instance, entity), { ...EMPTY_FORM, ...words })
    goTo(addressOf('/search', { instance: instance.id, entity: entity.entity }))
  }
  if (found.length === 0)
    return props.isNoneHere && isDone && others.length > 0 ? (
      <p role="status" className="fine plan">
        No other records of this account have these words{words.mistakes ? ', or nearly' : ''}.
      </p>
    ) : null
  return (
    <p role="status" className="line plan">
      {props.isNoneHere ? 'Found in other records:' : 'Also found in:'}
      {found.map(({ entity, count, isCut }) => (
        <Button key={entity.entity} className="small" onClick={() => open(entity)}>
          {entity.title ?? entity.entity}{' '}
          <span className="fine">
            {count.toLocaleString('en')}
            {isCut ? ' or more' : ''}
          </span>
        </Button>
      ))}
    </p>
  )
}

/** Null: its copy could not be searched, as one that has nothing yet. */
async function countIn(
  instance: Instance,
  entity: EntityDescription,
  words: Words,
  signal: AbortSignal,
): Promise<Counted | null> {
  const form = { ...EMPTY_FORM, ...words }
  const types = entity.search_fields ?? {}
  // Without texts every record would be found.
  if (wordsFilter(words, types) === null) return { entity, count: 0, isCut: false }
  const params = { ...searchParams(form, types), limit: 1, facets: [] }
  const body = { entity: entity.entity, action: SEARCH, params }
  const path = `/connectors/sources/${instance.id}/execute`
  try {
    // It has no entry in the logs: the search that it is counted behind has one.
    const headers = { 'x-tenon-console-own': 'count' }
    const { hits, facets } = await call<SearchAnswer>('POST', path, { body, headers, signal })
    // A search that took long is not counted.
    const count = Math.max(hits.length, facets?.counted ?? 0)
    return { entity, count, isCut: facets?.whole !== true }
  } catch {
    // The hits are there without it.
    return null
  }
}
