// Search: the synchronized copy of an account, by conditions on its searchable fields.
import { Fragment, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { SEARCH } from '../../../language/manifest/actions.ts'
import type {
  All,
  Described,
  EntityDescription,
  Instance,
  SearchAnswer,
  SyncStatus,
} from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { type Json, type JsonObject, objectIn, writeJson } from '../../api/json-text.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { useRate } from '../../api/fresh.ts'
import { useEvery, useGet, usePages, useTask } from '../../api/use-answer.ts'
import { COMMAND_KEY } from '../../parts/command-key.ts'
import {
  Button,
  onSubmit,
  Select,
  Tick,
  ticked,
  TurnPages,
  useSubmitKey,
} from '../../parts/controls.tsx'
import { readHash, useHash } from '../../parts/in-address.ts'
import { textOf } from '../../form/field-text.ts'
import { Empty, Fetched, ProblemNotice, Working } from '../../parts/answer.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { NotRead } from '../../parts/not-there.tsx'
import { type NamesAt, useRecordNames } from '../../parts/record-names.ts'
import { plainText } from '../../../display/plain-text.ts'
import { useRefusals } from '../../session.ts'
import { keepTyped, readTyped, useKept } from '../../parts/typed.ts'
import { CallCode } from '../explorer/call-code-view.tsx'
import { AccountScreen } from '../instances/account-screen.tsx'
import { RecordTable } from '../explorer/records.tsx'
import { CallsView } from '../explorer/calls-view.tsx'
import { type Condition, comparesWhole, namedBy, pathsBelow, titleOf } from './conditions.ts'
import { Elsewhere, keptName } from './elsewhere.tsx'
import { NotCopied } from './not-copied.tsx'
import { FilterTree } from './filter-tree.tsx'
import { type Counted, Facets, Freshness } from './found.tsx'
import {
  addressedSearch,
  EMPTY_FORM,
  inserted,
  isGroup,
  nextId,
  pointersOf,
  type SearchForm,
  searchIn,
  searchParams,
} from './groups.ts'
import { QueryJson } from './query-json.tsx'
import { soughtWords, takeWords } from './words.ts'
import './search.css'

export function SearchScreen({ query }: ScreenProps): ReactNode {
  return (
    <AccountScreen
      id={query.get('instance') ?? ''}
      view="search"
      lead="Search the synchronized copy of an account; nothing is sent to the third party."
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
        const kept = chosenName(instance)
        const isNamed = (name: Json) => (each: EntityDescription) => each.entity === name
        const chosen =
          searchable.find(isNamed(props.entity)) ??
          searchable.find(isNamed(readTyped(kept))) ??
          // What comes in by its date is looked for; what is read as a whole is mostly what that refers to.
          searchable.find((each) => each.cursor_field !== null) ??
          searchable[0]
        if (props.entity !== '' && chosen?.entity !== props.entity && searchable.length > 0) {
          const isThere = entities.some(isNamed(props.entity))
          return <Unknown {...props} isThere={isThere} searchable={searchable} />
        }
        if (chosen === undefined)
          return (
            <Empty title="Nothing can be searched">
              This connector keeps no copy of its records; use the explorer.
            </Empty>
          )
        return (
          <Query
            key={`${instance.id} ${chosen.entity}`}
            instance={instance}
            entity={chosen}
            all={searchable}
            isNamed={chosen.entity === props.entity}
          />
        )
      }}
    </Fetched>
  )
}

/** In the place of hits: nobody takes those of other records for what the address names. */
function Unknown(props: {
  readonly instance: Instance
  readonly entity: string
  /** The connector has it, and keeps no copy of it. */
  readonly isThere: boolean
  readonly searchable: readonly EntityDescription[]
}): ReactNode {
  const named = `“${plainText(props.entity)}”`
  return (
    <Empty title={props.isThere ? `${named} cannot be searched` : `There is no entity ${named}`}>
      What can be searched in this account:{' '}
      {props.searchable.map(({ entity, title }, at) => (
        <Fragment key={entity}>
          {at === 0 ? '' : ', '}
          <Link to={addressOf('/search', { instance: props.instance.id, entity })}>
            {title ?? entity}
          </Link>
        </Fragment>
      ))}
    </Empty>
  )
}

/** Under this name it is kept what was searched last of an account. */
function chosenName(instance: Instance): string {
  return `search ${instance.id}`
}

interface PageShown {
  readonly params: JsonObject
  readonly answer: SearchAnswer
  readonly records: readonly JsonObject[]
  readonly scores: readonly number[]
  readonly words: readonly string[]
}

