// Why connecting failed, in words for the person at the page: what happened, and what they can do.
import {
  type ConnectorError,
  ERRORS,
  type ErrorCode,
  isConnectorError,
  type RefusingCode,
} from '../../errors.ts'
import type { RefusedReason } from '../../engine/credentials/refresh-state.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { ConsentFailure } from '../oauth/consents.ts'
import type { ConnectSession } from './connect-sessions.ts'
import type { PageWord } from './english.ts'
import type { FormField, Typed } from './form-fields.ts'
import { isAddress } from './pasted-address.ts'
import type { Say } from './page-words.ts'

/** What went wrong in one attempt. Kept with the session, so it holds no secret; told in the language of the visitor. */
export type ConnectProblem = {
  /** A code of ours, or `access_denied`, `upstream_error`. */
  readonly code: string
  readonly isConsent: boolean
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
  /** What is told in words of the page; null: `detail` is all that is known. */
  readonly word:
    'must_be_given' | 'one_of_these' | 'small_letters' | 'wrong_form' | 'an_address' | null
  readonly detail: string
  /** What would have been accepted, where the detail does not say so. */
  readonly values: readonly string[]
}

export interface Attempt {
  readonly session: ConnectSession
  readonly manifest: Manifest
  readonly way: string
  /** The account that gets new credentials; left out: that of the session, else a new one is made. */
  readonly again?: string | undefined
  /** At the third party, not by a form. */
  readonly isConsent: boolean
  readonly requestId: string
}

interface Words {
  readonly title: PageWord
  readonly advice: PageWord
  /** Whether the error's own message helps the person. */
  readonly showsDetail?: boolean
}

const FIELDS: Words = { title: 'fields', advice: 'fields_advice' }
const AWAY: Words = { title: 'away', advice: 'away_advice' }
/** It answered, or did a moment ago, with a fault of its own. */
const NOT_WORKING: Words = { title: 'not_working', advice: 'not_working_advice' }

const SIGN_IN_REFUSED: Words = {
  title: 'sign_in_refused',
  advice: 'sign_in_refused_advice',
  showsDetail: true,
}

const WORDS: Readonly<Partial<Record<ErrorCode | 'access_denied' | 'upstream_error', Words>>> = {
  credentials_invalid: FIELDS,
  config_invalid: FIELDS,
  request_malformed: FIELDS,
  credentials_refused: {
    title: 'credentials_refused',
    advice: 'credentials_refused_advice',
    showsDetail: true,
  },
  upstream_forbidden: { title: 'forbidden', advice: 'forbidden_advice', showsDetail: true },
  destination_refused: {
    title: 'foreign_address',
    advice: 'foreign_address_advice',
    showsDetail: true,
  },
  access_denied: { title: 'not_agreed', advice: 'not_agreed_advice' },
  upstream_error: { title: 'sign_in_ended', advice: 'sign_in_ended_advice' },
  oauth_not_configured: { title: 'not_set_up', advice: 'not_set_up_advice' },
  oauth_secret_unknown: { title: 'sign_in_over', advice: 'sign_in_over_advice' },
  oauth_secret_used: { title: 'sign_in_used', advice: 'sign_in_used_advice' },
  instance_unknown: { title: 'instance_gone', advice: 'instance_gone_advice' },
  upstream_unreachable: AWAY,
  upstream_timeout: AWAY,
  upstream_failed: NOT_WORKING,
  upstream_malformed: NOT_WORKING,
  upstream_suspended: NOT_WORKING,
  upstream_rate_limited: { title: 'vendor_busy', advice: 'again_advice' },
  rate_limited: { title: 'too_often', advice: 'too_often_advice' },
  overloaded: { title: 'overloaded', advice: 'again_advice' },
  store_unavailable: { title: 'not_saved', advice: 'again_advice' },
}

const OTHERS: Words = { title: 'failed', advice: 'failed_advice' }

function wordsOf({ code, isConsent }: Pick<ConnectProblem, 'code' | 'isConsent'>): Words {
  if (isConsent && code === 'credentials_refused') return SIGN_IN_REFUSED
  return Object.hasOwn(WORDS, code) ? (WORDS[code as keyof typeof WORDS] ?? OTHERS) : OTHERS
}

