// Logs: what happened, as it happens; found by who, what, when and with what result; one entry in detail.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type {
  All,
  ConnectorDetail,
  ConnectorSummary,
  Instance,
  LogEntry,
} from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useAnswer, useGet, useSettled } from '../../api/use-answer.ts'
import { AccountFilter } from '../../parts/account-filter.tsx'
import { AccountName } from '../../parts/account-name.tsx'
import { Empty, ProblemNotice } from '../../parts/answer.tsx'
import { spanWords } from '../../parts/chart.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { Button, onSubmit, Select, TextField, Tick } from '../../parts/controls.tsx'
import { ExportRows } from '../../parts/export-rows.tsx'
import { Marked } from '../../parts/marked.tsx'
import { hasWords, wordsOf } from '../../parts/marked-words.ts'
import { momentPicked, pickedFrom } from '../../parts/moment.ts'
import { LOGGED_CODES } from '../../../display/who-acts.ts'
import { useNarrow } from '../../parts/narrow.ts'
import { afterWords } from '../../../display/answered.ts'
import { NotThere } from '../../parts/not-there.tsx'
import { firstNamed } from '../../parts/named-accounts.ts'
import { plainText } from '../../../display/plain-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { ExactTimes, Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { OneAccount } from '../instances/account-screen.tsx'
import { LogChart } from './log-chart.tsx'
import { LogSheet } from './log-sheet.tsx'
import { durationOf, KINDS, subjectOf } from './log-words.ts'
import { ResultBadge } from './result-badge.tsx'
import { type LogsAnswer, useLogs } from './use-logs.ts'
import './logs.css'

export function LogsScreen({ query }: ScreenProps): ReactNode {
  // The API calls it `connector_id`.
  const instance = query.get('instance') ?? query.get('connector_id') ?? ''
  const logs = (
    <>
      <ExactTimes>
        <LogsOf instance={instance} at="/logs" query={query} showsAccount={instance === ''} />
      </ExactTimes>
      {instance === '' ? null : (
        <p>
          One account only. <Link to={ofAllAccounts(query)}>Show all</Link>
        </p>
      )}
    </>
  )
  if (instance !== '')
    return (
      <OneAccount
        key={instance}
        id={instance}
        view="logs"
        gone={
          <>
            <p className="quiet">
              This account is gone; its entries are kept until they are too old.
            </p>
            {logs}
          </>
        }
      >
        {() => logs}
      </OneAccount>
    )
  return (
    <Screen title="Logs" lead="Every operation, sync, token refresh and webhook, as it happens.">
      {logs}
    </Screen>
  )
}

/** With the other filters, and without an entry that is open. */
function ofAllAccounts(query: URLSearchParams): string {
  const { instance: _, connector_id: __, entry: ___, ...others } = Object.fromEntries(query)
  return addressOf('/logs', others)
}

/** Members of the query that are filters, by the names of the API. Others stay as they are. */
const TEXTS = [
  'external_user_id',
  'connector_type',
  'entity',
  'action',
  'code',
  'upstream_status',
  'request_id',
  'min_ms',
] as const
const FILTERS = ['text', 'kind', 'status', 'from', 'to', ...TEXTS] as const
type Filter = (typeof FILTERS)[number]
/** What else an address of the logs may have. */
const PLACES: readonly string[] = ['minutes', 'entry', 'instance', 'connector_id']

/** Names of an address that narrow nothing, and that somebody may take for filters. */
function UnknownFilters({ query }: { readonly query: URLSearchParams }): ReactNode {
  const known: ReadonlySet<string> = new Set([...FILTERS, ...PLACES])
  return [...new Set(query.keys())].map((name) =>
    known.has(name) ? null : (
      <NotThere key={name} what="filter" value={name} shown="the entries are not narrowed by it" />
    ),
  )
}

