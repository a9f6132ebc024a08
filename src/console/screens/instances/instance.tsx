// One account: its state and what to do, how fresh its copies are, its facts, its settings, and what can be done with it.
import { Ban, Link2, Pencil, Power, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { All, CheckAnswer, ConnectorDetail, Instance, SyncStatus } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { writeJson } from '../../api/json-text.ts'
import { type Task, useEvery, useGet, useTask } from '../../api/use-answer.ts'
import { AccountNav } from '../../parts/account-nav.tsx'
import { Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { Button, onSubmit } from '../../parts/controls.tsx'
import { Dialog, Question } from '../../parts/dialog.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { Menu } from '../../parts/menu.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { rememberAccount } from '../../parts/recent-accounts.ts'
import { Screen } from '../../parts/screen.tsx'
import { StateBadge, stateInWords, STATES } from '../../parts/state-badge.tsx'
import { CopyButton, ExactTimes, Facts, Id, Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { shownState } from '../sync/sync-states.ts'
import { AccountAccess } from './access.tsx'
import { checkInWords } from './check-words.ts'
import { ConnectLinkDialog } from './connect-link-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import './instances.css'

/** What was done on another screen that led here, by the word in the query. */
const DONE: Readonly<Record<string, string>> = {
  reconnected: 'Re-authenticated: the new credentials are in place.',
}

export function InstanceScreen({ id, query }: ScreenProps): ReactNode {
  const [done] = useState(() => DONE[query.get('done') ?? ''] ?? null)
  useEffect(() => {
    // It is told once, not with every reload.
    if (done !== null) window.history.replaceState(null, '', addressOf(`/instances/${id}`))
  }, [done, id])
  const instance = useGet<Instance>(instancePath(id))
  const value = instance.kind === 'ready' ? instance.value : null
  return (
    <Screen
      title={value === null ? 'Account' : plainText(value.name)}
      crumbs={[['Accounts', '/instances']]}
      {...(value === null ? {} : { icon: <ConnectorIcon type={value.connector_type} /> })}
    >
      <Loaded of={instance}>
        {(loaded) => (
          <Account
            instance={loaded}
            done={done}
            view={query.get('view') === 'settings' ? 'settings' : 'overview'}
            reload={instance.reload}
          />
        )}
      </Loaded>
    </Screen>
  )
}

function Account(props: {
  readonly instance: Instance
  readonly done: string | null
  readonly view: 'overview' | 'settings'
  readonly reload: () => void
}): ReactNode {
  const { instance } = props
  const task = useTask()
  const { busy, problem, run } = task
  const [news, setNews] = useState<string | null>(props.done)
  const [asking, setAsking] = useState<'delete' | 'rename' | 'settings' | 'link' | null>(null)
  const path = instancePath(instance.id)
  useEffect(() => rememberAccount(instance.id), [instance.id])

  const check = (): Promise<void> =>
    run(async () => {
      setNews(null)
      setNews(checkInWords(await call<CheckAnswer>('POST', `${path}/check`)))
      props.reload()
    })
  const change = (body: { readonly enabled?: boolean; readonly name?: string }): Promise<void> =>
    run(async () => {
      setNews(null)
      await call('PATCH', path, { body })
      setAsking(null)
      props.reload()
    })
  const remove = (): Promise<void> =>
    run(async () => {
      await call('DELETE', path)
      goTo(addressOf('/instances'), { replace: true })
    })
  const needsUser = instance.state === 'auth_error'
  return (
    <>
      <div className="actions">
        <Button disabled={busy || !instance.enabled} onClick={() => void check()}>
          {busy ? 'Working …' : 'Check'}
        </Button>
        <Link
          className={needsUser ? 'button primary' : 'button'}
          to={addressOf(`/instances/${instance.id}/reconnect`)}
        >
          Re-authenticate
        </Link>
        {needsUser ? <Button onClick={() => setAsking('link')}>Make a connect link</Button> : null}
        <Menu
          label="More actions"
          disabled={busy}
          entries={[
            { words: 'Rename', icon: <Pencil size={15} />, act: () => setAsking('rename') },
            ...(needsUser
              ? []
              : [
                  {
                    words: 'Make a connect link',
                    icon: <Link2 size={15} />,
                    act: () => setAsking('link'),
                  },
                ]),
            instance.enabled
              ? {
                  words: 'Disable',
                  icon: <Ban size={15} />,
                  act: () => void change({ enabled: false }),
                }
              : {
                  words: 'Enable',
                  icon: <Power size={15} />,
                  act: () => void change({ enabled: true }),
                },
            {
              words: 'Delete',
              icon: <Trash2 size={15} />,
              isDangerous: true,
              act: () => setAsking('delete'),
            },
          ]}
        />
      </div>
      <AccountNav id={instance.id} current={props.view} />
      <div aria-live="polite" className="news">
        {news === null ? null : (
          <div className="notice">
            <p>{news}</p>
          </div>
        )}
      </div>
      {asking === null ? <ProblemNotice problem={problem} /> : null}
      {props.view === 'overview' ? (
        <ExactTimes>
          <Overview instance={instance} />
        </ExactTimes>
      ) : (
        <Settings instance={instance} change={() => setAsking('settings')} />
      )}
      {asking === 'delete' ? (
        <Question
          title={`Delete ${plainText(instance.name)}?`}
          close={() => setAsking(null)}
          keep="Keep it"
          task={task}
          answers={[{ words: 'Delete the instance', look: 'danger', act: () => void remove() }]}
        >
          <p>
            The credentials are erased at once, the copy of the data after that. This cannot be
            undone. Nothing is changed at the third party.
          </p>
        </Question>
      ) : null}
      {asking === 'settings' ? (
        <SettingsDialog
          instance={instance}
          close={() => setAsking(null)}
          done={() => {
            setAsking(null)
            setNews('The settings are changed.')
            props.reload()
          }}
        />
      ) : null}
      {asking === 'link' ? (
        <ConnectLinkDialog instance={instance} close={() => setAsking(null)} />
      ) : null}
      {asking === 'rename' ? (
        <Rename
          name={instance.name}
          task={task}
          close={() => setAsking(null)}
          save={(name) => void change({ name })}
        />
      ) : null}
    </>
  )
}

function Rename(props: {
  readonly name: string
  readonly task: Task
  readonly close: () => void
  readonly save: (name: string) => void
}): ReactNode {
  const [name, setName] = useState(props.name)
  return (
    <Dialog title="Rename" close={props.close}>
      <form onSubmit={onSubmit(() => props.save(name.trim()))}>
        <label>
          Name
          <input required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <ProblemNotice problem={props.task.problem} />
        <div className="actions">
          <Button onClick={props.close}>Cancel</Button>
          <button className="primary" disabled={props.task.busy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Overview({ instance }: { readonly instance: Instance }): ReactNode {
  const { state_reason: reason } = instance
  return (
    <>
      <section className={`notice state ${STATES[instance.state].tone}`} aria-label="State">
        <p>
          <StateBadge state={instance.state} /> {stateInWords(instance)}
        </p>
        {reason === null ? null : (
          <p className="fine">
            {reason.detail} · since <Time at={reason.since} />
            {reason.upstream_status === null
              ? null
              : ` · the third party answered ${reason.upstream_status}`}
          </p>
        )}
      </section>
      <AccountAccess instance={instance} />
      <Freshness instance={instance} />
      <section className="part" aria-labelledby="facts">
        <h2 id="facts">Details</h2>
        <Facts
          of={[
            ['Id', <Id of={instance.id} label="Copy the id" />],
            [
              'User',
              <span className="pair">
                {plainText(instance.external_user_id)}
                <CopyButton text={instance.external_user_id} label="Copy the user" />
                <Link to={addressOf('/instances', { external_user_id: instance.external_user_id })}>
                  All accounts of this user
                </Link>
              </span>,
            ],
            ['Connector', `${instance.connector_type} ${instance.connector_version}`],
            [
              'Server',
              instance.server_url === undefined ? null : (
                <>
                  <Id of={instance.server_url} label="Copy the address of the server" />{' '}
                  <span className="quiet">instead of the third party’s</span>
                </>
              ),
            ],
            [
              'Authentication',
              instance.auth_method === null ? null : (
                <MethodTitle type={instance.connector_type} method={instance.auth_method} />
              ),
            ],
            ['Last check', <Time at={instance.last_checked_at} />],
            ['Created', <Time at={instance.created_at} />],
            ['Changed', <Time at={instance.updated_at} />],
          ]}
        />
      </section>
    </>
  )
}

/** What the connector calls a method; its name as long as that is not known. */
function MethodTitle(props: { readonly type: string; readonly method: string }): ReactNode {
  const path = `/connectors/${encodeURIComponent(props.type)}`
  const methods = useGet<ConnectorDetail>(path, {}, { kept: true }).last?.auth_methods
  return methods?.find(({ name }) => name === props.method)?.title ?? props.method
}

/** How often the copies are looked at. */
const FRESH_MS = 5_000

/** How old the copy of each entity is, and what its last run failed for. */
function Freshness({ instance }: { readonly instance: Instance }): ReactNode {
  const answer = useGet<All<SyncStatus>>(`${instancePath(instance.id)}/sync`)
  useEvery(FRESH_MS, answer.reload)
  // A service without copies has no such route, and an account without them nothing to tell.
  if (answer.kind !== 'ready' || answer.value.data.length === 0) return null
  const { data } = answer.value
  const failures = data.flatMap(failureOf)
  const failing = data.filter(({ failures: count }) => count > 0).length
  // What several fail with is told once, with all that are held back for it.
  const causes = Map.groupBy(failures, ({ error }) => (error.cause ?? error).detail)
  return (
    <section className="part" aria-labelledby="freshness">
      <h2 id="freshness">Copies</h2>
      {failing === 0 ? null : (
        <div className="notice state bad">
          <p>
            {instance.state === 'active'
              ? `${failing} of ${data.length} ${data.length === 1 ? 'copy fails' : 'copies fail'}. `
              : `All are stopped; ${failing} had failed. `}
            <Link to={addressOf('/sync', { instance: instance.id })}>
              {instance.state === 'active' ? 'When they are tried next' : 'More'}
            </Link>
          </p>
          {[...causes].map(([detail, those]) => (
            <Cause key={detail} of={those} />
          ))}
        </div>
      )}
      <ul className="box rows freshness">
        {data.map((status) => {
          const { entity, records, last_synced_at: at } = status
          const { label, tone } = shownState(status, instance)
          return (
            <li key={entity}>
              <Link to={addressOf('/search', { instance: instance.id, entity })}>{entity}</Link>
              <span className={`badge ${tone}`}>{label}</span>
              <span className="quiet">
                {at !== null ? (
                  <>
                    {records.toLocaleString('en')} records · <Time at={at} />
                  </>
                ) : records === 0 ? null : (
                  `${records.toLocaleString('en')} records so far`
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface Failure {
  readonly entity: string
  readonly error: NonNullable<SyncStatus['last_error']>
}

function failureOf({ entity, first_error: first, last_error: last }: SyncStatus): Failure[] {
  const error = first ?? last
  return error === null ? [] : [{ entity, error }]
}

/** Copies that fail for one reason: those that met it, and those that were held back for it. */
function Cause({ of }: { readonly of: readonly Failure[] }): ReactNode {
  const own = of.filter(({ error }) => error.cause === null)
  const told = own.length === 0 ? of : own
  const [oldest] = told.toSorted((a, b) => Date.parse(a.error.at) - Date.parse(b.error.at))
  if (oldest === undefined) return null
  const { at, detail, code } = oldest.error
  return (
    <p className="fine">
      <code>{entitiesOf(told)}</code> since <Time at={at} />: {plainText(detail)}{' '}
      <ErrorCode of={code} />
      {told.length === of.length ? null : (
        <>
          . Held back for the same reason:{' '}
          <code>{entitiesOf(of.filter((each) => !told.includes(each)))}</code>
        </>
      )}
    </p>
  )
}

function entitiesOf(failures: readonly Failure[]): string {
  return failures.map(({ entity }) => entity).join(', ')
}

function Settings(props: { readonly instance: Instance; readonly change: () => void }): ReactNode {
  const config = Object.entries(props.instance.config).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <>
      {config.length === 0 ? (
        <p className="quiet">No settings are made.</p>
      ) : (
        <Facts
          of={config.map(([name, value]) => [
            name,
            <code>{typeof value === 'string' ? plainText(value) : writeJson(value)}</code>,
          ])}
        />
      )}
      <div className="actions">
        <Button onClick={props.change}>Change the settings</Button>
      </div>
    </>
  )
}
