// Where words are found that the chosen records do not have: in the other copies of the account.
import { type ReactNode, useState } from 'react'
import { SEARCH } from '../../../language/manifest/actions.ts'
import type { EntityDescription, Instance, SearchAnswer } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useTask } from '../../api/use-answer.ts'
import { ProblemNotice, Working } from '../../parts/answer.tsx'
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

/** `others`: what else can be searched. */
export function Elsewhere(props: {
  readonly instance: Instance
  readonly others: readonly EntityDescription[]
  readonly words: string
}): ReactNode {
  const { instance, others } = props
  const form = { ...EMPTY_FORM, words: props.words }
  const [found, setFound] = useState<readonly Counted[] | null>(null)
  const { busy, problem, run, stop } = useTask()
  const look = (): Promise<void> =>
    run(async (signal) => {
      const countIn = async (entity: EntityDescription): Promise<Counted> => {
        const types = entity.search_fields ?? {}
        const params = { ...searchParams(form, types), limit: 1, facets: [] }
        const body = { entity: entity.entity, action: SEARCH, params }
        const path = `/connectors/sources/${instance.id}/execute`
        const { hits, facets } = await call<SearchAnswer>('POST', path, { body, signal })
        // A search that took long is not counted.
        const count = Math.max(hits.length, facets?.counted ?? 0)
        return { entity, count, isCut: facets?.whole !== true }
      }
      const answers = await Promise.all(others.map(countIn))
      setFound(answers.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count))
    })
  const open = (entity: EntityDescription): void => {
    keepTyped(keptName(instance, entity), form)
    goTo(addressOf('/search', { instance: instance.id, entity: entity.entity }))
  }
  if (others.length === 0) return null
  if (busy) return <Working words="Looking" stop={stop} />
  if (problem !== null) return <ProblemNotice problem={problem} retry={() => void look()} />
  if (found === null)
    return (
      <div>
        <Button className="small" onClick={() => void look()}>
          Look in the other records of this account
        </Button>
      </div>
    )
  return (
    <p role="status" className="line">
      {found.length === 0 ? 'No other records have these words.' : 'These have them, too:'}
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
