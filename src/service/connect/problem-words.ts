// Why connecting failed, in words for the person at the page: what happened, and what they can do.
import { type ConnectorError, ERRORS, type ErrorCode, isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { ConsentFailure } from '../oauth/consents.ts'

/** What went wrong in one attempt. Kept with the session, so it holds no secret. */
export interface ConnectProblem {
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

export interface FieldProblem {
  readonly pointer: string
  readonly detail: string
}

export interface Attempt {
  readonly vendor: string
  /** The app that sent the user here. */
  readonly app: string
  readonly connector: string
  readonly way: string
  /** At the third party, not by a form. */
  readonly isConsent: boolean
  readonly isReconnect: boolean
  readonly requestId: string
}

interface Words {
  readonly title: (attempt: Attempt) => string
  readonly advice: (attempt: Attempt) => string
  /** Whether the error's own message helps the person. */
  readonly showsDetail?: boolean
}

const AGAIN = 'Wait a moment and try again. Nothing was connected.'

const FIELDS: Words = {
  title: () => 'Something is missing or not right',
  advice: () => 'Correct what is marked below and try again.',
}

const AWAY: Words = {
  title: ({ vendor }) => `${vendor} does not answer`,
  advice: ({ vendor }) =>
    `${vendor} could not be reached or is not working right now. Wait a few minutes and try again; nothing was connected.`,
}

const WORDS: Readonly<Partial<Record<ErrorCode | 'access_denied' | 'upstream_error', Words>>> = {
  credentials_invalid: FIELDS,
  config_invalid: FIELDS,
  request_malformed: FIELDS,
  credentials_refused: {
    title: ({ vendor, isConsent }) =>
      isConsent ? `${vendor} refused the sign-in` : `${vendor} refused these credentials`,
    advice: ({ vendor, isConsent }) =>
      isConsent
        ? 'Start again, and agree within a few minutes.'
        : `Check each for typing errors, and in ${vendor} that they were not revoked.`,
    showsDetail: true,
  },
  upstream_forbidden: {
    title: ({ vendor }) => `${vendor} knows this account, but does not let it in`,
    advice: ({ vendor }) =>
      `Ask an administrator of your ${vendor} account for access to its API, or use another account.`,
    showsDetail: true,
  },
  destination_refused: {
    title: ({ vendor }) => `This address does not belong to ${vendor}`,
    advice: () => 'Correct the address below. Nothing was sent to it.',
    showsDetail: true,
  },
  access_denied: {
    title: ({ vendor }) => `You did not agree at ${vendor}`,
    advice: () => 'Nothing was connected. Start again if that was not what you wanted.',
  },
  upstream_error: {
    title: ({ vendor }) => `${vendor} ended the sign-in`,
    advice: ({ vendor }) =>
      `${vendor} came back without an answer. Try again; if it happens again, an administrator of your ${vendor} account may have to allow the app.`,
  },
  oauth_not_configured: {
    title: ({ vendor }) => `Signing in with ${vendor} is not set up`,
    advice: ({ app }) => `Choose another way, or tell ${app}.`,
  },
  oauth_secret_unknown: {
    title: () => 'This sign-in is over',
    advice: () => 'It took too long. Start again.',
  },
  oauth_secret_used: {
    title: () => 'This sign-in was used already',
    advice: () => 'Start again.',
  },
  instance_unknown: {
    title: () => 'This connection is gone',
    advice: ({ app }) => `It was deleted in the meantime. Go back to ${app}.`,
  },
  upstream_unreachable: AWAY,
  upstream_timeout: AWAY,
  upstream_failed: AWAY,
  upstream_malformed: AWAY,
  upstream_suspended: AWAY,
  upstream_rate_limited: {
    title: ({ vendor }) => `${vendor} is busy`,
    advice: () => AGAIN,
  },
  rate_limited: {
    title: () => 'This was tried too often',
    advice: ({ app }) => `Go back to ${app} and start again.`,
  },
  overloaded: { title: () => 'There is a lot going on here', advice: () => AGAIN },
  store_unavailable: { title: () => 'We cannot save anything right now', advice: () => AGAIN },
}

const OTHERS: Words = {
  title: () => 'This did not work',
  advice: ({ app }) =>
    `Try again. If it happens again, tell ${app} the number of the request below.`,
}

/** A failure for the page. */
export function connectProblem(failure: ConsentFailure, attempt: Attempt): ConnectProblem {
  const error = isConnectorError(failure) ? failure : null
  const code = isConnectorError(failure) ? failure.code : failure
  const words = WORDS[code] ?? OTHERS
  return {
    code,
    title: words.title(attempt),
    advice: `${words.advice(attempt)}${attempt.isReconnect ? ' Until then the connection stays as it is.' : ''}`,
    detail: words.showsDetail === true && error !== null ? detailOf(error) : null,
    fields: error === null ? [] : fieldsOf(error),
    connector: attempt.connector,
    way: attempt.way,
    // What somebody can mend alone needs no number to ask about.
    requestId: words === FIELDS ? '' : attempt.requestId,
  }
}

/** As the store keeps it. */
export function problemJson(problem: ConnectProblem): JsonObject {
  return { ...problem, fields: problem.fields.map((field) => ({ ...field })) }
}

/** What `problemJson` wrote. */
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