const NO_RECORDS: readonly JsonObject[] = []
/** How often the copy is looked at that has not been read as a whole, and a search repeated that finds no records yet. */
const FILLING_MS = 3000

function Query(props: {
  readonly instance: Instance
  readonly entity: EntityDescription
  /** What can be searched. */
  readonly all: readonly EntityDescription[]
  /** Whether the address says what is searched: another reader of it may have searched something else last. */
  readonly isNamed: boolean
}): ReactNode {
  const { instance, entity, all } = props
  const types = entity.search_fields ?? {}
  const kept = keptName(instance, entity)
  useMemo(() => {
    // What the address says comes first.
    const given = searchIn(readHash('query') ?? null, types)
    if (given !== null) keepTyped(kept, given)
  }, [kept])
  const [form, setForm] = useKept(kept, () => EMPTY_FORM)
  const list = useId()
  const { at, shown, empty, add, back, next } = usePages<PageShown>()
  const [tab, setTab] = useState('hits')
  const [isFilling, setFilling] = useState(false)
  const copy = useCopy(instance, entity)
  const state = copy === null ? null : stateOf(copy)
  const [searchedState, setSearchedState] = useState<string | null>(null)
  const { busy, problem, run, stop, clear } = useTask()
  const refusal = useRefusals()('operations')
  const latest = latestField(entity)
  const params = searchParams(form, types, latest)
  const pointers = pointersOf(form, types)
  const { problems, told } = problemsOf(problem, pointers)
  const [isOpen, setOpen] = useState(pointers.size > 0)
  const searchForm = useRef<HTMLFormElement>(null)
  useSubmitKey(searchForm)
  const result = useRef<HTMLElement>(null)
  const conditions = useRef<HTMLDetailsElement>(null)

  /** `isRepeated`: nobody has asked for it, and what is shown stays where it fails. */
  const ask = async (
    asked: JsonObject,
    signal: AbortSignal,
    { isFirst = false, isRepeated = false } = {},
  ): Promise<void> => {
    const body = { entity: entity.entity, action: SEARCH, params: { ...asked, explain: true } }
    const path = `/connectors/sources/${instance.id}/execute`
    try {
      const answer = await call<SearchAnswer>('POST', path, { body, signal })
      const { hits } = answer
      const [records, scores] = [hits.map(({ data }) => data), hits.map(({ score }) => score)]
      if (isFirst) empty()
      setFilling(false)
      setSearchedState(state)
      // What kept the first one from being answered is over.
      if (isRepeated) clear()
      const { filter } = objectIn(asked['query'])
      const words = [...new Set(soughtWords(filter))]
      add({ params: asked, answer, records, scores, words })
    } catch (error) {
      if (signal.aborted) throw error
      setSearchedState(state)
      if (isRepeated) return
      // Hits of another query are none of this one.
      if (isFirst) empty()
      setFilling(problemOf(error).body.code === 'search_not_ready')
      throw error
    }
  }
  const start = (asked = params): void => {
    // The service refuses it, and notes in its audit log that it did.
    if (refusal !== null) return
    setTab('hits')
    void run((signal) => ask(asked, signal, { isFirst: true }))
  }
  useHash('query', addressedSearch(form, types), (given) => {
    const form = searchIn(given, types) ?? EMPTY_FORM
    setForm(form)
    start(searchParams(form, types, latest))
  })
  useEffect(() => {
    keepTyped(chosenName(instance), entity.entity)
    const address = addressOf('/search', { instance: instance.id, entity: entity.entity })
    if (!props.isNamed) goTo(address + window.location.hash, { replace: true })
    start()
    // On arrival alone.
  }, [])
  useEvery(isFilling ? FILLING_MS : null, start)
  const isUnread = shown?.answer.replica.synced_at === null
  useRate(isFilling || isUnread ? FILLING_MS : null)
  // Hits of a copy that was not read as a whole follow it until it was; who has turned their page keeps what is there.
  const followed = isFilling
    ? params
    : isUnread && at === 0 && next(null) === null
      ? shown.params
      : null
  const isToRepeat = followed !== null && !busy && state !== null && state !== searchedState
  useEffect(() => {
    if (!isToRepeat || refusal !== null) return
    const stop = new AbortController()
    ask(followed, stop.signal, { isFirst: true, isRepeated: true }).catch(() => {
      // It was stopped: another one follows.
    })
    return () => stop.abort()
    // Once for each state of the copy.
  }, [isToRepeat, state])
  useEnded(busy, () => {
    const isIn = conditions.current?.contains(document.activeElement) === true
    // Who types words goes on typing, and the focus stays on the button that turns pages.
    if (isIn) leadTo(conditions.current, result.current)
  })
  const apply = (next: SearchForm): void => {
    setForm(next)
    start(searchParams(next, types, latest))
  }
  const narrow = (field: string, value: string): void => {
    const parts = form.group.parts.filter((part) => !('field' in part) || part.field.trim() !== '')
    const group = { ...form.group, parts }
    // Below the old root where that does not mean all of its parts.
    const root =
      group.match === 'all' ? group : { ...EMPTY_FORM.group, id: nextId(group), parts: [group] }
    const added = { id: nextId(root), field, operator: 'eq', value } as const
    apply({ ...form, group: inserted(root, root.id, root.parts.length, added) })
  }
  const allowMistakes = (mistakes: boolean): void => {
    const next = { ...form, mistakes }
    // Without words nothing else is found.
    if (form.words.trim() === '') setForm(next)
    else apply(next)
  }
  // The words go along; conditions stay with the records that have the fields.
  const choose = (name: string): void => {
    const next = all.find((each) => each.entity === name)
    if (next !== undefined) {
      const name = keptName(instance, next)
      // The same name always holds the same shape.
      const before = readTyped(name) as SearchForm | null
      const { words, mistakes } = form
      keepTyped(name, { ...(before ?? EMPTY_FORM), words, mistakes })
    }
    goTo(addressOf('/search', { instance: instance.id, entity: name }))
  }
  const shownFilter = objectIn(objectIn(shown?.params['query'])['filter'])
  const { rest, ...sought } = takeWords(shownFilter, types)
  const names = Object.keys(types)
  const schemas = useMemo(() => [entity.record], [entity])
  const recordNames = useRecordNames({
    instance: instance.id,
    entities: all,
    schemas,
    value: shown?.records ?? NO_RECORDS,
  })
  const counted = useCounts(instance, entity, shown ?? null)
  const called = { instance: instance.id, entity: entity.entity, action: SEARCH, params }
  const cursor = shown?.answer.next_cursor ?? null
  const loadNext =
    cursor === null ? null : () => void run((signal) => ask({ ...shown?.params, cursor }, signal))
  return (
    <div className="operation stack">
      <NotRead name="query" what="query" shown="what stands below is searched in its place" />
      <form className="pile" ref={searchForm} onSubmit={onSubmit(() => start())}>
        <div className="search-bar">
          <Select
            label="Records"
            value={entity.entity}
            options={all.map(({ entity: name, title }) => [name, title ?? name])}
            choose={choose}
          />
          <label className="grow">
            Words
            <input
              type="search"
              placeholder="in any text of a record"
              autoComplete="off"
              spellCheck={false}
              value={form.words}
              onChange={(event) => setForm({ ...form, words: event.target.value })}
            />
          </label>
          <Tick words="Allow for mistakes" checked={form.mistakes} change={allowMistakes} />
          <Button type="submit" className="primary" needs="operations" disabled={busy}>
            Search
          </Button>
        </div>
        <details
          className="box conditions"
          ref={conditions}
          open={isOpen || problems.size > 0}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>
            Conditions {pointers.size === 0 ? null : <span className="badge">{pointers.size}</span>}
            <span className="fine cut">{conditionsInWords(form, recordNames)}</span>
          </summary>
          <div className="sides query">
            <div className="pile">
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
                record={entity.record}
                names={recordNames}
                list={list}
                problems={problems}
                root={form.group}
                change={(group) => setForm({ ...form, group })}
              />
              <Options
                form={form}
                names={names}
                order={shown?.answer.explain?.order}
                latest={latest}
                change={setForm}
              />
              <div className="actions">
                <Button type="submit" needs="operations" disabled={busy}>
                  Apply
                </Button>
                {refusal === null ? (
                  <span className="fine beside of-keys">{COMMAND_KEY} + Enter searches</span>
                ) : null}
              </div>
            </div>
            <QueryJson
              params={params}
              types={types}
              latest={latest}
              // That of words is long, and pushes the hits away.
              isOpen={form.words.trim() === ''}
              change={setForm}
            />
          </div>
        </details>
      </form>
      <section aria-label="Result" className="result pile" ref={result} tabIndex={-1}>
        {busy && shown === undefined && !isFilling ? (
          <Working words="Searching" stop={stop} />
        ) : null}
        {refusal !== null ? (
          <Empty title="Records are not shown to your role">{refusal}.</Empty>
        ) : isFilling ? (
          <NotCopied instance={instance} copy={copy} />
        ) : (
          <ProblemNotice problem={problem} shown={told} />
        )}
        {shown === undefined ? null : (
          <div className="line summary">
            <Freshness
              answer={shown.answer}
              at={at}
              counted={counted?.isOf === copyOf(shown.answer) ? counted.counts : null}
              copy={copy}
              asked={shown.params}
              latest={latest}
              instance={instance}
              again={() => start(shown.params)}
              hasWordsAlone={sought.words !== '' && Object.keys(rest).length === 0}
            />
            <TurnPages busy={busy} back={back} next={next(loadNext)} />
            {sought.words === '' ? null : (
              <Elsewhere
                key={`${sought.mistakes} ${sought.words}`}
                instance={instance}
                others={all.filter((each) => each !== entity)}
                words={sought}
                isNoneHere={shown.records.length === 0 && at === 0}
              />
            )}
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
                  problem === null || isFilling ? null : (
                    <p className="quiet">Nothing was searched: there are no hits to show.</p>
                  )
                ) : shown.records.length === 0 && at === 0 ? (
                  <Empty title="No record matches">
                    {comparesText(form.group) ? (
                      <>
                        Whole values are compared, capital letters included: “done” is not
                        “Done”.{' '}
                      </>
                    ) : null}
                    {sought.words === '' ? (
                      'Take a condition away, or make it wider.'
                    ) : sought.mistakes ? (
                      'A word of up to 2 letters, or with a digit, has to be the same, one of up to 5 letters may have one mistake, a longer one two; all words have to stand in one text, in this order.'
                    ) : (
                      <>
                        Words are compared whole, without case and accents.{' '}
                        <Button
                          className="small"
                          onClick={() => {
                            apply({ ...form, mistakes: true })
                            // The button goes.
                            result.current?.focus({ preventScroll: true })
                          }}
                        >
                          Allow for mistakes
                        </Button>
                      </>
                    )}
                  </Empty>
                ) : (
                  <>
                    {counted === null ? null : (
                      <Facets counted={counted.counts} names={recordNames} choose={narrow} />
                    )}
                    <RecordTable
                      name={entity.entity}
                      schema={entity.record}
                      data={shown.records}
                      paged
                      scores={shown.scores}
                      words={shown.words}
                      names={recordNames}
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
                    ...called,
                    paged: true,
                  }}
                />
              ),
            ],
            saved: ['Saved', () => <CallsView instance={instance.id} isSearch present={called} />],
          }}
        />
      </section>
    </div>
  )
}

