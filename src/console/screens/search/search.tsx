// Search: the synchronized copy of an account, by conditions on its searchable fields.
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { SEARCH } from '../../../language/manifest/actions.ts'
import type { Described, EntityDescription, Instance, SearchAnswer } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import type { Problem } from '../../api/problem.ts'
import { usePages, useTask } from '../../api/use-answer.ts'
import { onSubmit, Select, submitByKey, Tick, ticked, TurnPages } from '../../parts/controls.tsx'
import { readHash, useHash } from '../../parts/in-address.ts'
import { textOf } from '../../form/field-text.ts'
import { Empty, Fetched, ProblemNotice, Working } from '../../parts/answer.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { keepTyped, useKept } from '../../parts/typed.ts'
import { CallCode } from '../explorer/call-code-view.tsx'
import { AccountScreen } from '../explorer/account-screen.tsx'
import { RecordTable } from '../explorer/records.tsx'
import { CallsView } from '../explorer/calls-view.tsx'
import { pathsBelow } from './conditions.ts'
import { FilterTree } from './filter-tree.tsx'
import { Facets, Freshness } from './found.tsx'
import {
  EMPTY_FORM,
  formOf,
  inserted,
  nextId,
  pointersOf,
  type SearchForm,
  searchParams,
} from './groups.ts'
import { QueryJson } from './query-json.tsx'
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

