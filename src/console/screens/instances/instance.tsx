// One account: its state and what to do, how fresh its copies are, its facts, and its settings.
import { type ReactNode, useEffect, useState } from 'react'
import { STATES } from '../../../display/account-states.ts'
import type { ConnectorDetail, Instance, LogPage } from '../../api/answers.ts'
import { writeJson } from '../../api/json-text.ts'
import { fieldWords } from '../../../display/field-words.ts'
import { firstCause, sharedFailures } from '../../../display/sync-failures.ts'
import { propertiesOf, readNode } from '../../form/schema-node.ts'
import { useGet } from '../../api/use-answer.ts'
import { useNews } from '../../api/use-news.ts'
import { useTick } from '../../api/fresh.ts'
import { News, Skeleton } from '../../parts/answer.tsx'
import { Button } from '../../parts/controls.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { ManifestChange } from '../../parts/manifest-change.tsx'
import { VIEWS } from '../../parts/account-nav.tsx'
import { NotThere } from '../../parts/not-there.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { stateInWords } from '../../parts/state-badge.tsx'
import { CopyButton, ExactTimes, Facts, Id, Lasting, Time } from '../../parts/values.tsx'
import { whoActs } from '../../../display/who-acts.ts'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { AccountAccess } from './access.tsx'
import { EnableButton } from './account-actions.tsx'
import { OneAccount } from './account-screen.tsx'
import { Activity } from './activity.tsx'
import { FailingCopies, lastWell } from '../sync/failing-copies.tsx'
import { isFailing, isUnderWay } from '../sync/sync-states.ts'
import { Changes } from './changes.tsx'
import { Copies, type CopiesAnswer, useCopies } from './copies.tsx'
import { LastCheck, useUnansweredCheck } from './last-check.tsx'
import { OtherAccounts } from './other-accounts.tsx'
import { Pending } from './pending.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import './instances.css'

/** What was done on another screen that led here, by the word in the query. */
const DONE: Readonly<Record<string, string>> = {
  reconnected: 'Re-authenticated: the new credentials are in place.',
}

interface OfAccount {
  readonly instance: Instance
  readonly reload: () => void
}

export function InstanceScreen({ id, query }: ScreenProps): ReactNode {
  const [done] = useState(() => DONE[query.get('done') ?? ''] ?? null)
  useEffect(() => {
    // It is told once, not with every reload.
    if (done !== null) window.history.replaceState(null, '', addressOf(`/instances/${id}`))
  }, [done, id])
  const asked = query.get('view') ?? 'overview'
  const view = asked === 'settings' ? asked : 'overview'
  const other = Object.entries(VIEWS).find(([name]) => name === asked && name !== view)
  useEffect(() => {
    // The other tabs have addresses of their own.
    if (other !== undefined) goTo(other[1][1](id), { replace: true })
  }, [asked, id])
  return (
    <OneAccount id={id} view={view}>
      {(instance, reload) =>
        view === 'settings' ? (
          <Settings instance={instance} reload={reload} />
        ) : (
          <ExactTimes>
            {asked === view || other !== undefined ? null : (
              <NotThere what="tab" value={asked} shown="the overview is shown" />
            )}
            <News of={done} />
            <Overview instance={instance} reload={reload} />
          </ExactTimes>
        )
      }
    </OneAccount>
  )
}

function Overview({ instance, reload }: OfAccount): ReactNode {
  const copies = useCopies(instance.id)
  const toldCheck = useToldCheck(instance)?.check.id ?? null
  return (
    <div className="sides account-overview">
      <div>
        <State instance={instance} copies={copies} reload={reload} />
        <OtherAccounts instance={instance} failsWith={failsWith(copies)} />
        <Copies instance={instance} of={copies} />
        <Activity
          instance={instance}
          waits={copies.kind === 'loading'}
          isReading={copies.kind === 'ready' && copies.value.data.some(isUnderWay)}
          failing={failingOf(copies)}
          toldCode={instance.state_reason?.code ?? null}
          toldCheck={toldCheck}
        />
      </div>
      <div>
        <AccountAccess instance={instance} />
        <Details instance={instance} />
        <Changes id={instance.id} />
      </div>
    </div>
  )
}

/** Entities whose copies fail, as far as they are known. */
function failingOf(copies: CopiesAnswer): readonly string[] {
  if (copies.kind !== 'ready') return []
  return copies.value.data.filter(isFailing).map(({ entity }) => entity)
}

/** What is told of it first; null: nothing fails, or is known to. */
function failsWith(copies: CopiesAnswer): string | null {
  if (copies.kind !== 'ready') return null
  return firstCause(sharedFailures(copies.value.data.filter(isFailing)))?.cause.code ?? null
}