/** The date by which its copy takes in what is new: it has an index, by which hits are sorted. Null: it has none. */
function latestField({
  cursor_field: field,
  search_fields: types,
}: EntityDescription): string | null {
  const [head = ''] = field?.split('.') ?? []
  return types !== null && (Object.hasOwn(types, field ?? '') || Object.hasOwn(types, head))
    ? field
    : null
}

/** Fields whose values are counted: the service takes fifty. */
const MAX_COUNTED = 50

/** What all hits of a search have: asked for behind its hits, which are there at once. Null: not known, or not yet. */
function useCounts(
  instance: Instance,
  entity: EntityDescription,
  shown: Pick<PageShown, 'params' | 'answer'> | null,
): Counts | null {
  const [known, setKnown] = useState<Counts | null>(null)
  const params = shown?.params
  const query = params === undefined ? null : writeJson(params['query'] ?? {})
  const of = shown === null ? null : copyOf(shown.answer)
  useEffect(() => {
    if (params === undefined || query === null) return undefined
    const short = Object.entries(entity.search_fields ?? {}).flatMap(([name, type]) =>
      type === 'object' || type === 'array' ? [] : [name],
    )
    const facets = [...short, ...entity.search_paths].slice(0, MAX_COUNTED)
    const asked = { query: params['query'] ?? {}, limit: 1, facets }
    const stop = new AbortController()
    const body = { entity: entity.entity, action: SEARCH, params: asked }
    const path = `/connectors/sources/${instance.id}/execute`
    const count = async (): Promise<void> => {
      try {
        const answer = await call<SearchAnswer>('POST', path, { body, signal: stop.signal })
        const { facets: counts } = answer
        if (counts !== undefined) setKnown({ text: query, counts, isOf: copyOf(answer) })
      } catch {
        // The hits are there without it, and what ails them is told with them.
        if (!stop.signal.aborted) setKnown(null)
      }
    }
    void count()
    return () => stop.abort()
    // The params are their text.
  }, [query, of])
  return known?.text === query ? known : null
}

