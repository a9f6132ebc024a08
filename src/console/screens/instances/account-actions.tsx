// What can be done with an account, on all of its screens: checked, connected again, renamed, switched off, deleted.
import { Ban, CircleCheck, KeyRound, Link2, Pencil, Power, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CheckAnswer, Instance } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { type Task, useTask } from '../../api/use-answer.ts'
import { News, ProblemNotice } from '../../parts/answer.tsx'
import { Button, onSubmit } from '../../parts/controls.tsx'
import { Dialog, Question } from '../../parts/dialog.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { useNarrow } from '../../parts/narrow.ts'
import { useAskedAction } from '../../parts/asked-action.ts'
import { plainText } from '../../../display/plain-text.ts'
import { forgetAccount } from '../../parts/recent-accounts.ts'
import { addressOf, goTo, Link } from '../../place.tsx'
import { checkTold } from './check-told.ts'
import { ConnectLinkDialog } from './connect-link-dialog.tsx'

/** The buttons, and what became of them. `instance`: null as long as it is not known. */
export function useAccountActions(
  id: string,
  instance: Instance | null,
  reload: () => void,
): { readonly buttons: ReactNode; readonly notes: ReactNode } {
  const task = useTask()
  const isNarrow = useNarrow()
  const { busy, problem, run } = task
  const [news, setNews] = useState<string | null>(null)
  const [asking, setAsking] = useState<'delete' | 'disable' | 'rename' | 'link' | null>(null)
  const path = instancePath(id)
  const close = (): void => setAsking(null)
  const check = (): Promise<void> =>
    run(async () => {
      setNews(null)
      setNews(checkTold(await call<CheckAnswer>('POST', `${path}/check`)))
      reload()
    })
  const change = (body: { readonly enabled?: boolean; readonly name?: string }): Promise<void> =>
    run(async () => {
      setNews(null)
      await call('PATCH', path, { body })
      close()
      reload()
    })
  const remove = (): Promise<void> =>
    run(async () => {
      await call('DELETE', path)
      forgetAccount(id)
      goTo(addressOf('/instances'), { replace: true })
    })
  useAskedAction(
    id,
    instance === null || busy
      ? null
      : {
          ...(instance.enabled
            ? { check: () => void check(), disable: () => setAsking('disable') }
            : { enable: () => void change({ enabled: true }) }),
          link: () => setAsking('link'),
          delete: () => setAsking('delete'),
        },
  )
  if (instance === null) return { buttons: undefined, notes: null }
  const needsUser = instance.state === 'auth_error'
  const link = {
    words: 'Make a connect link',
    icon: <Link2 size={15} />,
    needs: 'connecting',
    act: () => setAsking('link'),
  } as const
  const again = addressOf(`/instances/${id}/reconnect`)
  // On a phone the buttons would take a line of every screen of the account.
  const isFolded = isNarrow && !needsUser
  const folded: readonly MenuEntry[] = [
    ...(instance.enabled
      ? [
          {
            words: 'Check',
            icon: <CircleCheck size={15} />,
            needs: 'connecting',
            act: () => void check(),
          } as const,
        ]
      : []),
    {
      words: 'Re-authenticate',
      icon: <KeyRound size={15} />,
      needs: 'connecting',
      act: () => goTo(again),
    },
  ]
  const buttons = (
    <>
      {isFolded ? null : (
        <>
          <Button
            needs="connecting"
            disabled={busy || !instance.enabled}
            onClick={() => void check()}
          >
            {busy ? 'Working …' : 'Check'}
          </Button>
          <Link className={needsUser ? 'button primary' : 'button'} needs="connecting" to={again}>
            Re-authenticate
          </Link>
        </>
      )}
      {needsUser ? (
        <Button needs={link.needs} onClick={link.act}>
          {link.words}
        </Button>
      ) : null}
      <Menu
        label="More actions"
        disabled={busy}
        entries={[
          ...(isFolded ? folded : []),
          {
            words: 'Rename',
            icon: <Pencil size={15} />,
            needs: 'connecting',
            act: () => setAsking('rename'),
          },
          ...(needsUser ? [] : [link]),
          instance.enabled
            ? {
                words: 'Disable',
                icon: <Ban size={15} />,
                needs: 'connecting',
                isDangerous: true,
                act: () => setAsking('disable'),
              }
            : {
                words: 'Enable',
                icon: <Power size={15} />,
                needs: 'connecting',
                act: () => void change({ enabled: true }),
              },
          {
            words: 'Delete',
            icon: <Trash2 size={15} />,
            needs: 'deleting',
            isDangerous: true,
            act: () => setAsking('delete'),
          },
        ]}
      />
    </>
  )
  const notes = (
    <>
      <News of={news} />
      {asking === null ? <ProblemNotice problem={problem} /> : null}
      {asking === 'delete' ? (
        <Question
          title={`Delete ${plainText(instance.name)}?`}
          close={close}
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
      {asking === 'disable' ? (
        <Question
          title={`Disable ${plainText(instance.name)}?`}
          close={close}
          task={task}
          answers={[
            { words: 'Disable', look: 'danger', act: () => void change({ enabled: false }) },
          ]}
        >
          <p>
            Its operations and searches are refused, and its copies are not kept up, until somebody
            enables it again. Nothing is deleted: credentials, copies and logs stay.
          </p>
        </Question>
      ) : null}
      {asking === 'link' ? <ConnectLinkDialog instance={instance} close={close} /> : null}
      {asking === 'rename' ? (
        <Rename
          name={instance.name}
          task={task}
          close={close}
          save={(name) => void change({ name })}
        />
      ) : null}
    </>
  )
  return { buttons, notes }
}

/** The way out of "disabled", where that is told. */
export function EnableButton(props: {
  readonly instance: Instance
  readonly done: () => void
}): ReactNode {
  const { busy, problem, run } = useTask()
  const enable = (): Promise<void> =>
    run(async () => {
      await call('PATCH', instancePath(props.instance.id), { body: { enabled: true } })
      props.done()
    })
  return (
    <>
      <p className="fine">
        Enable lets its operations and searches through again, and reads its copies at once, except
        those that are paused.
      </p>
      <Button needs="connecting" disabled={busy} onClick={() => void enable()}>
        {busy ? 'Working …' : 'Enable'}
      </Button>
      <ProblemNotice problem={problem} />
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
