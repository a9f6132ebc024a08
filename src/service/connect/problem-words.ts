// Why connecting failed, in words for the person at the page: what happened, and what they can do.
import { type ConnectorError, ERRORS, type ErrorCode, isConnectorError } from '../../errors.ts'
import { vendorName } from '../../connect/field-words.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { ConsentFailure } from '../oauth/consents.ts'
import type { ConnectSession } from './connect-sessions.ts'

/** What went wrong in one attempt. Kept with the session, so it holds no secret. */
export type ConnectProblem = {
  /** A code of ours, or `access_denied`, `upstream_error`. */
  readonly code: string
  readonly title: string
  readonly advice: string
  /** What the third party or the manifest says about it; null: nothing more. */
  readonly detail: string | null
  readonly fields: readonly FieldProblem[]
  /** What was chosen: the page shows it again. */
  readonly connector: string
  readonly way: string
  readonly requestId: string
}

type FieldProblem = {
  readonly pointer: string
  readonly detail: string
}

export interface Attempt {
  readonly session: ConnectSession
  readonly manifest: Manifest
  readonly way: string
  /** At the third party, not by a form. */
  readonly isConsent: boolean
  readonly requestId: string
}

/** Texts have `{vendor}`, and `{app}`, which sent the user here. */
interface Words {
  readonly title: string
  readonly advice: string
  /** Whether the error's own message helps the person. */
  readonly showsDetail?: boolean
}

const AGAIN = 'Wait a moment and try again. Nothing was connected.'

const FIELDS: Words = {
  title: 'Something is missing or not right',
  advice: 'Correct what is marked below and try again.',
}

const AWAY: Words = {
  title: '{vendor} does not answer',
  advice:
    '{vendor} could not be reached or is not working right now. Wait a few minutes and try again; nothing was connected.',
}

const SIGN_IN_REFUSED: Words = {
  title: '{vendor} refused the sign-in',
  advice: 'Start again, and agree within a few minutes.',
  showsDetail: true,
}

const WORDS: Readonly<Partial<Record<ErrorCode | 'access_denied' | 'upstream_error', Words>>> = {
  credentials_invalid: FIELDS,
  config_invalid: FIELDS,
  request_malformed: FIELDS,
  credentials_refused: {
    title: '{vendor} refused these credentials',
    advice: 'Check each for typing errors, and in {vendor} that they were not revoked.',
    showsDetail: true,
  },
  upstream_forbidden: {
    title: '{vendor} knows this account, but does not let it in',
    advice:
      'Ask an administrator of your {vendor} account for access to its API, or use another account.',
    showsDetail: true,
  },
  destination_refused: {
    title: 'This address does not belong to {vendor}',
    advice: 'Correct the address below. Nothing was sent to it.',
    showsDetail: true,
  },
  access_denied: {
    title: 'You did not agree at {vendor}',
    advice: 'Nothing was connected. Start again if that was not what you wanted.',
  },
  upstream_error: {
    title: '{vendor} ended the sign-in',
    advice:
      '{vendor} came back without an answer. Try again; if it happens again, an administrator of your {vendor} account may have to allow the app.',
  },
  oauth_not_configured: {
    title: 'Signing in with {vendor} is not set up',
    advice: 'Choose another way, or tell {app}.',
  },
  oauth_secret_unknown: {
    title: 'This sign-in is over',
    advice: 'It took too long. Start again.',
  },
  oauth_secret_used: { title: 'This sign-in was used already', advice: 'Start again.' },
  instance_unknown: {
    title: 'This connection is gone',
    advice: 'It was deleted in the meantime. Go back to {app}.',
  },
  upstream_unreachable: AWAY,
  upstream_timeout: AWAY,
  upstream_failed: AWAY,
  upstream_malformed: AWAY,
  upstream_suspended: AWAY,
  upstream_rate_limited: { title: '{vendor} is busy', advice: AGAIN },
  rate_limited: {
    title: 'This was tried too often',
    advice: 'Go back to {app} and start again.',
  },
  overloaded: { title: 'There is a lot going on here', advice: AGAIN },
  store_unavailable: { title: 'We cannot save anything right now', advice: AGAIN },
}

const OTHERS: Words = {
  title: 'This did not work',
  advice: 'Try again. If it happens again, tell {app} the number of the request below.',
}

export function connectProblem(failure: ConsentFailure, attempt: Attempt): ConnectProblem {
  const { session, manifest, way, isConsent, requestId } = attempt
  const error = isConnectorError(failure) ? failure : null
  const code = isConnectorError(failure) ? failure.code : failure
  const words =
    isConsent && code === 'credentials_refused' ? SIGN_IN_REFUSED : (WORDS[code] ?? OTHERS)
  const names = { vendor: vendorName(manifest.title), app: session.appName }
  const told = (text: string): string =>
    text.replaceAll(/\{(vendor|app)\}/g, (_, name: keyof typeof names) => names[name])
  const unchanged =
    session.row.instanceId === null ? '' : ' Until then the connection stays as it is.'
  return {
    code,
    title: told(words.title),
    advice: told(words.advice) + unchanged,
    detail: words.showsDetail === true && error !== null ? detailOf(error) : null,
    fields: error === null ? [] : fieldsOf(error),
    connector: manifest.type,
    way,
    // What somebody can mend alone needs no number to ask about.
    requestId: words === FIELDS ? '' : requestId,
  }
}

/** A problem that the store kept with a session. */
export function readProblem(stored: JsonObject | null): ConnectProblem | null {
  return stored as ConnectProblem | null
}

function fieldsOf({ errors, details }: ConnectorError): readonly FieldProblem[] {
  const { missing } = details
  if (Array.isArray(missing)) {
    const detail = missing.length > 1 ? 'Fill in one of the marked fields' : 'Must be given'
    return errors.map(({ pointer }) => ({ pointer, detail }))
  }
  return errors.map(({ pointer, detail, allowed }) => {
    const isNamed =
      allowed === undefined || allowed.length === 0 || detail.includes(String(allowed[0]))
    const words = isNamed ? detail : `${detail}; possible: ${allowed.map(String).join(', ')}`
    return {
      pointer: pointer.replace('/replication_config', '/config'),
      detail: words.charAt(0).toUpperCase() + words.slice(1),
    }
  })
}

/** The third party's own words where it has some, else ours. */
function detailOf({ code, message, upstream }: ConnectorError): string {
  return message === '' ? `${ERRORS[code].title} (${upstream?.status ?? 'no answer'})` : message
}
