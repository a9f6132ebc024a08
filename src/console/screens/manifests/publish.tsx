// Publishing the text, and the versions that were published: by whom and when, which one serves; earlier ones brought back.
import { type ReactNode, useId, useState } from 'react'
import type { AuditEvent, ManifestVersion, PublishedResult } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { answers, useAnswer, useGet, useTask } from '../../api/use-answer.ts'
import { Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { actorInSentence } from '../../parts/audit-words.tsx'
import { Button, onSubmit, TextField, Tick, TurnPages } from '../../parts/controls.tsx'
import { useCursors } from '../../parts/cursors.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { useRefusals, useSession } from '../../session.ts'
import { Meaning } from './changes.tsx'

/** What is asked about: it is tried first, and done once somebody has seen what it means. */
interface Change {
  readonly title: string
  /** Of the button. */
  readonly words: string
  readonly look: 'primary' | 'danger'
  readonly takesNote?: true
  /** What was done, as a sentence. */
  readonly past: (done: PublishedResult) => string
  readonly send: (choices: Choices, signal?: AbortSignal) => Promise<PublishedResult>
}

interface Choices extends JsonObject {
  readonly accept_breaking: boolean
  readonly dry_run: boolean
}

export function PublishButton(props: {
  readonly type: string
  readonly text: string
  readonly isChecked: boolean
  /** What keeps it from being published, as a sentence; null: nothing that is known here. */
  readonly refusal: string | null
  readonly done: (words: string) => void
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const reason = useId()
  const { text, refusal } = props
  if (!useSession().publishes) return null
  return (
    <>
      {refusal === null ? null : (
        <span className="fine" id={reason}>
          {refusal}
        </span>
      )}
      <Button
        className="small primary"
        needs="publishing"
        disabled={refusal !== null || !props.isChecked}
        aria-describedby={refusal === null ? undefined : reason}
        onClick={() => setOpen(true)}
      >
        Publish …
      </Button>
      {isOpen ? (
        <ChangeDialog
          change={{
            title: `Publish ${props.type}?`,
            words: 'Publish',
            look: 'primary',
            takesNote: true,
            past: ({ version }) => `${props.type} ${version} is published.`,
            send: (choices, signal) =>
              call('POST', '/manifests', { body: { text, ...choices }, signal }),
          }}
          close={() => setOpen(false)}
          done={props.done}
        />
      ) : null}
    </>
  )
}

function ChangeDialog(props: {
  readonly change: Change
  readonly close: () => void
  readonly done: (words: string) => void
}): ReactNode {
  const { change } = props
  const trial = useAnswer(change.title, (signal) =>
    change.send({ accept_breaking: false, dry_run: true }, signal),
  )
  const [note, setNote] = useState('')
  const [accepts, setAccepts] = useState(false)
  const task = useTask()
  const isLast = (value: PublishedResult): boolean =>
    value.refusals.every(({ code }) => code === 'unconfirmed' && accepts)
  const start = (): Promise<void> =>
    task.run(async () => {
      const said = change.takesNote === true && note.trim() !== '' ? { note: note.trim() } : {}
      const result = await change.send({ ...said, accept_breaking: accepts, dry_run: false })
      await answers.invalidateQueries()
      props.close()
      props.done(`${change.past(result)} ${nowServes(result)}`)
    })
  return (
    <Dialog title={change.title} close={props.close}>
      <Loaded of={trial}>
        {(value) => (
          <form onSubmit={onSubmit(() => void start())}>
            <ul className="publish-facts">
              {factsOf(value).map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
            {value.changes === null ? null : <Meaning changes={value.changes} />}
            {value.refusals.map(({ code, detail }) =>
              code === 'unconfirmed' ? (
                <Tick
                  key={code}
                  words="Do it although running instances lose what callers rely on"
                  checked={accepts}
                  change={setAccepts}
                />
              ) : (
                <p key={code} role="alert" className="publish-refusal">
                  {detail}.
                </p>
              ),
            )}
            {change.takesNote === true ? (
              <TextField
                label="What is new"
                about="For people who look at the versions."
                maxLength={1000}
                value={note}
                change={setNote}
              />
            ) : null}
            <ProblemNotice problem={task.problem} />
            <div className="actions">
              <Button onClick={props.close}>Cancel</Button>
              <button className={change.look} disabled={task.busy || !isLast(value)}>
                {change.words}
              </button>
            </div>
          </form>
        )}
      </Loaded>
    </Dialog>
  )
}

type Named = NonNullable<PublishedResult['after']>

const ORIGINS: Readonly<Record<Named['origin'], (version: string) => string>> = {
  packaged: (version) => `${version} of the package`,
  published: (version) => `the published ${version}`,
  file: (version) => `${version} of the operator's file`,
}

function named({ version, origin }: Named): string {
  return ORIGINS[origin](version)
}

/** What it means, in sentences. */
function factsOf(result: PublishedResult): readonly string[] {
  const { connector_type: type, version, before, after, instances, warnings } = result
  const major = `major ${version.split('.')[0] ?? ''}`
  const accounts = instances === null ? 'Accounts' : `${instances} accounts`
  return [
    before === null
      ? `Nothing serves ${major} of ${type} so far${instances === 0 ? ', and no account has it' : ''}.`
      : instances === 0
        ? `No account has ${major} yet; ${named(before)} serves it.`
        : `${instances === 1 ? '1 account' : accounts} of ${major}: so far ${named(before)} serves.`,
    after === null
      ? `Then nothing serves ${major}.`
      : `Then ${named(after)} serves${instances === 0 ? ' new accounts' : ': accounts that are there at their next call, and new ones'}.`,
    ...(before === null && after !== null
      ? [
          `From then on it is offered for new accounts: in this console, by the API, and to end users on connect pages that name no connectors.`,
        ]
      : []),
    ...warnings.map((warning) => `Note: ${warning}.`),
  ]
}

/** What serves by now. */
function nowServes({ version, after }: PublishedResult): string {
  return after === null
    ? `Nothing serves major ${version.split('.')[0] ?? ''} now.`
    : `${named(after).replace(/^the/, 'The')} serves now.`
}

interface VersionPage {
  readonly data: readonly ManifestVersion[]
  readonly meta: { readonly next_cursor: string | null }
}

export function Versions(props: {
  readonly type: string
  readonly done: (words: string) => void
}): ReactNode {
  const { type } = props
  const { cursor, turns } = useCursors()
  const page = useAnswer(`${type} ${cursor ?? ''}`, (signal) =>
    call<VersionPage>('GET', '/manifests', {
      query: { connector_type: type, limit: '20', cursor },
      signal,
    }),
  )
  const [asked, setAsked] = useState<Change | null>(null)
  const { publishes } = useSession()
  const path = `/manifests/${encodeURIComponent(type)}`
  const changeOf = ({ version, current }: ManifestVersion): Change =>
    current
      ? {
          title: `Unpublish ${type} ${version}?`,
          words: 'Unpublish',
          look: 'danger',
          past: () => `${type} ${version} is unpublished.`,
          send: ({ accept_breaking: accepts, dry_run: isTrial }, signal) =>
            call('DELETE', `${path}/versions/${encodeURIComponent(version)}`, {
              query: { accept_breaking: String(accepts), dry_run: String(isTrial) },
              signal,
            }),
        }
      : {
          title: `Roll back to ${type} ${version}?`,
          words: 'Roll back',
          look: 'primary',
          past: () => `${type} ${version} is brought back.`,
          send: (choices, signal) =>
            call('POST', `${path}/rollback`, { body: { version, ...choices }, signal }),
        }
  return (
    <>
      <Loaded of={page}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="quiet">No version of {type} was published yet.</p>
          ) : (
            <>
              <Table
                label="Published versions"
                rows={data}
                keyOf={({ version }) => version}
                columns={[
                  {
                    title: 'Version',
                    kind: 'name',
                    cell: (row) => (
                      <>
                        {row.version} <State of={row} />
                      </>
                    ),
                  },
                  {
                    title: 'Published',
                    className: 'publish-words',
                    cell: (row) => (
                      <>
                        <Time at={row.published_at} /> by <Publisher of={row} />
                        {row.note === null ? null : <p className="fine">{plainText(row.note)}</p>}
                      </>
                    ),
                  },
                  {
                    title: 'Actions',
                    kind: 'unseen',
                    cell: (row) =>
                      publishes ? (
                        <Button
                          className="small publish-action"
                          needs="publishing"
                          onClick={() => setAsked(changeOf(row))}
                        >
                          {row.current ? 'Unpublish …' : 'Roll back …'}
                        </Button>
                      ) : null,
                  },
                ]}
              />
              <TurnPages words={['Newer', 'Older']} {...turns(meta.next_cursor)} />
            </>
          )
        }
      </Loaded>
      {asked === null ? null : (
        <ChangeDialog change={asked} close={() => setAsked(null)} done={props.done} />
      )}
    </>
  )
}

/** As the audit log names them, for those who may read it. */
function Publisher({ of }: { readonly of: ManifestVersion }): ReactNode {
  return useRefusals()('audit') === null ? (
    <NamedPublisher of={of} />
  ) : (
    actorInSentence(of.published_by, null)
  )
}

function NamedPublisher({ of }: { readonly of: ManifestVersion }): ReactNode {
  const query = { action: 'manifest.publish', limit: '100' }
  const log = useGet<{ readonly data: readonly AuditEvent[] }>('/audit', query, { kept: true })
  const name = log.last?.data.find(({ actor }) => actor === of.published_by)?.actor_name
  return actorInSentence(of.published_by, name ?? null)
}

const HIDDEN = {
  file: "Hidden by the operator's file",
  setting: 'Left out by the settings',
  invalid: 'Cannot be read by this version',
} as const

function State({ of }: { readonly of: ManifestVersion }): ReactNode {
  if (of.served) return <span className="badge good">Serves</span>
  if (of.hidden_by === null) return <span className="badge off">Earlier</span>
  return <span className="badge wait">{HIDDEN[of.hidden_by]}</span>
}
