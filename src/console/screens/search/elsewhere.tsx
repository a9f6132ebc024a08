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

/** `others`: what else can be searched. */
export function Elsewhere(props: {
  readonly instance: Instance
  readonly others: readonly EntityDescription[]
  readonly words: string
}): ReactNode {
  const { instance, others } = props
  const form = { ...EMPTY_FORM, words: props.words }
  const [found, setFound] = useState<readonly EntityDescription[] | null>(null)
  const { busy, problem, run, stop } = useTask()
  const look = (): Promise<void> =>
    run(async (signal) => {
      const isIn = async (entity: EntityDescription): Promise<boolean> => {
        const params = { ...searchParams(form, entity.search_fields ?? {}), limit: 1 }
        const body = { entity: entity.entity, action: SEARCH, params }
        const path = `/connectors/sources/${instance.id}/execute`
        const { hits } = await call<SearchAnswer>('POST', path, { body, signal })
        return hits.length > 0
      }
      const answers = await Promise.all(others.map(isIn))
      setFound(others.filter((_entity, index) => answers[index]))
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
      <Button className="small" onClick={() => void look()}>
        Look in the other records of this account
      </Button>
    )
  return (
    <p role="status">
      {found.length === 0 ? 'No other records have these words.' : 'These have them: '}
      {found.map((entity) => (
        <Button key={entity.entity} className="small" onClick={() => open(entity)}>
          {entity.title ?? entity.entity}
        </Button>
      ))}
    </p>
  )
}