/** The logs of one account, or of all: '' . `at` and `query`: the place that the filters are kept in. */
export function LogsOf(props: {
  readonly instance: string
  readonly at: string
  readonly query: URLSearchParams
  readonly showsAccount?: boolean
}): ReactNode {
  const { instance, at, query } = props
  const given = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? '']))
  const asked = query.get('minutes') ?? ''
  const minutes = MINUTES.test(asked) ? asked : ''
  const [live, setLive] = useState(true)
  const logs = useLogs({ ...given, connector_id: instance }, minutes, live)
  const change = (changed: Readonly<Record<string, string>>, isStep = false): void =>
    goTo(addressOf(at, { ...Object.fromEntries(query), ...changed }), { replace: !isStep })
  const open = query.get('entry') ?? ''
  const entries = logs.shown?.entries ?? []
  const { kept } = logs
  const { earlier } = logs
  const isLast = open !== '' && entries.at(-1)?.id === open
  useEffect(() => {
    // Who steps through the entries comes to those that are not loaded yet.
    if (isLast) earlier?.()
  }, [isLast])
  const isOpened = useRef(false)
  if (open === '') isOpened.current = false
  const close = (): void => {
    // What was opened from the list leaves no second list to go back over.
    if (isOpened.current) window.history.back()
    else change({ entry: '' })
  }
  return (
    <>
      <UnknownFilters query={query} />
      {asked === minutes ? null : (
        <NotThere what="period of minutes" value={asked} shown="entries of any time are shown" />
      )}
      <Filters
        instance={instance}
        given={given}
        minutes={minutes}
        answered={entries.map(({ upstream_status: answer }) => answer)}
        change={change}
      >
        <Tick className="inline beside" words="Live" checked={live} change={setLive} />
        <ExportRows path="/logs/export" name="tenon-logs" query={logs.asked} />
      </Filters>
      {kept === null || kept.days === 0 ? null : (
        <LogChart
          asked={logs.asked}
          keptDays={kept.days}
          first={logs.first}
          isLive={live}
          choose={(range) => change({ ...range, minutes: '' }, true)}
        />
      )}
      <Entries
        logs={logs}
        words={wordsOf(given['text'] ?? '')}
        isFiltered={FILTERS.some((name) => given[name] !== '') || minutes !== ''}
        open={(id) => {
          isOpened.current = true
          change({ entry: id }, true)
        }}
        showsAccount={props.showsAccount === true}
        clear={() =>
          change({ ...Object.fromEntries(FILTERS.map((name) => [name, ''])), minutes: '' })
        }
        explorer={addressOf('/explorer', { instance })}
      />
      {kept === null ? null : <Kept of={kept} />}
      {open === '' ? null : (
        <LogSheet
          id={open}
          among={entries}
          keepsContents={kept?.contents ?? false}
          show={(entry) => change({ entry })}
          close={close}
        />
      )}
    </>
  )
}

/** What stays of an entry, and for how long. */
function Kept({ of: { days, contents } }: { readonly of: NonNullable<LogsAnswer['kept']> }) {
  if (days === 0)
    return <p className="fine">Nothing is logged here: an operator has set TENON_LOGS_DAYS to 0.</p>
  return (
    <p className="fine">
      Entries are kept for {days === 1 ? 'a day' : `${days} days`};{' '}
      {contents
        ? 'parameters and answers for the newest 200 operations of an account, credentials masked.'
        : 'parameters and answers are not kept.'}
    </p>
  )
}

function Entries(props: {
  readonly logs: LogsAnswer
  readonly words: readonly string[]
  readonly isFiltered: boolean
  readonly open: (id: string) => void
  readonly showsAccount: boolean
  readonly clear: () => void
  readonly explorer: string
}): ReactNode {
  const { shown, problem, busy, reload, earlier } = props.logs
  if (shown === null)
    return problem === null ? (
      <p className="loading" role="status">
        Loading …
      </p>
    ) : (
      <ProblemNotice problem={problem} retry={reload} />
    )
  const { entries, searchedTo } = shown
  return (
    <>
      <ProblemNotice problem={problem} retry={reload} />
      {entries.length > 0 ? (
        <Table
          label="Log entries"
          className="log-rows one-line two-lines"
          columns={columnsWith(props)}
          rows={entries}
          open={({ id }) => props.open(id)}
          keyOf={({ id }) => id}
        />
      ) : props.isFiltered ? (
        <Empty title="Nothing matches">
          No entry {searchedTo === null ? '' : 'so far '}is like this. Words are looked for in what
          was called, codes, words of failures, names and ids; parameters and answers are not
          searched.{' '}
          <Button className="small" onClick={props.clear}>
            Clear the filters
          </Button>
        </Empty>
      ) : (
        <Empty
          title="Nothing has happened yet"
          action={{ words: 'Open the explorer', to: props.explorer }}
        >
          Entries appear here as your app, an agent or the explorer runs operations.
        </Empty>
      )}
      <div className="actions" aria-live="polite">
        {earlier === null ? null : (
          <Button disabled={busy} onClick={earlier}>
            {searchedTo === null ? 'Show earlier entries' : 'Search further back'}
          </Button>
        )}
        {searchedTo === null ? null : (
          <span className="fine">
            Searched back to <Time at={searchedTo} />.
          </span>
        )}
      </div>
    </>
  )
}