interface Counts {
  /** The query of which they are. */
  readonly text: string
  readonly counts: Counted
  /** The copy that was counted. */
  readonly isOf: string
}

/** Answers of one copy that is as it was have the same. */
function copyOf({ replica }: SearchAnswer): string {
  return `${replica.records} ${replica.synced_at}`
}

/** What is known of the copy of an entity; null: not known, or not yet. */
function useCopy(instance: Instance, { entity }: EntityDescription): SyncStatus | null {
  const copies = useGet<All<SyncStatus>>(`${instancePath(instance.id)}/sync`, {}, { kept: true })
  if (copies.kind !== 'ready') return null
  return copies.value.data.find((copy) => copy.entity === entity) ?? null
}

/** Another one: a search may find something else. */
function stateOf({ state, records, last_synced_at: at }: SyncStatus): string {
  return `${state} ${records} ${at}`
}

/** Whether some condition asks for a text as a whole. */
function comparesText({ parts }: SearchForm['group']): boolean {
  return parts.some((part) =>
    'field' in part
      ? comparesWhole(part.operator) &&
        /\p{L}/u.test(part.value) &&
        !/^(true|false)$/.test(part.value)
      : isGroup(part) && comparesText(part),
  )
}

/** What is in the conditions while they are closed. */
function conditionsInWords({ group }: SearchForm, names: NamesAt): string {
  const inWords = (condition: Condition): string => {
    const { field, operator, value } = condition
    const named = namedBy(condition, names)
    return `${field} ${titleOf(operator)} ${value}${named === '' ? '' : ` (${named})`}`
  }
  const words = group.parts.flatMap((part) =>
    !('field' in part) ? ['…'] : part.field.trim() === '' ? [] : [inWords(part)],
  )
  return words.length === 0 ? 'order, fields, the query as JSON' : plainText(words.join(' · '))
}

