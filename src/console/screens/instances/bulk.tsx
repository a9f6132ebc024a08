// What is done with several accounts at once; what became of each is told.
import { type ReactNode, type RefObject, useState } from 'react'
import type { RightName } from '../../../display/rights.ts'
import type { CheckAnswer, Instance } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { problemOf } from '../../api/problem.ts'
import { useTask } from '../../api/use-answer.ts'
import { Working } from '../../parts/answer.tsx'
import { Button } from '../../parts/controls.tsx'
import { Dialog, Question } from '../../parts/dialog.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { csvOf } from '../../parts/save-rows.ts'
import { saveText } from '../../parts/save-text.ts'
import { checkTold } from './check-told.ts'

interface BulkAction {
  readonly words: string
  readonly needs: RightName
  /** What it means for all of them, where it is asked first. */
  readonly about: string
  /** Done with one account: what is told of it, and whether that is bad news. */
  readonly act: (path: string, signal: AbortSignal) => Promise<readonly [string, boolean]>
}

const ACTIONS: readonly BulkAction[] = [
  {
    words: 'Check',
    needs: 'connecting',
    about: 'Each is checked by a call at its third party.',
    act: async (path, signal) => {
      const answer = await call<CheckAnswer>('POST', `${path}/check`, { signal })
      return [checkTold(answer), answer.result !== 'ok']
    },
  },
  {
    words: 'Synchronize',
    needs: 'syncing',
    about: 'Each reads what is new at its third party, which counts against its limits.',
    act: async (path, signal) => {
      await call('POST', `${path}/sync`, { body: { mode: 'incremental' }, signal })
      return ['It is being synchronized.', false]
    },
  },
  ...[true, false].map((enabled): BulkAction => ({
    words: enabled ? 'Enable' : 'Disable',
    needs: 'connecting',
    about: enabled
      ? 'They are called and synchronized again.'
      : 'Their calls are refused and their syncs stop until they are enabled again.',
    act: async (path, signal) => {
      await call('PATCH', path, { body: { enabled }, signal })
      return [enabled ? 'Enabled.' : 'Disabled.', false]
    },
  })),
]

const DELETE: BulkAction = {
  words: 'Delete',
  needs: 'deleting',
  about:
    'The credentials are erased at once, the copies of the data after that. This cannot be undone. Nothing is changed at the third party.',
  act: async (path, signal) => {
    await call('DELETE', path, { signal })
    return ['Deleted.', false]
  },
}

/** Done with more than so many, anything is asked first. */
const MAX_UNASKED = 20
/** So many at a time: each may wait for a third party. */
const AT_ONCE = 4
const MAX_NAMED = 8
/** Each result draws the list of them again. */
const MAX_SHOWN = 200

interface Result {
  readonly instance: Instance
  readonly words: string
  readonly isBad: boolean
}

const COLUMNS = [
  { title: 'id', value: ({ instance }: Result) => instance.id },
  { title: 'name', value: ({ instance }: Result) => instance.name },
  { title: 'result', value: ({ isBad }: Result) => (isBad ? 'failed' : 'done') },
  { title: 'detail', value: ({ words }: Result) => words },
]