/** Why a connection works no more, by the codes that its state may have. */
const BROKEN: Readonly<Record<RefusedReason | RefusingCode, PageWord>> = {
  credentials_refused: 'broken_credentials',
  credentials_invalid: 'broken_credentials',
  upstream_forbidden: 'broken_forbidden',
  reauthorization_required: 'broken_other',
  grant_refused: 'broken_grant',
  revoked_upstream: 'broken_revoked',
  refresh_lost: 'broken_lost',
}

export function brokenWord(code: string): PageWord {
  return Object.hasOwn(BROKEN, code) ? BROKEN[code as keyof typeof BROKEN] : 'broken_other'
}

/** What the page says about a problem. */
export function problemText(
  problem: ConnectProblem,
  {
    say,
    session,
    vendor,
  }: { readonly say: Say; readonly session: ConnectSession; readonly vendor: string },
): Readonly<Record<'title' | 'advice', string>> & { readonly detail: string | null } {
  const words = wordsOf(problem)
  const names = { vendor, app: session.appName ?? say('the_app') }
  const advice = say(words.advice, names)
  return {
    title: say(words.title, names),
    advice: session.row.instanceId === null ? advice : `${advice} ${say('unchanged')}`,
    detail: problem.detail,
  }
}

/** What the page says at a field. What the manifest's own check found stays in its words. */
export function fieldProblemText(
  say: Say,
  { word, detail, values }: Omit<FieldProblem, 'pointer'>,
): string {
  if (word !== null) return say(word)
  const said = say('not_accepted', { detail })
  return values.length === 0 ? said : say('possible', { detail: said, values: values.join(', ') })
}

export function connectProblem(failure: ConsentFailure, attempt: Attempt): ConnectProblem {
  const { manifest, way, isConsent, requestId } = attempt
  const error = isConnectorError(failure) ? failure : null
  const code = isConnectorError(failure) ? failure.code : failure
  const words = wordsOf({ code, isConsent })
  return {
    code,
    isConsent,
    detail: words.showsDetail === true && error !== null ? detailOf(error) : null,
    fields: error === null ? [] : fieldsOf(error),
    connector: manifest.type,
    way,
    // What somebody can mend alone needs no number to ask about.
    requestId: words === FIELDS ? '' : requestId,
  }
}

/** Says of an address in a field of another form that it is one, where no part of it was to be taken. */
export function tellAddresses(
  problem: ConnectProblem,
  fields: readonly Pick<FormField, 'name' | 'pointer'>[],
  typed: Typed,
): ConnectProblem {
  const isPasted = ({ pointer, word }: FieldProblem): boolean => {
    const field = fields.find((each) => each.pointer === pointer)
    const isForm = word === 'small_letters' || word === 'wrong_form'
    return isForm && field !== undefined && isAddress(typed[field.name] ?? '')
  }
  const told = problem.fields.map((each): FieldProblem =>
    isPasted(each) ? { ...each, word: 'an_address' } : each,
  )
  return { ...problem, fields: told }
}

/** A problem that the store kept with a session. */
export function readProblem(stored: JsonObject | null): ConnectProblem | null {
  return stored as ConnectProblem | null
}

function fieldsOf({ errors, details }: ConnectorError): readonly FieldProblem[] {
  const { missing } = details
  if (Array.isArray(missing)) {
    const word = missing.length > 1 ? 'one_of_these' : 'must_be_given'
    return errors.map(({ pointer, detail }) => ({ pointer, word, detail, values: [] }))
  }
  return errors.map(({ pointer, code, detail, allowed }) => {
    const isNamed =
      allowed === undefined || allowed.length === 0 || detail.includes(String(allowed[0]))
    return {
      pointer: pointer.replace('/replication_config', '/config'),
      word: code === 'required' ? 'must_be_given' : patternWord(detail),
      detail,
      values: isNamed ? [] : allowed.map(String),
    }
  })
}

/** Patterns of nothing but small letters, digits and hyphens, of any length. */
const SMALL_LETTERS = /^must match \^(?:\[(?:a-z0-9|a-z0-9-|a-z)\][*+]?)+\$(?:: |$)/

/** A regular expression says nothing to the person at the page; what is asked for stands at the field. */
function patternWord(detail: string): 'small_letters' | 'wrong_form' | null {
  if (!detail.startsWith('must match ')) return null
  return SMALL_LETTERS.test(detail) ? 'small_letters' : 'wrong_form'
}

/** The third party's own words where it has some, else ours. */
function detailOf({ code, message, upstream }: ConnectorError): string {
  return message === '' ? `${ERRORS[code].title} (${upstream?.status ?? 'no answer'})` : message
}
