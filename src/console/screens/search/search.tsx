// Search: the synchronized copy of an account, by conditions on its searchable fields.
import { type ReactNode, useRef, useState } from 'react'
import { SEARCH } from '../../../language/manifest/actions.ts'
import type { Described, EntityDescription, Instance, SearchAnswer } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { type JsonObject, writeJson } from '../../api/json-text.ts'
import { usePages, useTask } from '../../api/use-answer.ts'
import { onSubmit, Select, submitByKey, TurnPages } from '../../parts/controls.tsx'
import { CodeBlock, Time } from '../../parts/values.tsx'
import { Empty, Fetched, ProblemNotice, Working } from '../../parts/answer.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { useKept } from '../../parts/typed.ts'
import { CallCode } from '../explorer/call-code-view.tsx'
import { AccountScreen } from '../explorer/account-screen.tsx'
import { RecordTable } from '../explorer/records.tsx'
import { ConditionRows } from './condition-rows.tsx'
import { pathsBelow, type SearchForm, searchParams } from './conditions.ts'
import './search.css'

export function SearchScreen({ query }: ScreenProps): ReactNode {
  return (
    <AccountScreen
      title="Search"
      lead="Search the synchronized copy of an account; nothing is sent to the third party."
      path="/search"
      query={query}
    >
      {(instance) => <Entities instance={instance} entity={query.get('entity') ?? ''} />}
    </AccountScreen>
  )
}

function Entities(props: { readonly instance: Instance; readonly entity: string }): ReactNode {
  const { instance } = props
  return (
    <Fetched<Described> path={`${instancePath(instance.id)}/describe`}>
      {({ entities }) => {
        const searchable = entities.filter((entity) => entity.search_fields !== null)
        const [first] = searchable
        if (first === undefined)
          return (
            <Empty title="Nothing can be searched">
              This connector keeps no copy of its records; use the explorer.
            </Empty>
          )
        const chosen = searchable.find(({ entity }) => entity === props.entity) ?? first
        return (
          <>
            <div className="filters">
              <Select
                label="Records"
                value={chosen.entity}
                options={searchable.map(({ entity, title }) => [entity, title ?? entity])}
                choose={(entity) => goTo(addressOf('/search', { instance: instance.id, entity }))}
              />
            </div>
            <Query key={`${instance.id} ${chosen.entity}`} instance={instance} entity={chosen} />
          </>
        )
      }}
    </Fetched>
  )
}

interface PageShown {
  readonly params: JsonObject
  readonly answer: SearchAnswer
  readonly records: readonly JsonObject[]
  readonly scores: readonly number[]
}

const EMPTY_FORM: SearchForm = {
  conditions: [{ id: 0, field: '', operator: 'eq', value: '' }],
  match: 'all',
  sortField: '',
  sortOrder: 'desc',
  fields: [],
  limit: 50,
}

function Query(props: {
  readonly instance: Instance
  readonly entity: EntityDescription
}): ReactNode {
  const { instance, entity } = props
  const types = entity.search_fields ?? {}
  const kept = `search ${instance.id} ${entity.entity}`
  const [form, setForm] = useKept(kept, () => EMPTY_FORM)
  const { at, shown, empty, add, back, next } = usePages<PageShown>()
  const [tab, setTab] = useState('hits')
  const { busy, problem, run, stop } = useTask()
  const params = searchParams(form, types)
  const result = useRef<HTMLElement>(null)
  useEnded(busy, () => {
    // The focus stays on the button that turns pages.
    if (at === 0 || problem !== null) leadTo(null, result.current)
  })

  const ask = async (asked: JsonObject, signal: AbortSignal): Promise<void> => {
    const body = { entity: entity.entity, action: SEARCH, params: asked }
    const path = `/connectors/sources/${instance.id}/execute`
    const answer = await call<SearchAnswer>('POST', path, { body, signal })
    const { hits } = answer
    const [records, scores] = [hits.map(({ data }) => data), hits.map(({ score }) => score)]
    add({ params: asked, answer, records, scores })
  }
  const start = (): void => {
    setTab('hits')
    void run(async (signal) => {
      // Hits of another query are none of this one.
      empty()
      await ask(params, signal)
    })
  }
  const cursor = shown?.answer.next_cursor ?? null
  const loadNext =
    cursor === null ? null : () => void run((signal) => ask({ ...shown?.params, cursor }, signal))
  return (
    <div className="operation">
      <div className="query">
        <form className="params" onSubmit={onSubmit(start)} onKeyDown={submitByKey}>
          <ConditionRows
            form={form}
            types={types}
            paths={pathsBelow(types, entity, shown?.records ?? [])}
            change={setForm}
          />
          <div className="actions sticky">
            <button className="primary" disabled={busy}>
              Search
            </button>
            {busy ? (
              <Working words="Searching" stop={stop} />
            ) : (
              <span className="fine">Ctrl + Enter searches</span>
            )}
          </div>
        </form>
        <div className="beside-form">
          <h3>Query as JSON</h3>
          <CodeBlock text={writeJson(params, 2)} label="query" />
        </div>
      </div>
      <section aria-label="Result" className="result" ref={result} tabIndex={-1}>
        <ProblemNotice problem={problem} />
        {problem?.body.code === 'search_not_ready' ? (
          <p>
            <Link to={addressOf('/sync', { instance: instance.id })}>
              See how far the synchronization is
            </Link>
          </p>
        ) : null}
        {shown === undefined ? null : (
          <div className="summary">
            <Freshness answer={shown.answer} at={at} />
            <TurnPages busy={busy} back={back} next={next(loadNext)} />
          </div>
        )}
        <Tabs
          label="Result"
          chosen={tab}
          choose={setTab}
          tabs={{
            hits: [
              'Hits',
              () =>
                shown === undefined ? (
                  <p className="quiet">
                    {busy
                      ? 'Searching …'
                      : problem === null
                        ? 'Search to see what matches; without conditions, everything.'
                        : 'It failed; nothing came back.'}
                  </p>
                ) : (
                  <RecordTable
                    name={entity.entity}
                    data={shown.records}
                    paged
                    scores={shown.scores}
                  />
                ),
            ],
            code: [
              'Code',
              () => (
                <CallCode
                  operation={{
                    origin: window.location.origin,
                    connectorId: instance.id,
                    connectorType: instance.connector_type,
                    entity: entity.entity,
                    action: SEARCH,
                    params,
                    paged: true,
                  }}
                />
              ),
            ],
          }}
        />
      </section>
    </div>
  )
}

function Freshness(props: { readonly answer: SearchAnswer; readonly at: number }): ReactNode {
  const { hits, took_ms: tookMs, replica } = props.answer
  return (
    <p role="status">
      Page {props.at + 1} · {hits.length} of {replica.records.toLocaleString('en')} records in the
      copy · {tookMs.toFixed(1)} ms · as of <Time at={replica.synced_at} />{' '}
      {replica.stale ? <span className="badge bad">stale</span> : null}
      {replica.complete ? null : (
        <span className="badge wait">
          {replica.synced_at === null ? 'still filling' : 'not whole'}
        </span>
      )}
      {replica.ranked ? null : <span className="badge wait">newest first, not ranked</span>}
    </p>
  )
}
