// What of the audit log is wanted: kept in the address, so that it can be passed on and links can lead to it.
import { type ReactNode, useState } from 'react'
import { AUDIT_ACTIONS, UNNAMED_ACTORS } from '../../../display/audit-actions.ts'
import type { All, Application, Person } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { AccountFilter } from '../../parts/account-filter.tsx'
import { Button, onSubmit, Select, TextField } from '../../parts/controls.tsx'
import { momentPicked, pickedFrom } from '../../parts/moment.ts'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, goTo } from '../../place.tsx'

const NAMES = [
  'text',
  'actor',
  'action',
  'without',
  'status',
  'external_user_id',
  'connector_id',
  'from',
  'to',
  'target',
  'address',
  'token',
  'request_id',
] as const
/** By the names of `GET /audit`; '': any. `hours`: back from now. */
type Asked = Readonly<Record<(typeof NAMES)[number] | 'hours', string>>

const HOUR_MS = 3_600_000
const BETWEEN = 'between'
const PERIODS = [
  ['', 'any time'],
  ['1', 'last hour'],
  ['24', 'last day'],
  ['168', 'last 7 days'],
  ['720', 'last 30 days'],
  [BETWEEN, 'between two moments'],
] as const

/** The period of an address that there is not; null: it names one, or none. */
export function unknownHours(query: URLSearchParams): string | null {
  const hours = query.get('hours')
  return PERIODS.some(([each]) => each === (hours ?? '')) ? null : hours
}

export function askedIn(query: URLSearchParams): Asked {
  const given = NAMES.map((name) => [name, query.get(name) ?? ''])
  const hours = PERIODS.find(([each]) => each === query.get('hours'))?.[0] ?? ''
  return { ...(Object.fromEntries(given) as Omit<Asked, 'hours'>), hours }
}

/** For the service. */
export function auditQuery({ hours, ...asked }: Asked): Readonly<Record<string, string>> {
  const from =
    hours === '' ? asked.from : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString()
  return Object.fromEntries(Object.entries({ ...asked, from }).filter(([, value]) => value !== ''))
}

/** `event`: the one that is looked into. */
export function auditAddress(asked: Partial<Asked> & { readonly event?: string }): string {
  return addressOf('/settings', { part: 'audit', ...asked })
}

export function AuditFilter({ asked }: { readonly asked: Asked }): ReactNode {
  const [typed, setTyped] = useState(asked)
  const [shownFor, setShownFor] = useState(auditAddress(asked))
  if (shownFor !== auditAddress(asked)) {
    setShownFor(auditAddress(asked))
    setTyped(asked)
  }
  const change = (part: Partial<Asked>): void => setTyped((before) => ({ ...before, ...part }))
  const isBetween = typed.hours === BETWEEN || typed.from !== '' || typed.to !== ''
  const moment = (name: 'from' | 'to', label: string): ReactNode => (
    <TextField
      label={label}
      type="datetime-local"
      step={1}
      value={pickedFrom(typed[name], 'second')}
      change={(picked) => change({ [name]: momentPicked(picked) })}
    />
  )
  return (
    <form
      className="filters settings-filters"
      onSubmit={onSubmit(() =>
        goTo(auditAddress({ ...typed, hours: isBetween ? '' : typed.hours }), { replace: true }),
      )}
    >
      <TextField
        label="Search"
        type="search"
        placeholder="Words, names, ids"
        value={typed.text}
        change={(text) => change({ text })}
      />
      <Who value={typed.actor} choose={(actor) => change({ actor })} />
      <label>
        Action
        <select value={typed.action} onChange={({ target }) => change({ action: target.value })}>
          <option value="">Anything</option>
          {isActionKnown(typed.action) ? null : (
            <option value={typed.action}>{plainText(typed.action)}</option>
          )}
          {Object.entries(AUDIT_ACTIONS).map(([group, actions]) => (
            <optgroup key={group} label={group}>
              {familiesIn(Object.keys(actions)).map((family) => (
                <option key={family} value={family}>
                  All that begin with {family}
                </option>
              ))}
              {Object.entries(actions).map(([action, [words]]) => (
                <option key={action} value={action}>
                  {words} ({action})
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <Select
        label="Outcome"
        value={typed.status}
        options={OUTCOMES}
        choose={(status) => change({ status })}
      />
      <label className="tick">
        <input
          type="checkbox"
          checked={typed.without === ''}
          onChange={({ target }) => change({ without: target.checked ? '' : MINTED })}
        />{' '}
        Minted tokens
      </label>
      <TextField
        label="End user"
        placeholder="external_user_id"
        value={typed.external_user_id}
        change={(user) => change({ external_user_id: user })}
      />
      <AccountFilter id={typed.connector_id} choose={(id) => change({ connector_id: id })} />
      <Select
        label="Time"
        value={isBetween ? BETWEEN : typed.hours}
        options={PERIODS}
        choose={(hours) => change({ hours, from: '', to: '' })}
      />
      {isBetween ? (
        <>
          {moment('from', 'From')}
          {moment('to', 'Before')}
        </>
      ) : null}
      <div className="actions">
        <button className="primary">Show</button>
      </div>
      <Alike asked={asked} />
    </form>
  )
}

/** What a link has narrowed to, which no field shows; each can be taken away. */
const ALIKE = [
  ['target', 'On'],
  ['address', 'From'],
  ['token', 'With token or session'],
  ['request_id', 'Of request'],
] as const

function Alike({ asked }: { readonly asked: Asked }): ReactNode {
  return ALIKE.filter(([name]) => asked[name] !== '').map(([name, words]) => (
    <p key={name} className="audit-alike">
      {words} <code>{plainText(asked[name])}</code>{' '}
      <Button
        className="plain"
        onClick={() => goTo(auditAddress({ ...asked, [name]: '' }), { replace: true })}
      >
        Any
      </Button>
    </p>
  ))
}

/** Most of what a host app does, and seldom what is looked for. */
const MINTED = ['token.mint', 'token.mint_scoped', 'token.mint_agent'].join(',')

const OUTCOMES = [
  ['', 'any'],
  ['failed', 'denied or failed'],
  ['done', 'done'],
] as const

/** Whether the choice has it; an address may have another one, or several. */
function isActionKnown(action: string): boolean {
  return Object.values(AUDIT_ACTIONS).some(
    (actions) =>
      action === '' ||
      Object.hasOwn(actions, action) ||
      familiesIn(Object.keys(actions)).includes(action),
  )
}

/** First words of several actions. */
function familiesIn(actions: readonly string[]): readonly string[] {
  const words = actions.map((action) => action.split('.')[0] ?? action)
  return [...new Set(words.filter((word, at) => words.indexOf(word) !== at))]
}

function Who(props: {
  readonly value: string
  readonly choose: (actor: string) => void
}): ReactNode {
  const applications = useGet<All<Application>>('/settings/applications')
  const people = useGet<All<Person>>('/settings/people')
  const known = [
    ['', 'Anybody'],
    ...(people.last?.data ?? []).map(
      ({ login, name }) => [`person:${login}`, plainText(name ?? login)] as const,
    ),
    ...(applications.last?.data ?? []).map(
      ({ client_id: id, name }) => [id, plainText(name)] as const,
    ),
    ...Object.entries(UNNAMED_ACTORS),
  ] as const
  return <Select label="Who" value={props.value} choose={props.choose} options={known} />
}
