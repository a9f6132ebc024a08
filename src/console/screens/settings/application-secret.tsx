// The secret of an application: who made it, when it was used, when it ends; and another one in its place.
import { type ReactNode, useState } from 'react'
import type { Application } from '../../api/answers.ts'
import type { useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { actorInSentence } from '../../parts/audit-words.tsx'
import { Button, onSubmit, Select, TextField } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { momentPicked, pickedFrom } from '../../parts/moment.ts'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'

const DAY_MS = 86_400_000
/** So long before its end people are warned. */
const WARNED_MS = 14 * DAY_MS
/** A secret that nobody used for so long may be needed no more. */
const UNUSED_DAYS = 90

/** What is known of the secret, and of those before it that are still good. */
export function SecretFacts(props: {
  readonly of: Application
  /** What the application is called that made the secret, where one did. */
  readonly maker: string | undefined
  readonly busy: boolean
  readonly endEarlier: () => void
}): ReactNode {
  const { secret, earlier_secrets: earlier } = props.of
  const { made_by: by, made_at: made, used_at: used, ends_at: ends } = secret
  const isWarned = ends !== null && Date.parse(ends) - Date.now() <= WARNED_MS
  const idleDays = Math.floor((Date.now() - Date.parse(used ?? made ?? '')) / DAY_MS)
  const last = earlier.map((each) => each.ends_at ?? '').toSorted()
  return (
    <>
      <p className="fine">
        Secret made {made === null ? 'by an earlier version' : <Time at={made} />}
        {by === null ? null : ` by ${actorInSentence(by, props.maker ?? null)}`}, last used{' '}
        <Time at={used} />
        {ends === null ? null : isWarned && props.of.disabled_at === null ? (
          <>
            {' '}
            <SecretWarning at={ends} />
          </>
        ) : (
          <>
            , ends <Time at={ends} />
          </>
        )}{' '}
        {idleDays >= UNUSED_DAYS && props.of.disabled_at === null ? (
          <span className="badge wait">Not used for {idleDays} days</span>
        ) : null}
      </p>
      {earlier.length === 0 ? null : (
        <p className="fine">
          {earlier.length === 1 ? 'The one before is' : `${earlier.length} before it are`} good
          until <Time at={last.at(-1) ?? null} exact />, last used <Time at={latest(earlier)} />{' '}
          <Button className="plain" disabled={props.busy} onClick={props.endEarlier}>
            {earlier.length === 1 ? 'End it now' : 'End them now'}
          </Button>
        </p>
      )}
    </>
  )
}

/** When it got a token last with a secret that is still good; null: with none of them. */
export function lastUse({ secret, earlier_secrets: earlier }: Application): string | null {
  return latest([secret, ...earlier])
}

function latest(secrets: readonly { readonly used_at: string | null }[]): string | null {
  return (
    secrets
      .map(({ used_at: at }) => at ?? '')
      .toSorted()
      .at(-1) || null
  )
}

function SecretWarning({ at }: { readonly at: string }): ReactNode {
  return Date.parse(at) <= Date.now() ? (
    <span className="badge bad">Secret has ended</span>
  ) : (
    <span className="badge wait">
      Secret ends <Time at={at} exact />
    </span>
  )
}

/** As APPLICATION_TOKEN_SECONDS and SCOPED_TOKEN_SECONDS of the service say. */
const TOKENS_LIVE_ON =
  'Tokens that were minted with the old one live on for up to 15 minutes, and the tokens of end users that are made with those for up to 20 minutes more.'

const KEPT = [
  ['0', 'ends at once'],
  ['3600', 'is good for one more hour'],
  ['86400', 'is good for one more day'],
  ['604800', 'is good for 7 more days'],
  ['2592000', 'is good for 30 more days'],
] as const

/** `ends`: a line for who is signed in with it. */
export function NewSecret(props: {
  readonly of: Application
  readonly ends: string
  readonly task: ReturnType<typeof useTask>
  readonly close: () => void
  readonly make: (body: { keep_seconds: number; expires_at: string | null }) => void
}): ReactNode {
  const [keep, setKeep] = useState('86400')
  const [end, setEnd] = useState('')
  const { busy, problem } = props.task
  const isDisabled = props.of.disabled_at !== null
  return (
    <Dialog title={`A new secret for ${plainText(props.of.name)}`} close={props.close}>
      <form
        onSubmit={onSubmit(() =>
          props.make({ keep_seconds: Number(keep), expires_at: end === '' ? null : end }),
        )}
      >
        {isDisabled ? (
          <p>
            It is disabled: it gets no token with either secret until you enable it, and its users
            and agents are refused.
          </p>
        ) : null}
        <Select label="The present secret" value={keep} options={KEPT} choose={setKeep} />
        <p className="fine">
          {keep === '0'
            ? isDisabled
              ? 'Earlier ones end as well, and its tokens have ended.'
              : `Your app gets no token until it has the new one; earlier ones end as well. ${TOKENS_LIVE_ON} Where the secret has leaked, Disable the application first: that ends its tokens at once.`
            : isDisabled
              ? 'Once it is enabled, both are good for that time.'
              : 'Both are good meanwhile, so that your app can change over without a call that fails.'}{' '}
          Sessions at the console that were opened with it end at once.{props.ends}
        </p>
        <SecretEnd end={end} change={setEnd} />
        <ProblemNotice problem={problem} />
        <div className="actions">
          <Button onClick={props.close}>Cancel</Button>
          <button className={keep === '0' ? 'danger' : 'primary'} disabled={busy}>
            Make a new secret
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** `end`: RFC 3339; '': it has none. */
export function SecretEnd(props: {
  readonly end: string
  readonly change: (end: string) => void
}): ReactNode {
  return (
    <TextField
      label="The new secret ends"
      about="Left empty, it has no end. The list warns you from two weeks before."
      type="datetime-local"
      value={pickedFrom(props.end, 'minute')}
      change={(picked) => props.change(momentPicked(picked))}
    />
  )
}
