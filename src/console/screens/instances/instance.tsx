// One instance: its state in words, its facts, and what can be done with it.
import { type ReactNode, useEffect, useState } from 'react'
import type { All, CheckAnswer, Instance, LastSync } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { writeJson } from '../../api/json-text.ts'
import { type Task, useGet, useTask } from '../../api/use-answer.ts'
import { Button, onSubmit } from '../../parts/controls.tsx'
import { Id, Facts, Time } from '../../parts/values.tsx'
import { Dialog, Question } from '../../parts/dialog.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { Screen } from '../../parts/screen.tsx'
import { StateBadge, stateInWords, STATES } from '../../parts/state-badge.tsx'
import { ConnectLinkDialog } from './connect-link-dialog.tsx'
import { rememberAccount } from '../explorer/account-screen.tsx'
import { LastSyncCell } from './last-sync-cell.tsx'
import { SettingsDialog } from './settings-dialog.tsx'

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
  const title = instance.kind === 'ready' ? instance.value.name : 'Account'
  return (
    <Screen title={title} crumbs={[['Accounts', '/instances']]}>
      <Loaded of={instance}>
        {(value) => <Detail instance={value} done={done} reload={instance.reload} />}
      </Loaded>
    </Screen>
  )
}

function Detail(props: {
  readonly instance: Instance
  readonly done: string | null
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
      const answer = await call<CheckAnswer>('POST', `${path}/check`)
      setNews(resultInWords(answer))
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
      <section className={`notice state ${STATES[instance.state].tone}`} aria-label="State">
        <p>
          <StateBadge state={instance.state} /> {stateInWords(instance)}
        </p>
        {instance.state_reason === null ? null : (
          <p className="fine">
            {instance.state_reason.detail} · since <Time at={instance.state_reason.since} />
            {instance.state_reason.upstream_status === null
              ? null
              : ` · the third party answered ${instance.state_reason.upstream_status}`}
          </p>
        )}
      </section>
      <div className="actions">
        <Link
          className={needsUser ? 'button' : 'button primary'}
          to={addressOf('/explorer', { instance: instance.id })}
        >
          Explore
        </Link>
        <Button disabled={busy || !instance.enabled} onClick={() => void check()}>
          {busy ? 'Working …' : 'Check'}
        </Button>
        <Link
          className={needsUser ? 'button primary' : 'button'}
          to={addressOf(`/instances/${instance.id}/reconnect`)}
        >
          Re-authenticate
        </Link>
        <Button disabled={busy} onClick={() => setAsking('link')}>
          Make a connect link
        </Button>
        <Button disabled={busy} onClick={() => setAsking('rename')}>
          Rename
        </Button>
        <Button disabled={busy} onClick={() => void change({ enabled: !instance.enabled })}>
          {instance.enabled ? 'Disable' : 'Enable'}
        </Button>
        <Button className="danger" disabled={busy} onClick={() => setAsking('delete')}>
          Delete
        </Button>
      </div>
      <div aria-live="polite" className="news">
        {news === null ? null : (
          <div className="notice">
            <p>{news}</p>
          </div>
        )}
      </div>
      {asking === null ? <ProblemNotice problem={problem} /> : null}
      <InstanceFacts instance={instance} changeSettings={() => setAsking('settings')} />
      <p>
        <Link to={addressOf('/activity', { instance: instance.id })}>Latest operations</Link> ·{' '}
        <Link to={addressOf('/sync', { instance: instance.id })}>Synchronization</Link> ·{' '}
        <Link to={addressOf('/search', { instance: instance.id })}>Search</Link>
      </p>
      {asking === 'delete' ? (
        <Question
          title={`Delete ${instance.name}?`}
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

function InstanceFacts(props: {
  readonly instance: Instance
  readonly changeSettings: () => void
}): ReactNode {
  const { instance } = props
  const { granted_scopes: scopes, next_refresh_at: nextRefresh } = instance
  const syncs = useGet<All<LastSync>>('/last-syncs', { connector_ids: instance.id })
  const last = syncs.kind === 'ready' ? (syncs.value.data[0] ?? null) : null
  const config = Object.entries(instance.config).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const settings =
    config.length === 0 ? (
      <span className="quiet">none</span>
    ) : (
      <ul className="plain-list">
        {config.map(([name, value]) => (
          <li key={name}>
            {name}: <code>{typeof value === 'string' ? value : writeJson(value)}</code>
          </li>
        ))}
      </ul>
    )
  return (
    <Facts
      of={[
        ['Id', <Id of={instance.id} label="Copy the id" />],
        ['Connector', `${instance.connector_type} ${instance.connector_version}`],
        ['User', instance.external_user_id],
        ['Authentication', instance.auth_method],
        ['Granted scopes', scopes === null ? null : scopes.join(', ')],
        [
          'Settings',
          <>
            {settings}{' '}
            <Button className="small" onClick={props.changeSettings}>
              Change the settings
            </Button>
          </>,
        ],
        ['Created', <Time at={instance.created_at} />],
        ['Changed', <Time at={instance.updated_at} />],
        ['Last sync', <LastSyncCell instanceId={instance.id} last={last} />],
        ['Last check', <Time at={instance.last_checked_at} />],
        ['Next token refresh', nextRefresh === null ? null : <Time at={nextRefresh} />],
      ]}
    />
  )
}

function resultInWords({ result, took_ms: tookMs, error }: CheckAnswer): string {
  const because = error === null ? '' : ` ${error.detail}.`
  const words: Readonly<Record<CheckAnswer['result'], string>> = {
    ok: `The third party accepted the credentials in ${tookMs} ms.`,
    refused: `The third party refused the credentials.${because} Choose Re-authenticate.`,
    inconclusive: `The third party gave no clear answer.${because} The state stays as it is; check again later.`,
  }
  return words[result]
}