/** What is wrong comes first: with the account, or else with its copies, whatever its credentials are worth. */
function State(props: OfAccount & { readonly copies: CopiesAnswer }): ReactNode {
  const { instance, copies, reload } = props
  const isSynchronized = STATES[instance.state].isSynchronized
  const failing = (
    <FailingCopies
      instance={instance}
      of={copies.kind === 'ready' ? copies.value.data : []}
      told={isSynchronized ? null : instance.state_reason}
    >
      <Link to={addressOf('/sync', { instance: instance.id })}>Each of them</Link>
    </FailingCopies>
  )
  if (!isSynchronized)
    return (
      <>
        <Credentials instance={instance} copies={copies} reload={reload} />
        {failing}
      </>
    )
  // Told together, so that nothing moves once the copies are known.
  if (copies.kind === 'loading') return <Skeleton lines={2} />
  return (
    <>
      {failing}
      <Credentials instance={instance} copies={copies} reload={reload} />
    </>
  )
}

function Credentials(props: OfAccount & { readonly copies: CopiesAnswer }): ReactNode {
  const { instance, copies, reload } = props
  const { state, state_reason: reason, last_checked_at: checkedAt } = instance
  const who = reason && whoActs(reason.code)
  return (
    <section className={`notice state ${STATES[state].tone}`} aria-label="State">
      <p>{stateInWords(instance)}</p>
      {state === 'disabled' ? <EnableButton instance={instance} done={reload} /> : null}
      {reason === null ? null : (
        <p className="fine">
          {reason.detail} · <Lasting since={reason.since} />
          {reason.upstream_status === null
            ? null
            : ` · the third party answered ${reason.upstream_status}`}{' '}
          <ErrorCode of={reason.code} />
          <FailedEntry instance={instance.id} of={reason} />
        </p>
      )}
      {state === 'active' || who === null ? null : <p className="fine">Who acts: {who}.</p>}
      {state === 'active' || reason === null || copies.kind !== 'ready' ? null : (
        <ManifestChange
          of={{
            connectorType: instance.connector_type,
            version: instance.connector_version,
            code: reason.code,
            since: reason.since,
            wellAt: lastWell(copies.value.data),
            madeAt: instance.created_at,
          }}
        />
      )}
      {state === 'pending' && reason === null ? (
        <Pending instance={instance} copies={copies} />
      ) : null}
      {state !== 'active' || checkedAt === null ? null : (
        <p className="fine">
          Last accepted in a check <Time at={checkedAt} />
        </p>
      )}
      {state === 'pending' ? null : <Unanswered of={instance} />}
    </section>
  )
}

/** So long it matters more than what calls and syncs have met since. */
const TOLD_MS = 3_600_000

/** States in which such a check is told; a pending account waits for one that is answered. */
const TOLD_IN: readonly Instance['state'][] = ['active', 'auth_error', 'refresh_unknown']

/** The check that is told with the state of an account; null: none is. */
function useToldCheck(instance: Instance): ReturnType<typeof useUnansweredCheck> {
  const { state, state_reason: reason } = instance
  const unanswered = useUnansweredCheck(instance)
  useTick()
  if (unanswered === null) return null
  const isLate = Date.now() - Date.parse(unanswered.check.at) > TOLD_MS
  const isTold = state === 'pending' ? reason === null : TOLD_IN.includes(state) && !isLate
  return isTold ? unanswered : null
}

/** A check that says nothing of the credentials, next to what is known of them. */
function Unanswered({ of: instance }: { readonly of: Instance }): ReactNode {
  const told = useToldCheck(instance)
  return told === null ? null : <LastCheck instance={instance.id} of={told} />
}

/** What failed has ended a moment before or after the state changed. */
const [BEFORE_MS, AFTER_MS] = [15_000, 60_000]

/** The way to the entry of the logs whose failure changed the state; nothing where it is not kept. */
function FailedEntry(props: {
  readonly instance: string
  readonly of: NonNullable<Instance['state_reason']>
}): ReactNode {
  const { instance, of } = props
  const since = Date.parse(of.since)
  const query = {
    connector_id: instance,
    status: 'failed',
    from: new Date(since - BEFORE_MS).toISOString(),
    to: new Date(since + AFTER_MS).toISOString(),
  }
  const answer = useGet<LogPage>('/logs', query, { kept: true })
  const entries = answer.kind === 'ready' ? answer.value.data : []
  // The newest is first.
  const entry = entries.findLast(({ code }) => code === of.code) ?? entries.at(-1)
  return entry === undefined ? null : (
    <>
      {' · '}
      <Link to={addressOf('/logs', { instance, entry: entry.id })}>What failed, in the logs</Link>
    </>
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
          ['Connector', <Connector of={instance} />],
          ['Server', instance.server_url === undefined ? null : <Server of={instance} />],
          [
            'Authentication',
            instance.auth_method === null ? null : (
              <MethodTitle type={instance.connector_type} method={instance.auth_method} />
            ),
          ],
          ['Last check with an answer', <Time at={instance.last_checked_at} />],
          ['Created', <Time at={instance.created_at} />],
          ['Last edited', <Time at={instance.updated_at} />],
        ]}
      />
    </section>
  )
}

