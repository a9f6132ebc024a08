// Host apps: made, changed, disabled, and their secrets, which are shown once.
import { type ReactNode, useState } from 'react'
import type {
  Application,
  Applications as Found,
  ApplicationSecret,
  LogFigures,
} from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { FieldProblems, problemsBelow, shownBelow } from '../../parts/field-problems.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { Button, onSubmit, TextField } from '../../parts/controls.tsx'
import { Dialog, Question } from '../../parts/dialog.tsx'
import { Table } from '../../parts/table.tsx'
import { CodeView } from '../../parts/code-view.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Id, Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { useSession } from '../../session.ts'
import { AllowedAddressesField, linesOf, useAllowedAddresses } from './allowed-addresses.tsx'
import { lastUse, NewSecret, SecretEnd, SecretFacts } from './application-secret.tsx'
import { auditAddress } from './audit-filter.tsx'
import { LogoField } from './logo-field.tsx'
import { RefusedUses } from './refused-uses.tsx'

const PATH = '/settings/applications'

type Asked = { readonly kind: 'change' | 'rotate' | 'disable'; readonly of: Application }

export function Applications(words: CardWords): ReactNode {
  const applications = useGet<Found>(PATH)
  const { client_id: own } = useSession()
  const [asked, setAsked] = useState<Asked | { readonly kind: 'new' } | null>(null)
  const [secret, setSecret] = useState<ApplicationSecret | null>(null)
  const task = useTask()
  const close = (): void => setAsked(null)
  const current = (of: Application): Application =>
    applications.last?.data.find(({ client_id: id }) => id === of.client_id) ?? of
  const then = (work: () => Promise<void>): void =>
    void task.run(async () => {
      await work()
      close()
      applications.reload()
    })
  const one = (application: Application): string =>
    `${PATH}/${encodeURIComponent(application.client_id)}`
  const isOwn = asked !== null && asked.kind !== 'new' && asked.of.client_id === own
  const ends = isOwn ? ' You are signed in with it, and will be signed out.' : ''
  return (
    <Card
      {...words}
      actions={
        <Button className="primary" onClick={() => setAsked({ kind: 'new' })}>
          Add an application
        </Button>
      }
    >
      <Loaded of={applications}>
        {({ data }) => (
          <Table
            label="Known applications"
            className="two-lines"
            rows={data}
            keyOf={({ client_id: id }) => id}
            columns={[
              {
                title: 'Name',
                kind: 'name',
                className: 'settings-cell settings-name row-name',
                cell: (row) => (
                  <>
                    <span className="settings-two-lines" title={plainText(row.name)}>
                      {plainText(row.name)}
                    </span>
                    <p className="fine">
                      <Id
                        of={row.client_id}
                        label={`Copy the client id of ${plainText(row.name)}`}
                      />{' '}
                      · made <Time at={row.created_at} />
                    </p>
                    {row.redirect_urls.map((url) => (
                      <p className="fine" key={url}>
                        Redirects to {plainText(url)}
                      </p>
                    ))}
                    {row.addresses.length === 0 ? null : (
                      <p className="fine">
                        May be used from {row.addresses.map((each) => plainText(each)).join(', ')}
                      </p>
                    )}
                    <SecretFacts
                      of={row}
                      maker={data.find(({ client_id: id }) => id === row.secret.made_by)?.name}
                      busy={task.busy}
                      endEarlier={() => then(() => call('POST', `${one(row)}/end-secrets`))}
                    />
                    <RefusedUses of={row} />
                    <p className="fine">
                      <Link to={addressOf('/logs', { text: row.client_id })}>Log entries</Link> ·{' '}
                      <Link to={auditAddress({ actor: row.client_id })}>What it did</Link> ·{' '}
                      <Link to={auditAddress({ target: row.client_id })}>
                        Its secrets, tokens and changes
                      </Link>
                    </p>
                  </>
                ),
              },
              {
                title: 'State',
                className: 'row-result',
                cell: ({ disabled_at: at }) =>
                  at === null ? (
                    <span className="badge good">Enabled</span>
                  ) : (
                    <span className="badge off">Disabled</span>
                  ),
              },
              {
                title: 'Actions',
                kind: 'unseen',
                className: 'settings-wide',
                cell: (row) => (
                  <div className="line settings-row">
                    <Button className="small" onClick={() => setAsked({ kind: 'change', of: row })}>
                      Change
                    </Button>
                    <Button className="small" onClick={() => setAsked({ kind: 'rotate', of: row })}>
                      New secret
                    </Button>
                    {row.disabled_at === null ? (
                      <Button
                        className="small"
                        onClick={() => {
                          // What it did last decides: not as the page had it.
                          applications.reload()
                          setAsked({ kind: 'disable', of: row })
                        }}
                      >
                        Disable
                      </Button>
                    ) : (
                      <Button
                        className="small"
                        disabled={task.busy}
                        onClick={() =>
                          then(() => call('PATCH', one(row), { body: { enabled: true } }))
                        }
                      >
                        Enable
                      </Button>
                    )}
                  </div>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {asked === null ? <ProblemNotice problem={task.problem} /> : null}
      {asked?.kind === 'new' || asked?.kind === 'change' ? (
        <ApplicationForm
          before={asked.kind === 'change' ? asked.of : null}
          path={asked.kind === 'change' ? one(asked.of) : null}
          address={applications.last?.address ?? null}
          isOwn={isOwn}
          task={task}
          close={close}
          save={(body) =>
            then(async () => {
              if (asked.kind === 'change') await call('PATCH', one(asked.of), { body })
              else setSecret(await call<ApplicationSecret>('POST', PATH, { body }))
            })
          }
        />
      ) : null}
      {asked?.kind === 'rotate' ? (
        <NewSecret
          of={asked.of}
          ends={ends}
          task={task}
          close={close}
          make={(body) =>
            then(async () => {
              const path = `${one(asked.of)}/rotate-secret`
              setSecret(await call<ApplicationSecret>('POST', path, { body }))
            })
          }
        />
      ) : null}
      {asked?.kind === 'disable' ? (
        <Question
          title={`Disable ${plainText(asked.of.name)}?`}
          close={close}
          task={task}
          answers={[
            {
              words: 'Disable',
              look: 'danger',
              act: () => then(() => call('PATCH', one(asked.of), { body: { enabled: false } })),
            },
          ]}
        >
          <p>
            All its tokens, connect links and sessions at the console end, and it gets no others
            until it is enabled: its calls are refused, and so are those of its users and agents.
            Accounts, syncs and webhooks go on.{ends}
          </p>
          <LastDay of={current(asked.of)} />
        </Question>
      ) : null}
      {secret === null ? null : (
        <Dialog title="The secret, once" close={() => setSecret(null)} isFirm>
          <p>
            Keep it now: it is shown only here. It belongs to the client id{' '}
            <Id of={secret.client_id} label="Copy the client id" />.
          </p>
          <CodeView text={secret.client_secret} label="secret" />
          <div className="actions">
            <Button className="primary" onClick={() => setSecret(null)}>
              I have kept it
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  )
}

/** What it did in the last day would be refused. */
function LastDay({ of }: { readonly of: Application }): ReactNode {
  const figures = useGet<LogFigures>('/logs/summary', { text: of.client_id, buckets: '1' })
  const used = lastUse(of)
  return (
    <p>
      {used === null ? (
        'None of the secrets it has now was used yet.'
      ) : (
        <>
          It used its secret last <Time at={used} />.
        </>
      )}{' '}
      {figures.kind === 'ready' ? dayWords(figures.value) : null}
    </p>
  )
}

function dayWords({ kinds, counted_from: from }: LogFigures): string {
  const calls = kinds.reduce((sum, each) => sum + each.calls, 0)
  const failures = kinds.reduce((sum, each) => sum + each.failures, 0)
  if (calls === 0)
    return 'The logs have no operation of it in the last 24 hours; they do not have its other calls.'
  const many = `${from === null ? '' : 'at least '}${calls.toLocaleString('en')}`
  return `In the last 24 hours the logs have ${many} ${calls === 1 ? 'entry' : 'entries'} of it, of which ${failures.toLocaleString('en')} failed.`
}

/** Those that tell their problems themselves. */
const FIELDS = ['/redirect_urls', '/addresses', '/accent']

function ApplicationForm(props: {
  readonly before: Application | null
  /** Of the application; null: it is a new one. */
  readonly path: string | null
  /** From where people come. */
  readonly address: string | null
  /** They are signed in with it. */
  readonly isOwn: boolean
  readonly task: ReturnType<typeof useTask>
  readonly close: () => void
  readonly save: (body: {
    name: string
    redirect_urls: readonly string[]
    addresses: readonly string[]
    logo?: string | null
    accent?: string | null
    secret_expires_at?: string
  }) => void
}): ReactNode {
  const { before, path, task } = props
  const [name, setName] = useState(before?.name ?? '')
  const [urls, setUrls] = useState(before?.redirect_urls.join('\n') ?? '')
  const [logo, setLogo] = useState<string | null>()
  const [accent, setAccent] = useState(before?.accent ?? '')
  const [end, setEnd] = useState('')
  const allowed = useAllowedAddresses(before?.addresses ?? [], task)
  const title = before === null ? 'Add an application' : `Change ${plainText(before.name)}`
  return (
    <Dialog title={title} close={props.close}>
      <form
        onSubmit={onSubmit(() =>
          allowed.ask(() =>
            props.save({
              name: name.trim(),
              redirect_urls: linesOf(urls),
              addresses: linesOf(allowed.text),
              ...(logo === undefined ? {} : { logo }),
              ...(before === null ? {} : { accent: accent.trim() === '' ? null : accent.trim() }),
              ...(end === '' ? {} : { secret_expires_at: end }),
            }),
          ),
        )}
      >
        <TextField
          label="Name"
          about="What people call it; shown on pages that ask end users."
          required
          maxLength={255}
          value={name}
          change={setName}
        />
        <label>
          Redirect addresses, one per line
          <textarea
            rows={4}
            value={urls}
            onChange={(event) => setUrls(event.target.value)}
            spellCheck={false}
            aria-invalid={problemsBelow(task.problem, '/redirect_urls').length > 0}
          />
        </label>
        <FieldProblems of={task.problem} at="/redirect_urls" />
        <p className="fine">Where a consent may end. They are compared character by character.</p>
        <AllowedAddressesField
          of={allowed}
          problem={task.problem}
          own={props.address}
          isOwn={props.isOwn}
        />
        {before === null || path === null ? (
          <SecretEnd end={end} change={setEnd} />
        ) : (
          <>
            <LogoField stored={before.logo === null ? null : `${path}/logo`} change={setLogo} />
            <TextField
              label="Colour on the connect page"
              about="Of buttons and links, such as #0f766e; empty: that of the page."
              value={accent}
              change={setAccent}
            />
            <FieldProblems of={task.problem} at="/accent" />
          </>
        )}
        <ProblemNotice problem={task.problem} shown={shownBelow(task.problem, FIELDS)} />
        <div className="actions">
          <Button onClick={props.close}>Cancel</Button>
          <button
            className={allowed.isMissing && props.isOwn ? 'danger' : 'primary'}
            disabled={task.busy || name.trim() === ''}
          >
            {before === null ? 'Add the application' : 'Save'}
            {allowed.isMissing ? ' without my address' : ''}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
