// Manifests: an editor with the linter's findings, and what the text gives: requests, answers, types, changes.
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import type {
  All,
  ConnectorSummary,
  ManifestCheck,
  ManifestDraft,
  ManifestFinding,
} from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer, useGet, useSettled } from '../../api/use-answer.ts'
import { useNews } from '../../api/use-news.ts'
import { Button, Select } from '../../parts/controls.tsx'
import { Empty, Fetched, News, ProblemNotice } from '../../parts/answer.tsx'
import { useNarrow } from '../../parts/narrow.ts'
import { NotThere } from '../../parts/not-there.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Divided } from '../../parts/divided.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { useRefusals, useSession } from '../../session.ts'
import { useObjectUrl } from '../explorer/saved-file.tsx'
import { PublishButton, Versions } from './publish.tsx'
import { Changes } from './changes.tsx'
import { Begin } from './begin.tsx'
import { DropDocument, Notes } from './drafted.tsx'
import { changesOf, discardDraft, draftedAs } from './drafts.ts'
import { ERRORS_FIRST, Findings, Types } from './manifest-views.tsx'
import { Trial } from './trial.tsx'
import './manifests.css'

/** The editor is large, and no other screen needs it. */
const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))

const REST_MS = 400
const NO_FINDINGS: readonly ManifestFinding[] = []

export function ManifestsScreen({ query }: ScreenProps): ReactNode {
  const session = useSession()
  const refusal = useRefusals()('drafting')
  const type = query.get('connector') ?? ''
  const [news, setNews] = useNews<string | null>(null)
  return (
    <Screen
      title="Manifests"
      lead={`Read and change the manifest of a connector, and see at once what it gives. ${
        session.publishes
          ? 'The service goes on with what it serves until a version is published.'
          : 'The service itself is not changed by that: it serves the file that it read at its start.'
      }`}
    >
      {refusal !== null ? (
        <Empty title="Manifests are not shown to your role">{refusal}.</Empty>
      ) : session.mode === 'production' && !session.publishes ? (
        <Empty title="Not in production">
          Start the service with --dev or --sandbox to work on manifests here, or let your
          organization publish them with TENON_PUBLISH_ORGANIZATION; tenon lint, tenon try and tenon
          types do the same on the command line.
        </Empty>
      ) : (
        <>
          <News of={news} />
          <Choice
            type={type}
            draft={query.get('draft') ?? ''}
            view={query.get('view') ?? ''}
            tell={setNews}
          />
        </>
      )}
    </Screen>
  )
}

function Choice(props: {
  readonly type: string
  readonly draft: string
  readonly view: string
  readonly tell: (words: string) => void
}): ReactNode {
  const { view, tell } = props
  const connectors = useGet<All<ConnectorSummary>>('/connectors')
  const isUnknown =
    connectors.kind === 'ready' &&
    connectors.value.data.every((each) => each.connector_type !== props.type)
  const drafted = props.draft === '' ? null : draftedAs(props.draft)
  const served = (
    <Fetched<All<ConnectorSummary>> path="/connectors">
      {({ data }) => (
        <Select
          label="Connector"
          value={props.type}
          options={[
            [
              '',
              drafted === null
                ? 'choose a connector'
                : `${props.draft.replace(/~(\d+)$/, ' ($1)')}, a draft`,
            ],
            ...data.map((each) => [each.connector_type, each.title] as const),
          ]}
          choose={(connector) => goTo(addressOf('/manifests', { connector }))}
        />
      )}
    </Fetched>
  )
  return (
    <DropDocument>
      {(box) =>
        drafted === null && (props.type === '' || isUnknown) ? (
          <>
            {props.type === '' ? null : (
              <NotThere what="connector" value={props.type} shown="a manifest can be begun below" />
            )}
            {props.draft === '' ? null : (
              <NotThere what="draft" value={props.draft} shown="what this tab has is below" />
            )}
            <Begin box={box} served={served} />
          </>
        ) : (
          <div className="pile">
            <div className="filters workbar">
              {served}
              {box}
              <Link className="button beside" to={addressOf('/manifests')}>
                New
              </Link>
            </div>
            {drafted === null ? (
              <Fetched<{ readonly text: string }>
                key={props.type}
                path={`/manifests/${encodeURIComponent(props.type)}`}
              >
                {({ text }) => (
                  <Workplace
                    view={view}
                    tell={tell}
                    name={props.type}
                    type={props.type}
                    served={text}
                  />
                )}
              </Fetched>
            ) : (
              <Workplace
                key={props.draft}
                view={view}
                tell={tell}
                name={props.draft}
                type={drafted.connector_type}
                served={drafted.text}
                report={drafted.report}
              />
            )}
          </div>
        )
      }
    </DropDocument>
  )
}