/** What the service said of conditions, by their ids, and the pointers of all that. */
function problemsOf(
  problem: Problem | null,
  pointers: ReadonlyMap<number, string>,
): { readonly problems: ReadonlyMap<number, string>; readonly told: ReadonlySet<string> } {
  const errors = problem?.body.errors ?? []
  const found = [...pointers].flatMap(([id, place]) => {
    const here = errors.filter(({ pointer }) => pointer.startsWith(place))
    return here.length === 0 ? [] : [{ id, here }]
  })
  return {
    problems: new Map(
      found.map(({ id, here }) => [id, here.map((each) => each.detail).join('; ')]),
    ),
    told: new Set(found.flatMap(({ here }) => here.map(({ pointer }) => pointer))),
  }
}

/** No field is called that: it stands in front of one that is sorted backwards. */
const BY_DATE = '-'
const SIZES = [10, 50, 200, 1000]

/** Order, page size and fields. */
function Options(props: {
  readonly form: SearchForm
  readonly names: readonly string[]
  /** Of the hits that are shown. */
  readonly order: NonNullable<SearchAnswer['explain']>['order'] | undefined
  /** The date by which they are sorted where nothing else is said; null: they have none. */
  readonly latest: string | null
  readonly change: (form: SearchForm) => void
}): ReactNode {
  const { form, names, order: shownOrder, latest, change } = props
  const unsorted =
    shownOrder === 'newest'
      ? 'last into the copy first'
      : shownOrder === 'score'
        ? 'best match first'
        : 'best match, or last into the copy first'
  const { sort, limit, fields } = form
  const [first = {}, ...more] = sort ?? []
  const [field = '', order = 'desc'] = Object.entries(first)[0] ?? []
  const by = textOf(order)
  const sortBy = (name: string, next: string): void =>
    change({
      ...form,
      sort: name === BY_DATE ? null : name === '' ? [] : [{ [name]: next }, ...more],
    })
  const sizes = SIZES.includes(limit) ? SIZES : [limit, ...SIZES]
  const sortable = names.includes(field) || field === '' ? names : [field, ...names]
  return (
    <>
      <div className="filters">
        <Select
          label="Sort by"
          value={sort === null && latest !== null ? BY_DATE : field}
          options={[
            ...(latest === null ? [] : [[BY_DATE, `latest ${latest} first`] as const]),
            ['', unsorted],
            ...sortable.map((name) => [name, name] as const),
          ]}
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