/** The version that serves its calls, and the one that it was made with where that is another one. */
function Connector({ of }: { readonly of: Instance }): ReactNode {
  const { connector_type: type, connector_version: made, served_version: served } = of
  if (served === null)
    return (
      <>
        {type} {made} <span className="fault">no version of its major is loaded</span>
      </>
    )
  if (served === made) return `${type} ${made}`
  return (
    <>
      {type} {served} <span className="quiet">serves it; it was made with {made}</span>
    </>
  )
}

function Server({ of: { server_url: url } }: { readonly of: Instance }): ReactNode {
  if (url === undefined) return 'the third party’s own'
  return (
    <>
      <Id of={url} label="Copy the address of the server" />{' '}
      <span className="quiet">instead of the third party’s</span>
    </>
  )
}

/** As high as a line of words. */
const ROOM = '\u00A0'

/** What the connector calls a method; its name where that is not told. */
function MethodTitle(props: { readonly type: string; readonly method: string }): ReactNode {
  const path = `/connectors/${encodeURIComponent(props.type)}`
  const answer = useGet<ConnectorDetail>(path, {}, { kept: true })
  if (answer.kind === 'loading') return ROOM
  const methods = answer.last?.auth_methods
  return methods?.find(({ name }) => name === props.method)?.title ?? props.method
}

function Settings(props: OfAccount): ReactNode {
  const { instance, reload } = props
  const [isOpen, setOpen] = useState(false)
  const [news, setNews] = useNews<string | null>(null)
  return (
    <>
      <News of={news} />
      <section className="part" aria-labelledby="of-account">
        <h2 id="of-account">Account</h2>
        <Facts
          of={[
            ['Name', plainText(instance.name)],
            ['User', plainText(instance.external_user_id)],
            ['Connector', <Connector of={instance} />],
            ['Server', <Server of={instance} />],
            [
              'Credentials',
              instance.auth_method === null ? (
                'none'
              ) : (
                <>
                  <MethodTitle type={instance.connector_type} method={instance.auth_method} />{' '}
                  <span className="quiet">kept encrypted, and never shown</span>
                </>
              ),
            ],
          ]}
        />
        <p className="fine">
          <Link needs="connecting" to={addressOf(`/instances/${instance.id}/reconnect`)}>
            Re-authenticate
          </Link>{' '}
          enters other credentials, and keeps the account with its copies. Its name is changed, and
          it is switched off or deleted, by the menu ⋯ above.
        </p>
      </section>
      <section className="part" aria-labelledby="of-connector">
        <h2 id="of-connector">Settings of the connector</h2>
        <ConfigFacts of={instance} />
        <div className="actions">
          <Button needs="connecting" onClick={() => setOpen(true)}>
            Change the settings
          </Button>
        </div>
      </section>
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

/** What is set, by the words and in the order of the form that it was entered in. */
function ConfigFacts({
  of: { connector_type: type, config },
}: {
  readonly of: Instance
}): ReactNode {
  const path = `/connectors/${encodeURIComponent(type)}`
  const answer = useGet<ConnectorDetail>(path, {}, { kept: true })
  const names = Object.keys(config)
  if (names.length === 0) return <p className="quiet">No settings are made.</p>
  if (answer.kind === 'loading') return <Skeleton lines={2} />
  const fields = propertiesOf(answer.last?.config_schema ?? {})
  const order = new Map(fields.map(([name], at) => [name, at]))
  const schemas = new Map(fields)
  const placeOf = (name: string): number => order.get(name) ?? fields.length
  return (
    <Facts
      of={names
        .toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
        .map((name) => {
          const { description } = readNode(schemas.get(name), answer.last?.config_schema ?? {})
          const value = config[name] ?? null
          return [
            fieldWords(name, description).label,
            <>
              <code>{typeof value === 'string' ? plainText(value) : writeJson(value)}</code>{' '}
              <span className="quiet">{name}</span>
            </>,
          ] as const
        })}
    />
  )
}