function Query(props: {
  readonly instance: Instance
  readonly entity: EntityDescription
}): ReactNode {
  const { instance, entity } = props
  const types = entity.search_fields ?? {}
  const kept = `query ${instance.id} ${entity.entity}`
  useMemo(() => {
    // What the address says comes first.
    const given = formOf(readHash('query') ?? null, types)
    if (given !== null) keepTyped(kept, given)
  }, [kept])
  const [form, setForm] = useKept(kept, () => EMPTY_FORM)
  const list = useId()
  const { at, shown, empty, add, back, next } = usePages<PageShown>()
  const [tab, setTab] = useState('hits')
  const { busy, problem, run, stop } = useTask()
  const params = searchParams(form, types)
  useHash('query', params, (given) => setForm(formOf(given, types) ?? EMPTY_FORM))
  const result = useRef<HTMLElement>(null)
  useEnded(busy, () => {
    // The focus stays on the button that turns pages.
    if (at === 0 || problem !== null) leadTo(null, result.current)
  })

  const ask = async (asked: JsonObject, signal: AbortSignal): Promise<void> => {
    const body = { entity: entity.entity, action: SEARCH, params: { ...asked, explain: true } }
    const path = `/connectors/sources/${instance.id}/execute`
    const answer = await call<SearchAnswer>('POST', path, { body, signal })
    const { hits } = answer
    const [records, scores] = [hits.map(({ data }) => data), hits.map(({ score }) => score)]
    add({ params: asked, answer, records, scores })
  }
  const start = (asked = params): void => {
    setTab('hits')
    void run(async (signal) => {
      // Hits of another query are none of this one.
      empty()
      await ask(asked, signal)
    })
  }
  const narrow = (field: string, value: string): void => {
    const { group } = form
    // Below the old root where that does not mean all of its parts.
    const root =
      group.match === 'all' ? group : { ...EMPTY_FORM.group, id: nextId(group), parts: [group] }
    const added = { id: nextId(root), field, operator: 'eq', value } as const
    const next = { ...form, group: inserted(root, root.id, root.parts.length, added) }
    setForm(next)
    start(searchParams(next, types))
  }
  const names = Object.keys(types)
  const cursor = shown?.answer.next_cursor ?? null
  const loadNext =
    cursor === null ? null : () => void run((signal) => ask({ ...shown?.params, cursor }, signal))
  return (
    <div className="operation stack">
      <div className="sides query">
        <form className="box params" onSubmit={onSubmit(() => start())} onKeyDown={submitByKey}>
          <datalist id={list}>
            {names.map((name) => (
              <option key={name} value={name}>
                {types[name]}
              </option>
            ))}
            {pathsBelow(types, entity, shown?.records ?? []).map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
          <FilterTree
            types={types}
            list={list}
            problems={problemsOf(problem, pointersOf(form, types))}
            root={form.group}
            change={(group) => setForm({ ...form, group })}
          />
          <Options form={form} names={names} change={setForm} />
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
        <QueryJson params={params} types={types} change={setForm} />
      </div>
      <section aria-label="Result" className="result pile" ref={result} tabIndex={-1}>
        <ProblemNotice problem={problem} shown={shownAt(problem, pointersOf(form, types))} />
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
                  <>
                    <Facets
                      records={shown.records}
                      names={[...names, ...entity.search_paths]}
                      choose={narrow}
                    />
                    <RecordTable
                      name={entity.entity}
                      data={shown.records}
                      paged
                      scores={shown.scores}
                    />
                  </>
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
            saved: [
              'Saved',
              () => (
                <CallsView
                  instance={instance.id}
                  isSearch
                  present={{
                    instance: instance.id,
                    entity: entity.entity,
                    action: SEARCH,
                    params,
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

/** What the service said of conditions, by their ids. */
function problemsOf(
  problem: Problem | null,
  pointers: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const errors = problem?.body.errors ?? []
  return new Map(
    [...pointers].flatMap(([id, place]) => {
      const found = errors.filter(({ pointer }) => pointer.startsWith(place))
      return found.length === 0 ? [] : [[id, found.map(({ detail }) => detail).join('; ')]]
    }),
  )
}

function shownAt(
  problem: Problem | null,
  pointers: ReadonlyMap<number, string>,
): ReadonlySet<string> {
  const places = [...pointers.values()]
  const errors = problem?.body.errors ?? []
  return new Set(
    errors.flatMap(({ pointer }) =>
      places.some((place) => pointer.startsWith(place)) ? [pointer] : [],
    ),
  )
}

const SIZES = [10, 50, 200, 1000]

/** Order, page size and fields. */
function Options(props: {
  readonly form: SearchForm
  readonly names: readonly string[]
  readonly change: (form: SearchForm) => void
}): ReactNode {
  const { form, names, change } = props
  const { sort, limit, fields } = form
  const [first = {}, ...more] = sort
  const [field = '', order = 'desc'] = Object.entries(first)[0] ?? []
  const by = textOf(order)
  const sortBy = (name: string, next: string): void =>
    change({ ...form, sort: name === '' ? [] : [{ [name]: next }, ...more] })
  const sizes = SIZES.includes(limit) ? SIZES : [limit, ...SIZES]
  const sortable = names.includes(field) || field === '' ? names : [field, ...names]
  return (
    <>
      <div className="filters">
        <Select
          label="Sort by"
          value={field}
          options={[['', 'score'], ...sortable.map((name) => [name, name] as const)]}
          choose={(name) => sortBy(name, by)}
        />
        {field === '' ? null : (
          <Select
            label="Order"
            value={by}
            options={[
              ['desc', 'descending'],
              ['asc', 'ascending'],
            ]}
            choose={(next) => sortBy(field, next)}
          />
        )}
        <Select
          label="Page size"
          value={String(limit)}
          options={sizes.map((size) => [String(size), size])}
          choose={(size) => change({ ...form, limit: Number(size) })}
        />
      </div>
      {more.length === 0 ? null : <p className="fine">and {more.length} more in the JSON</p>}
      <details className="columns">
        <summary>Fields ({fields.length === 0 ? 'all' : fields.length})</summary>
        <div className="column-list">
          {[...new Set([...names, ...fields])].map((name) => (
            <Tick
              key={name}
              words={name}
              checked={fields.includes(name)}
              change={(checked) => change({ ...form, fields: ticked(fields, name, checked) })}
            />
          ))}
        </div>
      </details>
    </>
  )
}