const SPANS = [
  ['', 'any time'],
  ['15', 'last 15 minutes'],
  ['60', 'last hour'],
  ['1440', 'last day'],
  ['10080', 'last 7 days'],
] as const

/** How many there may be: those of years. */
const MINUTES = /^[1-9]\d{0,6}$/

/** The periods that are offered, and another one that an address has. */
function spansWith(minutes: string): readonly (readonly [string, string])[] {
  return minutes === '' || SPANS.some(([each]) => each === minutes)
    ? SPANS
    : [...SPANS, [minutes, `last ${Number(minutes).toLocaleString('en')} minutes`]]
}

/** A time that was chosen in the chart, or stands in the address. */
const OWN = 'own'

/** Null: none. */
function periodWords(from: string, to: string): string | null {
  if (from === '' && to === '') return null
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  if (Number.isNaN(begin) || Number.isNaN(end)) return plainText(`${from} to ${to || 'now'}`)
  return spanWords(begin, end, Math.max(end - begin, Date.now() - begin))
}

type TextFilter = 'text' | (typeof TEXTS)[number]

const LABELS: Readonly<Record<TextFilter, string>> = {
  text: 'Search',
  external_user_id: 'User',
  connector_type: 'Connector',
  entity: 'Entity',
  action: 'Action',
  code: 'Error code',
  upstream_status: 'Third party answered',
  request_id: 'Request id',
  min_ms: 'At least (ms)',
}

const REST_MS = 400
/** As many as the service takes. */
const MAX_LETTERS = 200

/** Of texts that are numbers: what the service takes. */
const NUMBERS: Readonly<Partial<Record<TextFilter, RegExp>>> = {
  min_ms: /^\d*$/,
  upstream_status: /^(?:[1-5]\d\d)?$/,
}

