// What the connect page does: makes or reconnects an instance, from a form or by way of the third party's consent.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { OAuthStateRow } from '../store/consents.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { ServiceBase } from '../base.ts'
import type { Instances } from '../instances/instances.ts'
import type { ConsentFailure, Consents } from '../oauth/consents.ts'
import {
  type Choice,
  type ChoicePorts,
  offerOf,
  settingsNotAskedFor,
  settingsOf,
  settingsShown,
} from './choice.ts'
import type { ConnectSession, ConnectSessions } from './connect-sessions.ts'
import { type Typed, valuesOf } from './form-fields.ts'
import { type Language, languageIn } from './page-words.ts'
import { type Attempt, type ConnectProblem, connectProblem } from './problem-words.ts'
import { ownerOf } from '../tokens/principal.ts'

export interface AttemptPorts
  extends ChoicePorts, Pick<ServiceBase, 'store' | 'records' | 'publicUrl' | 'log'> {
  readonly sessions: ConnectSessions
  readonly instances: Pick<Instances, 'create' | 'update'>
  readonly consents: Pick<Consents, 'start'>
}

/** Of a field `again`: a new account, although there is one at the same place. Any other value is the id of that one. */
export const ANOTHER = 'new'

/** `busy`: the session is used up, or another attempt is under way. */
export type AttemptEnd =
  | { readonly kind: 'connected'; readonly row: InstanceRow }
  | { readonly kind: 'consent'; readonly url: string }
  | { readonly kind: 'failed'; readonly problem: ConnectProblem }
  | { readonly kind: 'busy' }
  /** Nothing was tried: the user has an account at the same place, and has not said whether it is meant. */
  | { readonly kind: 'twin'; readonly twin: InstanceRow }

/** Longer than a check of credentials may take. The place of an attempt whose process died is free after it. */
const HOLD_MS = 60_000
/** A link is no place to try passwords at. */
const MAX_ATTEMPTS = 20
/** Accounts of one user that are looked at for one at the same place. */
const MAX_TWINS = 100

/** What a consent brings back with it: which session it belongs to. No part of it is secret. */
export interface ReturnState {
  readonly tokenHash: string
  readonly connectorType: string
  readonly way: string
  readonly ownWindow: boolean
  /** What the link asked for; null: nothing. */
  readonly language: Language | null
}

const STATE = /^([0-9a-f]{64})\.([a-z0-9-]+)(?:~([a-z0-9_]+))?(\.window)?(?:\.([a-z]{2}))?$/

/** Null: it is no state of a connect page. */
export function readReturnState(state: string | null | undefined): ReturnState | null {
  const [, tokenHash, connectorType, way = '', mark, language] = STATE.exec(state ?? '') ?? []
  if (tokenHash === undefined || connectorType === undefined) return null
  return {
    tokenHash,
    connectorType,
    way,
    ownWindow: mark !== undefined,
    language: languageIn(language),
  }
}

export interface Submission {
  readonly session: ConnectSession
  readonly choice: Choice
  readonly typed: Typed
  readonly requestId: string
}

export class ConnectAttempts {
  readonly #ports: AttemptPorts

  constructor(ports: AttemptPorts) {
    this.#ports = ports
  }

  async submit(submission: Submission): Promise<AttemptEnd> {
    const { session, typed, requestId } = submission
    const { again } = typed
    const isNew = submission.choice.instance === null
    const twin = isNew && again === undefined ? await this.#twinOf(submission) : null
    if (twin !== null) return { kind: 'twin', twin }
    const isAgain = isNew && again !== undefined && again !== ANOTHER
    const choice = isAgain ? await this.#choiceOf(submission, again) : submission.choice
    const { manifest, way, fields } = choice
    const members = {
      credentials: valuesOf(fields.credentials, typed),
      config: {
        ...settingsNotAskedFor(choice),
        ...valuesOf([...fields.first, ...fields.more], typed),
      },
      ...(way.method === null ? {} : { auth_method: way.method.name }),
    }
    const isConsent = way.kind === 'consent'
    const attempt = {
      session,
      manifest,
      way: way.name,
      isConsent,
      requestId,
      again: isAgain ? choice.instance?.id : undefined,
    }
    return await this.#attempt(attempt, members, { keepsProblem: false })
  }

