// Everything of one end user: to be handed over, and to be erased.
import { type ReactNode, useState } from 'react'
import type { Erased } from '../../api/answers.ts'
import { call, send } from '../../api/call.ts'
import { useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { Button, TextField } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { saveText } from '../../parts/save-text.ts'

export function EndUsers(words: CardWords): ReactNode {
  const [user, setUser] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const { busy, problem, run } = useTask()
  const query = { external_user_id: user }
  const exportUser = (): Promise<void> =>
    run(async () => {
      setDone(null)
      const text = await (await send('GET', '/users/export', { query })).text()
      saveText('user.jsonl', 'application/x-ndjson', text)
      setDone(`Exported ${text.trim().split('\n').length - 1} lines.`)
    })
  const erase = (): Promise<void> =>
    run(async () => {
      setDone(null)
      const { instances, rows } = await call<Erased>('DELETE', '/users', { query })
      setTyped(null)
      setDone(`Erased ${instances} accounts and ${rows} rows next to them.`)
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
      />
      <div className="actions">
        <Button disabled={busy || user === ''} onClick={() => void exportUser()}>
          Export
        </Button>
        <Button className="danger" disabled={busy || user === ''} onClick={() => setTyped('')}>
          Erase everything …
        </Button>
      </div>
      {done === null ? null : (
        <div className="notice" role="status">
          <p>{done}</p>
        </div>
      )}
      {typed === null ? (
        <ProblemNotice problem={problem} />
      ) : (
        <Dialog title={`Erase everything of ${user}?`} close={() => setTyped(null)}>
          <p>Accounts, credentials and copies are gone at once. This cannot be undone.</p>
          <TextField label="Type the id of the user" value={typed} change={setTyped} />
          <ProblemNotice problem={problem} />
          <div className="actions">
            <Button onClick={() => setTyped(null)}>Cancel</Button>
            <Button
              className="danger"
              disabled={busy || typed !== user}
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