function Filters(props: {
  /** '': all of them. */
  readonly instance: string
  readonly given: Readonly<Record<string, string>>
  readonly minutes: string
  /** What third parties answered in the entries that are shown; null: nothing. */
  readonly answered: readonly (number | null)[]
  readonly change: (changed: Readonly<Record<string, string>>) => void
  readonly children: ReactNode
}): ReactNode {
  const { given, change, instance } = props
  const [from, to] = [given['from'] ?? '', given['to'] ?? '']
  const period = periodWords(from, to)
  const [isBetween, setBetween] = useState(false)
  const known = useKnown(instance, given['connector_type'] ?? '', props.answered)
  // A phone shows what is found first.
  const isNarrow = useNarrow()
  const [isOpened] = useState(
    () => props.minutes !== '' || FILTERS.some((name) => name !== 'text' && given[name] !== ''),
  )
  const moment = (name: 'from' | 'to', value: string, label: string): ReactNode => (
    <TextField
      label={label}
      type="datetime-local"
      step={1}
      value={pickedFrom(value, 'second')}
      change={(picked) => {
        setBetween(true)
        change({ [name]: momentPicked(picked), minutes: '' })
      }}
    />
  )
  const pick = (name: Filter): ((value: string) => void) => {
    return (value) => change({ [name]: value })
  }
  const first = (
    <>
      <Select
        label="Kind"
        value={given['kind'] ?? ''}
        options={[['', 'any'], ...Object.entries(KINDS)]}
        choose={pick('kind')}
      />
      <Select
        label="Result"
        value={given['status'] ?? ''}
        options={[
          ['', 'any'],
          ['ok', 'succeeded'],
          ['failed', 'failed'],
        ]}
        choose={pick('status')}
      />
      <Select
        label="Time"
        value={period === null && !isBetween ? props.minutes : OWN}
        options={[...spansWith(props.minutes), [OWN, period ?? 'between two moments']]}
        choose={(value) => {
          setBetween(value === OWN)
          if (value !== OWN) change({ minutes: value, from: '', to: '' })
        }}
      />
      {period !== null || isBetween ? (
        <>
          {moment('from', from, 'From')}
          {moment('to', to, 'Before')}
        </>
      ) : null}
      {instance === '' ? (
        <AccountFilter id="" choose={(id) => change({ instance: id, connector_id: '' })} />
      ) : null}
    </>
  )
  const rest = (
    <details open={TEXTS.some((name) => given[name] !== '')}>
      <summary>More filters</summary>
      <div className="filters logs-filters">
        {TEXTS.map((name) => (
          <FilterText
            key={name}
            name={name}
            value={given[name] ?? ''}
            known={known[name]}
            find={name === 'external_user_id' && instance === '' ? usersNamed : undefined}
            change={pick(name)}
          />
        ))}
      </div>
    </details>
  )
  return (
    <form
      className="filters logs-filters"
      role="search"
      aria-label="Filter entries"
      onSubmit={onSubmit(() => {})}
    >
      <FilterText name="text" value={given['text'] ?? ''} change={pick('text')} />
      {isNarrow ? (
        <details open={isOpened}>
          <summary>Filters</summary>
          <div className="filters">
            {first}
            {rest}
          </div>
        </details>
      ) : (
        first
      )}
      {props.children}
      {isNarrow ? null : rest}
    </form>
  )
}

/** What is offered for a text: any other one may be asked for as well, such as that of a connector that is gone. */
type Known = Readonly<Partial<Record<TextFilter, readonly string[]>>>

/** What third parties answer at all times, so that it can be looked for before it is there. */
const USUAL_ANSWERS = [200, 201, 204, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504]

/** `type`: '' where any connector is meant, or that of the account. */
function useKnown(instance: string, type: string, answered: readonly (number | null)[]): Known {
  const connectors = useGet<All<ConnectorSummary>>('/connectors', {}, { kept: true })
  const found = useAnswer(`entities of ${type} ${instance}`, async (signal) => {
    const account =
      instance === '' ? null : await call<Instance>('GET', instancePath(instance), { signal })
    const users = account === null ? [] : [account.external_user_id]
    const of = type === '' ? (account?.connector_type ?? '') : type
    if (of === '') return { users, entities: [] }
    const path = `/connectors/${encodeURIComponent(of)}`
    return { users, entities: (await call<ConnectorDetail>('GET', path, { signal })).entities }
  })
  const { users, entities } = found.kind === 'ready' ? found.value : { users: [], entities: [] }
  const actions = new Set(entities.flatMap((each) => each.actions.map(({ action }) => action)))
  const statuses = new Set([...answered.filter((each) => each !== null), ...USUAL_ANSWERS])
  return {
    external_user_id: users,
    connector_type: connectors.last?.data.map((each) => each.connector_type) ?? [],
    entity: entities.map(({ entity }) => entity),
    action: [...actions],
    code: LOGGED_CODES,
    upstream_status: [...statuses].toSorted((a, b) => a - b).map(String),
  }
}

/** Users are found by their accounts, as in a field that chooses one. */
async function usersNamed(words: string, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await firstNamed(words, { sort: '-updated_at', limit: '50' }, signal)
  return [...new Set(data.map(({ external_user_id: user }) => user))]
}