  /** An account of the user whose settings say that its data are those of what was typed; null: there is none. */
  async #twinOf({ session, choice, typed }: Submission): Promise<InstanceRow | null> {
    const { manifest, fields } = choice
    const { externalUserId } = session.row
    const site = placeOf(manifest, valuesOf([...fields.first, ...fields.more], typed))
    if (site === null) return null
    const wanted = { externalUserId, connectorType: manifest.type, limit: MAX_TWINS }
    const { rows } = await this.#ports.store.instances.list(ownerOf(session.principal), wanted)
    return rows.find(({ config }) => placeOf(manifest, config) === site) ?? null
  }

  /** The choice for an account of the user that gets new credentials; as it was where there is no such account. */
  async #choiceOf({ session, choice }: Submission, id: string): Promise<Choice> {
    const instance = await this.#ports.rows.read(session.principal, id).catch(noneIfKnown)
    return instance?.connectorType === choice.manifest.type ? { ...choice, instance } : choice
  }

  /** Begins a consent with the settings that were typed. `ownWindow`: it runs in a window of its own. */
  async startConsent(
    { session, choice, typed, requestId }: Submission,
    { ownWindow, language }: Pick<ReturnState, 'ownWindow' | 'language'>,
  ): Promise<AttemptEnd> {
    const { store, consents } = this.#ports
    const { row, principal } = session
    const { manifest, way, fields } = choice
    const held = await store.connectSessions.hold(row.tokenHash, HOLD_MS)
    if (held === null) return { kind: 'busy' }
    await store.connectSessions.release(row.tokenHash, null)
    const typedSettings = valuesOf([...fields.first, ...fields.more], typed)
    try {
      requireAttemptsLeft(held.attempts)
      const consent = {
        externalUserId: row.externalUserId,
        manifest,
        authMethod: way.name,
        redirectUrl: this.#returnUrl(),
        hostState: `${row.tokenHash}.${manifest.type}~${way.name}${ownWindow ? '.window' : ''}${language === null ? '' : `.${language}`}`,
        config: { ...settingsOf(choice), ...typedSettings },
      }
      const { consentUrl } = await consents.start(principal, consent, requestId)
      return { kind: 'consent', url: consentUrl }
    } catch (error) {
      const attempt = { session, manifest, way: way.name, isConsent: true, requestId }
      return { kind: 'failed', problem: this.#problemOf(error, attempt) }
    }
  }

  /** Connects with what a consent left behind. A failure is kept with the session, for the page to show. */
  async finishConsent(
    session: ConnectSession,
    { connectorType, way }: Pick<ReturnState, 'connectorType' | 'way'>,
    secretId: string,
    requestId: string,
  ): Promise<AttemptEnd> {
    // Without an instance to reconnect the attempt itself fails, and says so.
    const offer = await offerOf(this.#ports, session).catch(noneIfKnown)
    const manifest =
      offer?.manifests.find(({ type }) => type === connectorType) ??
      this.#ports.catalogue.get(connectorType)
    const attempt = { session, manifest, way, isConsent: true, requestId }
    const members = { server_side_oauth_secret_id: secretId }
    return await this.#attempt(attempt, members, { keepsProblem: true })
  }

  /** Keeps why a consent failed, if a connect page started it. */
  async noteFailure(row: OAuthStateRow, failure: ConsentFailure, requestId: string): Promise<void> {
    const { sessions, store } = this.#ports
    const state = row.redirectUrl === this.#returnUrl() ? readReturnState(row.hostState) : null
    const manifest = this.#manifestOf(row)
    if (state === null || manifest === undefined) return
    const session = await sessions.findByHash(state.tokenHash)
    if (session === null) return
    // An attempt that is under way meanwhile is not disturbed.
    if ((await store.connectSessions.hold(state.tokenHash, HOLD_MS)) === null) return
    const attempt = { session, manifest, way: state.way, isConsent: true, requestId }
    const problem = connectProblem(failure, attempt)
    await store.connectSessions.release(state.tokenHash, problem)
  }

  async #attempt(
    attempt: Attempt,
    members: JsonObject,
    { keepsProblem }: { readonly keepsProblem: boolean },
  ): Promise<AttemptEnd> {
    const { tokenHash } = attempt.session.row
    const { records } = this.#ports
    const { connectSessions } = this.#ports.store
    const held = await connectSessions.hold(tokenHash, HOLD_MS)
    if (held === null) return { kind: 'busy' }
    const facts = { request_id: attempt.requestId, record: 'connect_session' }
    let row: InstanceRow
    try {
      requireAttemptsLeft(held.attempts)
      row = await this.#connect(attempt, members)
    } catch (error) {
      const problem = this.#problemOf(error, attempt)
      const kept = keepsProblem ? problem : null
      await records.keep(facts, () => connectSessions.release(tokenHash, kept))
      return { kind: 'failed', problem }
    }
    // The account is connected, whatever the store says of the link: a user who is told otherwise would connect it twice.
    await records.keep(facts, () => connectSessions.finish(tokenHash, row.id))
    return { kind: 'connected', row }
  }

  /** Makes the instance, or gives the one to reconnect its new credentials. */
  async #connect(
    { session: { row, principal }, manifest, again, requestId }: Attempt,
    members: JsonObject,
  ): Promise<InstanceRow> {
    const { instances } = this.#ports
    // It goes on when the browser has left: half an instance helps nobody.
    // The settings of a consent are those that the page showed.
    const signal = new AbortController().signal
    const options = { requestId, signal, consentSettles: true, keepsProved: true }
    const id = row.instanceId ?? again
    if (id !== undefined) return await instances.update(principal, id, members, options)
    const { config } = members
    const site = isJsonObject(config) ? placeOf(manifest, config) : null
    const name = site === null ? manifest.title : `${manifest.title}, ${site}`
    const named = { external_user_id: row.externalUserId, connector_type: manifest.type, name }
    return await instances.create(principal, { ...named, ...members }, options)
  }

  /** The manifest that a consent began with, while it is loaded. */
  #manifestOf({ connectorType, connectorVersion }: OAuthStateRow): Manifest | undefined {
    const { catalogue } = this.#ports
    return connectorVersion !== null && catalogue.serves(connectorType, connectorVersion)
      ? catalogue.forInstance(connectorType, connectorVersion)
      : catalogue.find(connectorType)
  }

  #problemOf(error: unknown, attempt: Attempt): ConnectProblem {
    if (isConnectorError(error)) return connectProblem(error, attempt)
    this.#ports.log.error(
      {
        request_id: attempt.requestId,
        stack: error instanceof Error ? error.stack : String(error),
      },
      'a connect page failed for a reason of ours',
    )
    return connectProblem(new ConnectorError('internal_error', 'the service failed'), attempt)
  }

  #returnUrl(): string {
    return `${this.#ports.publicUrl()}/connect/return`
  }
}

/** Whose data it is, as far as the settings say it: `acme`; null: they do not. */
function placeOf(manifest: Manifest, config: JsonObject): string | null {
  const shown = settingsShown(manifest, config).map(({ value }) => value)
  return shown.length === 0 ? null : shown.join(', ')
}

function noneIfKnown(error: unknown): null {
  if (isConnectorError(error)) return null
  throw error
}

function requireAttemptsLeft(attempts: number): void {
  if (attempts <= MAX_ATTEMPTS) return
  throw new ConnectorError('rate_limited', 'this link was tried too often; ask for another')
}
