// A link by which the user of an instance connects it again on the connect page.
import { type ReactNode, useState } from 'react'
import type { ConnectSession, Instance, ReturnUrls } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { Button, onSubmit } from '../../parts/controls.tsx'
import { CodeView } from '../../parts/code-view.tsx'
import { Time } from '../../parts/values.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNotice } from '../../parts/answer.tsx'

/** Where users of the app came back to last. */
const KEY = 'tenon.return-url'

export function ConnectLinkDialog(props: {
  readonly instance: Instance
  readonly close: () => void
}): ReactNode {
  const { instance } = props
  const places = useGet<ReturnUrls>('/connect/return-urls')
  const urls = places.kind === 'ready' ? places.value.return_urls : []
  const [chosen, setChosen] = useState(() => window.localStorage.getItem(KEY))
  const returnUrl = urls.find((url) => url === chosen) ?? urls[0] ?? null
  const [link, setLink] = useState<ConnectSession | null>(null)
  const { busy, problem, run } = useTask()
  const make = (): Promise<void> =>
    run(async () => {
      if (returnUrl === null) return
      const body = {
        external_user_id: instance.external_user_id,
        instance_id: instance.id,
        return_url: returnUrl,
      }
      setLink(await call<ConnectSession>('POST', '/connect/sessions', { body }))
      window.localStorage.setItem(KEY, body.return_url)
    })
  return (
    <Dialog title="Make a connect link" wide close={props.close}>
      {link === null ? (
        <form onSubmit={onSubmit(() => void make())}>
          <p>
            With this link the user {instance.external_user_id} connects this account again, without
            an account here: id and copied data stay. It works once and for ten minutes.
          </p>
          <div className="field">
            <label htmlFor="return-url">Return address</label>
            <select
              id="return-url"
              required
              disabled={urls.length === 0}
              aria-describedby="return-url-about"
              value={returnUrl ?? ''}
              onChange={(event) => setChosen(event.target.value)}
            >
              {urls.map((url) => (
                <option key={url}>{url}</option>
              ))}
            </select>
            <div className="about fine" id="return-url-about">
              {places.kind === 'ready' && urls.length === 0
                ? 'This application has no redirect URL to come back to. The operator adds one: tenon apps update <client id> --redirect <url>'
                : 'Where the user comes back to in your app: one of the redirect URLs of this application.'}
            </div>
          </div>
          <ProblemNotice problem={places.kind === 'failed' ? places.problem : problem} />
          <div className="actions">
            <Button onClick={props.close}>Cancel</Button>
            <button className="primary" disabled={busy || returnUrl === null}>
              {busy ? 'Working …' : 'Make the link'}
            </button>
          </div>
        </form>
      ) : (
        <>
          <p role="status">
            Give it to the user who is signed in to your app, and to nobody else. It expires{' '}
            <Time at={link.expires_at} />.
          </p>
          <CodeView text={link.connect_url} label="connect link" />
        </>
      )}
    </Dialog>
  )
}