/** A text is asked for once nobody has typed for a moment. */
function FilterText(props: {
  readonly name: TextFilter
  readonly value: string
  readonly known?: readonly string[] | undefined
  /** Offers more for what is typed. */
  readonly find?: ((typed: string, signal: AbortSignal) => Promise<readonly string[]>) | undefined
  readonly change: (value: string) => void
}): ReactNode {
  const { name, value, change, find } = props
  const offers = useId()
  const [typed, setTyped] = useState(value)
  const [before, setBefore] = useState(value)
  const settled = useSettled(typed, REST_MS)
  const wanted = find === undefined ? '' : settled.trim()
  const found = useAnswer(
    `offered ${wanted}`,
    async (signal) => (await find?.(wanted, signal)) ?? [],
  )
  const known = [...(props.known ?? []), ...(found.last ?? [])]
  if (value !== before) {
    // The address has changed: by Back, or because the filters were cleared.
    setBefore(value)
    if (value !== settled) setTyped(value)
  }
  useEffect(() => {
    const isTaken = NUMBERS[name]?.test(settled.trim()) ?? true
    if (settled === typed && settled.trim() !== value && isTaken) change(settled.trim())
    // Told when the text has come to rest, whatever the address is by then.
  }, [settled])
  return (
    <label>
      {LABELS[name]}
      <input
        type="search"
        inputMode={NUMBERS[name] === undefined ? undefined : 'numeric'}
        list={known.length === 0 ? undefined : offers}
        autoComplete="off"
        placeholder={name === 'text' ? 'Words of an error, ids …' : undefined}
        maxLength={MAX_LETTERS}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {known.length === 0 ? null : (
        <datalist id={offers}>
          {known.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  )
}

/** What two lines of the column have room for. */
const NAME_LETTERS = 34

function columnsWith({
  open,
  words: looked,
  showsAccount,
}: {
  readonly open: (id: string) => void
  readonly words: readonly string[]
  readonly showsAccount: boolean
}): readonly Column<LogEntry>[] {
  const account: Column<LogEntry> = {
    title: 'Account',
    className: 'log-account',
    hint: (entry) => plainText(accountWords(entry)),
    cell: (entry) => {
      const { connector_id: id, connector_type: type } = entry
      const words = plainText(accountWords(entry))
      if (id === null) return words
      return (
        <span className="with-icon">
          {type === null ? null : <ConnectorIcon type={type} />}
          <Link className="cut" to={addressOf(`/instances/${id}`)}>
            <AccountName id={id} otherwise={words} most={NAME_LETTERS} />
          </Link>
        </span>
      )
    },
  }
  return [
    { title: 'When', cell: ({ at }) => <Time at={at} /> },
    { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
    {
      title: 'What',
      className: 'row-name',
      hint: (entry) => [subjectOf(entry), ...textsBelow([], entry)].join('\n'),
      cell: (entry) => (
        <>
          <Button className="plain mono" onClick={() => open(entry.id)}>
            <span className="cut">
              <Marked words={looked} text={subjectOf(entry)} />
            </span>
          </Button>
          {textsBelow(looked, entry).map((text) => (
            <small key={text} className="cut quiet">
              <Marked words={looked} text={text} fromMark />
            </small>
          ))}
        </>
      ),
    },
    {
      title: 'Result',
      className: 'row-result',
      hint: ({ code, first_code: first }) =>
        code === null || first === null || first === code
          ? (code ?? '')
          : `${code}, ${afterWords(code)} ${first}`,
      cell: (entry) => <ResultBadge of={entry} words={looked} inList />,
    },
    ...(showsAccount ? [account] : []),
    { title: 'Duration', kind: 'number', cell: ({ took_ms: ms }) => durationOf(ms) },
    {
      title: 'Requests',
      kind: 'number',
      className: 'row-left-out',
      cell: ({ upstream_requests: count }) => count,
    },
  ]
}

/** Below what was called: texts with one of the words that stand in no column, else what went wrong. */
function textsBelow(words: readonly string[], entry: LogEntry): readonly string[] {
  const found = textsWith(words, entry)
  return found.length > 0 || entry.detail === null ? found : [plainText(entry.detail)]
}

function textsWith(words: readonly string[], entry: LogEntry): readonly string[] {
  const texts = [entry.detail, entry.request_id, entry.connector_id, entry.client_id]
  return texts
    .filter((text) => text !== null)
    .filter((text) => words.some((word) => hasWords([word], text)))
    .map(plainText)
}

function accountWords({ connector_type: type, external_user_id: user }: LogEntry): string {
  return [type, user].filter((name) => name !== null).join(' · ')
}
