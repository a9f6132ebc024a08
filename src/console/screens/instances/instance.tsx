// One instance: its state in words, its facts, and what can be done with it.
import { type ReactNode, useEffect, useState } from 'react'
import type { CheckAnswer, Instance, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { writeJson } from '../../api/json-text.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { CopyButton } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Screen } from '../../parts/screen.tsx'
import { StateBadge, stateInWords, STATES } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { addressOf, goTo } from '../../place.ts'
import type { ScreenProps } from '../screen-entry.ts'
import { ConnectLinkDialog } from './connect-link-dialog.tsx'
import { instancePath } from './instance-path.ts'
import { rememberAccount } from './last-account.ts'
import { LastSyncCell } from './last-sync-cell.tsx'
import { SettingsDialog } from './settings-dialog.tsx'

/** What was done on another screen that led here, by the word in the query. */
const DONE: Readonly<Record<string, string>> = {
  reconnected: 'Re-authenticated: the new credentials are in place.',
}

export function InstanceScreen({ parts, query }: ScreenProps): ReactNode {
  const id = parts['id'] ?? ''
  const [done] = useState(() => DONE[query.get('done') ?? ''] ?? null)
  useEffect(() => {
    // It is told once, not with every reload.
    if (done !== null) window.history.replaceState(null, '', addressOf(`/instances/${id}`))
  }, [done, id])
  const instance = useAnswer(id, (signal) => call<Instance>('GET', instancePath(id), { signal }))
  const title = instance.kind === 'ready' ? instance.value.name : 'Instance'
  return (
    <Screen
      title={title}
      above={
        <p className="crumbs">
          <Link to={addressOf('/instances')}>Instances</Link>
        </p>
      }
    >
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
  const { busy, problem, run } = useDeed()
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
        <button type="button" disabled={busy || !instance.enabled} onClick={() => void check()}>
          {busy ? 'Working …' : 'Check'}
        </button>
        <Link
          className={needsUser ? 'button primary' : 'button'}
          to={addressOf(`/instances/${instance.id}/reconnect`)}
        >
          Re-authenticate
        </Link>
        <button type="button" disabled={busy} onClick={() => setAsking('link')}>
          Make a connect link
        </button>
        <button type="button" disabled={busy} onClick={() => setAsking('rename')}>
          Rename
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={() => void change({ enabled: !instance.enabled })}
        >
          {instance.enabled ? 'Disable' : 'Enable'}
        </button>
        <button
          type="button"
          className="danger"
          disabled={busy}
          onClick={() => setAsking('delete')}
        >
          Delete
        </button>
      </div>
      <div aria-live="polite" className="news">
        {news === null ? null : (
          <div className="notice">
            <p>{news}</p>
          </div>
        )}
      </div>
      {asking === null ? <ProblemNotice problem={problem} /> : null}
      <Facts instance={instance} changeSettings={() => setAsking('settings')} />
      <p>
        <Link to={addressOf('/activity', { instance: instance.id })}>Latest operations</Link> ·{' '}
        <Link to={addressOf('/sync', { instance: instance.id })}>Synchronization</Link> ·{' '}
        <Link to={addressOf('/search', { instance: instance.id })}>Search</Link>
      </p>
      {asking === 'delete' ? (
        <Dialog title={`Delete ${instance.name}?`} close={() => setAsking(null)}>
          <p>
            The credentials are erased at once, the copy of the data after that. This cannot be
            undone. Nothing is changed at the third party.
          </p>
          <ProblemNotice problem={problem} />
          <div className="actions">
            <button type="button" onClick={() => setAsking(null)}>
              Keep it
            </button>
            <button type="button" className="danger" disabled={busy} onClick={() => void remove()}>
              Delete the instance
            </button>
          </div>
        </Dialog>
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
          busy={busy}
          close={() => setAsking(null)}
          save={(name) => void change({ name })}
        >
          <ProblemNotice problem={problem} />
        </Rename>
      ) : null}
    </>
  )
}

function Rename(props: {
  readonly name: string
  readonly busy: boolean
  readonly close: () => void
  readonly save: (name: string) => void
  readonly children: ReactNode
}): ReactNode {
  const [name, setName] = useState(props.name)
  return (
    <Dialog title="Rename" close={props.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          props.save(name.trim())
        }}
      >
        <label>
          Name
          <input required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        {props.children}
        <div className="actions">
          <button type="button" onClick={props.close}>
            Cancel
          </button>
          <button className="primary" disabled={props.busy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Facts(props: {
  readonly instance: Instance
  readonly changeSettings: () => void
}): ReactNode {
  const { instance } = props
  const config = Object.entries(instance.config).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const syncs = useAnswer(instance.id, (signal) =>
    call<{ readonly data: readonly LastSync[] }>('GET', '/last-syncs', {
      query: { connector_ids: instance.id },
      signal,
    }),
  )
  return (
    <dl className="facts">
      <dt>Id</dt>
      <dd>
        <code>{instance.id}</code> <CopyButton text={instance.id} label="Copy the id" />
      </dd>
      <dt>Connector</dt>
      <dd>
        {instance.connector_type} {instance.connector_version}
      </dd>
      <dt>User</dt>
      <dd>{instance.external_user_id}</dd>
      <dt>Authentication</dt>
      <dd>{instance.auth_method}</dd>
      {instance.granted_scopes === null ? null : (
        <>
          <dt>Granted scopes</dt>
          <dd>{instance.granted_scopes.join(', ')}</dd>
        </>
      )}
      <dt>Settings</dt>
      <dd>
        {config.length === 0 ? (
          <span className="quiet">none</span>
        ) : (
          <ul className="plain-list">
            {config.map(([name, value]) => (
              <li key={name}>
                {name}: <code>{typeof value === 'string' ? value : writeJson(value)}</code>
              </li>
            ))}
          </ul>
        )}{' '}
        <button type="button" className="small" onClick={props.changeSettings}>
          Change the settings
        </button>
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={instance.created_at} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={instance.updated_at} />
      </dd>
      <dt>Last sync</dt>
      <dd>
        <LastSyncCell
          instanceId={instance.id}
          last={syncs.kind === 'ready' ? (syncs.value.data[0] ?? null) : null}
        />
      </dd>
      <dt>Last check</dt>
      <dd>
        <Time at={instance.last_checked_at} />
      </dd>
      {instance.next_refresh_at === null ? null : (
        <>
          <dt>Next token refresh</dt>
          <dd>
            <Time at={instance.next_refresh_at} />
          </dd>
        </>
      )}
    </dl>
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
