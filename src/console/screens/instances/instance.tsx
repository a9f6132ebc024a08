// One account: its state and what to do, how fresh its copies are, its facts, and its settings.
import { type ReactNode, useEffect, useState } from 'react'
import type { All, ConnectorDetail, Instance, SyncStatus } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { writeJson } from '../../api/json-text.ts'
import { useEvery, useGet } from '../../api/use-answer.ts'
import { News } from '../../parts/answer.tsx'
import { Button } from '../../parts/controls.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { stateInWords, STATES } from '../../parts/state-badge.tsx'
import { CopyButton, ExactTimes, Facts, Id, Time } from '../../parts/values.tsx'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { shownState } from '../sync/sync-states.ts'
import { AccountAccess } from './access.tsx'
import { OneAccount } from './account-screen.tsx'
import { Activity } from './activity.tsx'
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
  const view = query.get('view') === 'settings' ? 'settings' : 'overview'
  return (
    <OneAccount id={id} view={view}>
      {(instance, reload) =>
        view === 'settings' ? (
          <Settings instance={instance} reload={reload} />
        ) : (
          <ExactTimes>
            <News of={done} />
            <Overview instance={instance} />
          </ExactTimes>
        )
      }
    </OneAccount>
  )
}

function Overview({ instance }: { readonly instance: Instance }): ReactNode {
  return (
    <div className="sides account-overview">
      <div>
        <State instance={instance} />
        <Freshness instance={instance} />
        <Activity id={instance.id} />
      </div>
      <div>
        <AccountAccess instance={instance} />
        <Details instance={instance} />
      </div>
    </div>
  )
}

function State({ instance }: { readonly instance: Instance }): ReactNode {
  const { state_reason: reason } = instance
  return (
    <section className={`notice state ${STATES[instance.state].tone}`} aria-label="State">
      <p>{stateInWords(instance)}</p>
      {reason === null ? null : (
        <p className="fine">
          {reason.detail} · since <Time at={reason.since} />
          {reason.upstream_status === null
            ? null
            : ` · the third party answered ${reason.upstream_status}`}
        </p>
      )}
    </section>
  )
}

function Details({ instance }: { readonly instance: Instance }): ReactNode {
  return (
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
            {STATES[instance.state].isSynchronized
              ? `${failing} of ${data.length} ${data.length === 1 ? 'copy fails' : 'copies fail'}. `
              : `All are stopped; ${failing} had failed. `}
            <Link to={addressOf('/sync', { instance: instance.id })}>
              {STATES[instance.state].isSynchronized ? 'When they are tried next' : 'More'}
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

function Settings(props: { readonly instance: Instance; readonly reload: () => void }): ReactNode {
  const { instance, reload } = props
  const [isOpen, setOpen] = useState(false)
  const [news, setNews] = useState<string | null>(null)
  const config = Object.entries(instance.config).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <>
      <News of={news} />
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
        <Button onClick={() => setOpen(true)}>Change the settings</Button>
      </div>
      {isOpen ? (
        <SettingsDialog
          instance={instance}
          close={() => setOpen(false)}
          done={() => {
            setOpen(false)
            setNews('The settings are changed.')
            reload()
          }}
        />
      ) : null}
    </>
  )
}
