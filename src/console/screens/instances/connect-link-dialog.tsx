// A link by which the user of an instance connects it anew on the connect page.
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Instance } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useDeed } from '../../api/use-answer.ts'
import { fieldProblems } from '../../form/field-problems.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Time } from '../../parts/time.tsx'

interface Link {
  readonly connect_url: string
  readonly expires_at: string
}

/** Where users of the app came back to last. */
const KEY = 'tenon.return-url'
const SHOWN: ReadonlySet<string> = new Set(['/return_url'])

export function ConnectLinkDialog(props: {
  readonly instance: Instance
  readonly close: () => void
}): ReactNode {
  const { instance } = props
  const [returnUrl, setReturnUrl] = useState(() => window.localStorage.getItem(KEY) ?? '')
  const [link, setLink] = useState<Link | null>(null)
  const { busy, problem, run } = useDeed()
  const fault = fieldProblems(problem).get('/return_url')
  const make = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => {
      const body = {
        external_user_id: instance.external_user_id,
        instance_id: instance.id,
        return_url: returnUrl.trim(),
      }
      setLink(await call<Link>('POST', '/connect/sessions', { body }))
      window.localStorage.setItem(KEY, body.return_url)
    })
  }
  return (
    <Dialog title="Make a connect link" wide close={props.close}>
      {link === null ? (
        <form onSubmit={make}>
          <p>
            By it the user {instance.external_user_id} connects this account anew, without an
            account here: id and copied data stay. It works once and for ten minutes.
          </p>
          <div className="field">
            <div className="field-head">
              <label htmlFor="return-url">Return address</label>
              <span className="mark-required">required</span>
            </div>
            <input
              id="return-url"
              required
              autoComplete="off"
              spellCheck={false}
              aria-describedby="return-url-about"
              aria-invalid={fault !== undefined}
              value={returnUrl}
              onChange={(event) => setReturnUrl(event.target.value)}
            />
            <div className="about" id="return-url-about">
              Where the user comes back to in your app: one of the redirect URLs of this
              application, character by character (tenon apps list).
              {fault === undefined ? null : <strong className="fault">{fault}</strong>}
            </div>
          </div>
          <ProblemNotice problem={problem} shown={SHOWN} />
          <div className="actions">
            <button type="button" onClick={props.close}>
              Cancel
            </button>
            <button className="primary" disabled={busy}>
              {busy ? 'Working …' : 'Make the link'}
            </button>
          </div>
        </form>
      ) : (
        <>
          <p role="status">
            Give it to the user who is signed in to your app, and to nobody else. It ends{' '}
            <Time at={link.expires_at} />.
          </p>
          <CodeBlock text={link.connect_url} label="connect link" />
        </>
      )}
    </Dialog>
  )
}