export function BulkBar(props: {
  /** What says how many are chosen, for who has lost the focus. */
  readonly bar: RefObject<HTMLElement | null>
  readonly chosen: readonly Instance[]
  readonly clear: () => void
  readonly changed: () => void
  /** How more of them are chosen. */
  readonly children: ReactNode
}): ReactNode {
  const { chosen } = props
  const { busy, run, stop } = useTask()
  const [running, setRunning] = useState<BulkAction | null>(null)
  const [results, setResults] = useState<readonly Result[]>([])
  const [asks, setAsks] = useState<BulkAction | null>(null)
  const count = `${chosen.length.toLocaleString('en')} ${chosen.length === 1 ? 'account' : 'accounts'}`
  const start = (action: BulkAction): Promise<void> =>
    run(async (signal) => {
      setAsks(null)
      setRunning(action)
      setResults([])
      const waiting = [...chosen]
      const work = async (): Promise<void> => {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
          signal.throwIfAborted()
          const result = await resultOf(one, action, signal)
          setResults((before) => [...before, result])
        }
      }
      await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
    })
  const ask = (action: BulkAction): void => {
    if (action.words === 'Disable' || chosen.length > MAX_UNASKED) setAsks(action)
    else void start(action)
  }
  const close = (): void => {
    stop()
    setRunning(null)
    props.clear()
    props.changed()
  }
  const failed = results.filter(({ isBad }) => isBad).length
  return (
    <div className="line bulk" role="toolbar" aria-label="Chosen accounts">
      <strong ref={props.bar} tabIndex={-1} role="status">
        {count} chosen
      </strong>
      {props.children}
      {ACTIONS.map((action) => (
        <Button key={action.words} needs={action.needs} disabled={busy} onClick={() => ask(action)}>
          {action.words}
        </Button>
      ))}
      <Button
        className="danger"
        needs={DELETE.needs}
        disabled={busy}
        onClick={() => setAsks(DELETE)}
      >
        Delete
      </Button>
      <Button className="plain-icon" onClick={props.clear}>
        Clear
      </Button>
      {asks === null ? null : (
        <Question
          title={`${asks.words} ${count}?`}
          close={() => setAsks(null)}
          keep={asks === DELETE ? 'Keep them' : 'Cancel'}
          answers={[
            {
              words: `${asks.words} ${count}`,
              look: asks === DELETE || asks.words === 'Disable' ? 'danger' : 'primary',
              act: () => void start(asks),
            },
          ]}
        >
          <p>
            {chosen
              .slice(0, MAX_NAMED)
              .map(({ name }) => plainText(name))
              .join(', ')}
            {chosen.length > MAX_NAMED ? ` and ${chosen.length - MAX_NAMED} more` : ''}.{' '}
            {asks.about}
          </p>
        </Question>
      )}
      {running === null ? null : (
        <Dialog title={`${running.words}: ${count}`} close={close}>
          {busy ? (
            <div className="actions">
              <Working words={`${results.length} of ${chosen.length}`} stop={stop} />
            </div>
          ) : (
            <p role="status">
              {results.length - failed} done
              {failed === 0 ? '' : `, ${failed} failed`}
              {results.length < chosen.length
                ? `, ${chosen.length - results.length} not begun`
                : ''}
              .
            </p>
          )}
          <ul className="bulk-results" tabIndex={0} aria-label="What became of each">
            {results
              .toSorted((a, b) => Number(b.isBad) - Number(a.isBad))
              .slice(0, MAX_SHOWN)
              .map(({ instance, words, isBad }) => (
                <li key={instance.id}>
                  <strong>{plainText(instance.name)}</strong>
                  <span className={isBad ? 'fault' : 'fine'}>{words}</span>
                </li>
              ))}
          </ul>
          {results.length > MAX_SHOWN ? (
            <p className="fine">
              {(results.length - MAX_SHOWN).toLocaleString('en')} more are in the file.
            </p>
          ) : null}
          <div className="actions">
            {busy ? null : (
              <Button onClick={() => saveText('results.csv', 'text/csv', csvOf(COLUMNS, results))}>
                Save as CSV
              </Button>
            )}
            <Button className="primary" onClick={close}>
              {busy ? 'Stop and close' : 'Close'}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}

async function resultOf(
  instance: Instance,
  { act }: BulkAction,
  signal: AbortSignal,
): Promise<Result> {
  try {
    const [words, isBad] = await act(instancePath(instance.id), signal)
    return { instance, words, isBad }
  } catch (error) {
    signal.throwIfAborted()
    return { instance, words: problemOf(error).body.detail, isBad: true }
  }
}
