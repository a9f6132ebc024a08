// Everything of one end user: to be handed over, and to be erased.
import { type ReactNode, useId, useState } from 'react'
import type { All, Erased, InstancePage, SyncStatus } from '../../api/answers.ts'
import { call, instancePath, send } from '../../api/call.ts'
import { useGet, useSettled, useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { Button, TextField } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { saveText } from '../../parts/save-text.ts'

/** Lines of an export that stand around what is kept of the user. */
const NOT_KEPT = /^\{"type":"(?:user|audit_event|end)"/

/** Ids are offered once nobody has typed for a moment. */
const REST_MS = 300
/** The copies of so many accounts are looked at to say how many records there are. */
const COUNTED = 50

interface Asked {
  readonly typed: string
  readonly accounts: number
  readonly records: number
  /** There are more accounts than were looked at. */
  readonly isLess: boolean
}

export function EndUsers(words: CardWords): ReactNode {
  const [user, setUser] = useState('')
  const offers = useId()
  const wanted = { name_contains: useSettled(user, REST_MS), limit: '10' }
  const found = useGet<All<{ readonly id: string }>>('/workspaces', wanted, { kept: true })
  const known = found.last?.data ?? []
  const [asked, setAsked] = useState<Asked | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const { busy, problem, run } = useTask()
  const query = { external_user_id: user }
  const exportUser = (): Promise<void> =>
    run(async () => {
      setDone(null)
      const text = await (await send('GET', '/users/export', { query })).text()
      const kept = text.split('\n').filter((line) => !NOT_KEPT.test(line) && line !== '').length
      if (kept === 0) return setDone(`Nothing of ${user} is kept, but for the audit log.`)
      saveText(`${user.replaceAll(/[^\w.@-]+/gu, '-')}.jsonl`, 'application/x-ndjson', text)
      setDone(`Exported ${counted(kept, 'entry', 'entries')} of ${user}, and the audit log.`)
    })
  const ask = (): Promise<void> =>
    run(async () => {
      setDone(null)
      const { data, meta } = await call<InstancePage>('GET', '/integrations/connectors', {
        query: { ...query, counts: 'true', limit: String(COUNTED) },
      })
      const accounts = meta.total ?? data.length
      const copies = await Promise.all(
        data.map(({ id }) => call<All<SyncStatus>>('GET', `${instancePath(id)}/sync`)),
      )
      const records = copies.flatMap(({ data: each }) => each.map((copy) => copy.records))
      const sum = records.reduce((all, each) => all + each, 0)
      setAsked({ typed: '', accounts, records: sum, isLess: accounts > data.length })
    })
  const erase = (): Promise<void> =>
    run(async () => {
      setDone(null)
      const { instances, rows } = await call<Erased>('DELETE', '/users', { query })
      setAsked(null)
      setDone(
        instances + rows === 0
          ? `Nothing of ${user} was kept.`
          : `Erased ${counted(instances, 'account', 'accounts')} of ${user} with credentials and copies, and ${counted(rows, 'other entry', 'other entries')}.`,
      )
    })
  return (
    <Card {...words}>
      <p className="quiet">
        Accounts, records of their copies, tokens, links, consents and events of one end user.
        Secrets are no part of an export. The audit log keeps what was done, without the
        user&rsquo;s id.
      </p>
      <TextField
        label="End user"
        about="The external_user_id that your app uses."
        maxLength={255}
        value={user}
        change={setUser}
        list={offers}
      />
      <datalist id={offers}>
        {known.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <div className="actions">
        <Button disabled={busy || user === ''} onClick={() => void exportUser()}>
          Export
        </Button>
        <Button className="danger" disabled={busy || user === ''} onClick={() => void ask()}>
          Erase everything …
        </Button>
      </div>
      {done === null ? null : (
        <div className="notice" role="status">
          <p>{done}</p>
        </div>
      )}
      {asked === null ? (
        <ProblemNotice problem={problem} />
      ) : (
        <Dialog title={`Erase everything of ${user}?`} close={() => setAsked(null)}>
          <p>
            {asked.accounts === 0
              ? 'This user has no accounts. Tokens, links, consents and events of the user are gone at once. This cannot be undone.'
              : `${counted(asked.accounts, 'account', 'accounts')} with credentials, ${asked.isLess ? 'at least ' : ''}${counted(asked.records, 'record', 'records')} in their copies, and the tokens, links, consents and events of the user are gone at once. This cannot be undone.`}
          </p>
          <TextField
            label="Type the id of the user"
            value={asked.typed}
            change={(typed) => setAsked({ ...asked, typed })}
          />
          <ProblemNotice problem={problem} />
          <div className="actions">
            <Button onClick={() => setAsked(null)}>Cancel</Button>
            <Button
              className="danger"
              disabled={busy || asked.typed !== user}
              onClick={() => void erase()}
            >
              Erase everything
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  )
}

function counted(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`
}