function Workplace(props: {
  /** The part that the address names. */
  readonly view: string
  /** Tells what was done, above all. */
  readonly tell: (words: string) => void
  /** The served type, or the id of the draft. */
  readonly name: string
  readonly type: string
  /** What the changes are counted from: the served text, or the draft as it was made. */
  readonly served: string
  /** Of a draft; null: it was made of the template. */
  readonly report?: ManifestDraft['report'] | null
}): ReactNode {
  const { name } = props
  const isDraft = props.report !== undefined
  const [begun, setBegun] = useState(() => ({
    text: changesOf(name, isDraft).text ?? props.served,
    round: 0,
  }))
  const [text, setText] = useState(begun.text)
  const show = (shown: string): void => {
    setText(shown)
    setBegun((before) => ({ text: shown, round: before.round + 1 }))
  }
  const settled = useSettled(text, REST_MS)
  const { publishes } = useSession()
  const [tab, setTab] = useState(
    props.view === 'versions' && publishes
      ? 'versions'
      : props.report == null
        ? 'findings'
        : 'notes',
  )
  const [goal, setGoal] = useState<{ readonly line: number; readonly column: number } | null>(null)
  useEffect(() => {
    const kept = changesOf(name, isDraft)
    if (settled === props.served) kept.forget()
    else kept.keep(settled)
  }, [settled, props.served, name, isDraft])
  const check = useAnswer(settled, (signal) =>
    call<ManifestCheck>('POST', '/manifests/check', { body: { text: settled }, signal }),
  )
  const [servedBefore, setServedBefore] = useState(props.served)
  if (servedBefore !== props.served) {
    setServedBefore(props.served)
    // Another version serves now; what was changed here stays.
    if (text === servedBefore) show(props.served)
  }
  // While the next check is under way the last one stands.
  const { last } = check
  const findings = last?.problems ?? NO_FINDINGS
  const changed = text !== props.served
  const type = last?.connector?.connector_type ?? props.type
  const published = (words: string): void => {
    props.tell(words)
    setTab('versions')
    if (isDraft) discardDraft(name)
    else changesOf(name, isDraft).forget()
    goTo(addressOf('/manifests', { connector: type, view: 'versions' }))
  }
  const { report } = props
  const isNarrow = useNarrow()
  const listed = (
    <Findings
      findings={findings}
      isPart={last?.is_part === true}
      go={({ line, column }) => setGoal({ line, column })}
    />
  )
  return (
    <Divided label="Width of the editor" keptAs="tenon.manifest-split">
      <section aria-label="Editor" className="pile">
        <div className="line summary firm">
          <p role="status" className="cut">
            {last === null ? 'Checking …' : stateOf(last)}
            {isDraft ? ' · a draft, not saved' : changed ? ' · changed here, not saved' : ''}
          </p>
          <div className="actions">
            <PublishButton
              type={type}
              text={text}
              refusal={refusalOf(last, changed)}
              isChecked={last !== null && text === settled}
              done={published}
            />
            <SaveAs type={props.type} text={text} />
            <Button className="small" disabled={!changed} onClick={() => show(props.served)}>
              Undo all changes
            </Button>
          </div>
        </div>
        {isNarrow && last !== null ? (
          <section aria-label="Findings" className="box first-findings" tabIndex={0}>
            {listed}
          </section>
        ) : null}
        <Suspense fallback={<p className="loading">Loading the editor …</p>}>
          <Editor
            id={`${props.type} ${begun.round}`}
            text={begun.text}
            change={setText}
            findings={findings}
            goal={goal}
          />
          <p className="fine editor-keys">
            Ctrl + Space shows what fits at the cursor, Ctrl + Shift + Space what the key there is
            for; Tab leaves the editor.
          </p>
        </Suspense>
      </section>
      <section aria-label="What it gives" className="pile">
        {check.kind === 'failed' ? (
          <ProblemNotice problem={check.problem} retry={check.reload} />
        ) : null}
        {last === null ? null : (
          <Tabs
            label="What it gives"
            chosen={tab}
            choose={setTab}
            tabs={{
              notes: report == null ? null : ['Notes', () => <Notes report={report} />],
              // On a phone they stand above the editor.
              findings: isNarrow ? null : [`Findings (${findings.length})`, () => listed],
              run: ['Run', () => <Trial text={settled} connector={last.connector} />],
              types: [
                'Types',
                () => (last.connector === null ? ERRORS_FIRST : <Types text={settled} />),
              ],
              changes: [
                'Changes',
                () => (
                  <Changes
                    of={last}
                    type={type}
                    begun={isDraft ? null : { type: props.type, text: props.served }}
                    text={settled}
                  />
                ),
              ],
              versions: publishes
                ? ['Versions', () => <Versions type={type} done={published} />]
                : null,
            }}
          />
        )}
      </section>
    </Divided>
  )
}

/** Why the text cannot be published, as far as it is known here. */
function refusalOf(check: ManifestCheck | null, isChanged: boolean): string | null {
  if (check === null) return null
  if (check.connector === null) return 'To publish it, correct the errors.'
  // What was unpublished, and nothing else serves, may be published as it is.
  return isChanged || check.changes === null ? null : 'To publish it, change it first.'
}

function stateOf({ problems, connector }: ManifestCheck): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const counted = [
    errors === 0 ? 'no errors' : `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`]),
  ].join(', ')
  return connector === null ? counted : `Version ${connector.version} · ${counted}`
}

function SaveAs(props: { readonly type: string; readonly text: string }): ReactNode {
  const url = useObjectUrl(
    useMemo(() => new Blob([props.text], { type: 'application/yaml' }), [props.text]),
  )
  return (
    <a className="button small" href={url} download={`${props.type}.yaml`}>
      Save as a file
    </a>
  )
}
