// What the connect page does: makes or reconnects an instance, from a form or by way of the third party's consent.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { OAuthStateRow } from '../store/consents.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import type { Instances } from '../instances/instances.ts'
import type { ServiceLog } from '../log.ts'
import type { Records } from '../records.ts'
import type { ConsentFailure, Consents } from '../oauth/consents.ts'
import { type Choice, type ChoicePorts, offerOf, settingsOf } from './choice.ts'
import type { ConnectSession, ConnectSessions } from './connect-sessions.ts'
import { type Typed, valuesOf } from './form-fields.ts'
import { type Attempt, type ConnectProblem, connectProblem, problemJson } from './problem-words.ts'
import { vendorOf } from './ways.ts'

export interface AttemptPorts extends ChoicePorts {
  readonly store: Store
  readonly sessions: ConnectSessions
  readonly instances: Pick<Instances, 'create' | 'update'>
  readonly consents: Pick<Consents, 'start'>
  readonly records: Records
  readonly publicUrl: () => string
  readonly log: ServiceLog
}

/** `busy`: the session is used up, or another attempt is under way. */
export type AttemptEnd =
  | { readonly kind: 'connected'; readonly row: InstanceRow }
  | { readonly kind: 'failed'; readonly problem: ConnectProblem }
  | { readonly kind: 'busy' }

export type ConsentBegin =
  | { readonly kind: 'consent'; readonly url: string }
  | { readonly kind: 'failed'; readonly problem: ConnectProblem }
  | { readonly kind: 'busy' }

export interface ConnectAttempts {
  /** Tries what was typed. */
  submit(
    session: ConnectSession,
    choice: Choice,
    typed: Typed,
    requestId: string,
  ): Promise<AttemptEnd>
  /** Begins a consent with the settings that were typed. `ownWindow`: it runs in a window of its own. */
  startConsent(
    session: ConnectSession,
    choice: Choice,
    typed: Typed,
    about: { readonly ownWindow: boolean; readonly requestId: string },
  ): Promise<ConsentBegin>
  /** Connects with what a consent left behind. A failure is kept with the session, for the page to show. */
  finishConsent(
    session: ConnectSession,
    connectorType: string,
    secretId: string,
    requestId: string,
  ): Promise<AttemptEnd>
  /** Keeps why a consent failed, if a connect page started it. */
  noteFailure(row: OAuthStateRow, failure: ConsentFailure, requestId: string): Promise<void>
}

/** Longer than a check of credentials may take. An attempt whose process died gives its place up after it. */
const HOLD_MS = 60_000
/** A link is no place to try passwords at. */
const MAX_ATTEMPTS = 20

/** What a consent brings back with it: which session it belongs to. No part of it is secret. */
export interface ReturnState {
  readonly tokenHash: string
  readonly connectorType: string
  readonly ownWindow: boolean
}

const STATE = /^([0-9a-f]{64})\.([a-z0-9-]+)(\.window)?$/

/** Null: it is no state of a connect page. */
export function readReturnState(state: string | null | undefined): ReturnState | null {
  const [, tokenHash, connectorType, mark] = STATE.exec(state ?? '') ?? []
  if (tokenHash === undefined || connectorType === undefined) return null
  return { tokenHash, connectorType, ownWindow: mark !== undefined }
}

export function createConnectAttempts(ports: AttemptPorts): ConnectAttempts {
  const { store, instances, consents, records } = ports
  const returnUrl = (): string => `${ports.publicUrl()}/connect/return`

  async function attempt(
    session: ConnectSession,
    about: Attempt,
    connect: () => Promise<InstanceRow>,
    keep: boolean,
  ): Promise<AttemptEnd> {
    const { tokenHash } = session.row
    const held = await store.connectSessions.hold(tokenHash, HOLD_MS)
    if (held === null) return { kind: 'busy' }
    const facts = { request_id: about.requestId, record: 'connect_session' }
    let row: InstanceRow
    try {
      if (held.attempts > MAX_ATTEMPTS) throw tooMany()
      row = await connect()
    } catch (error) {
      const problem = problemFor(error, about)
      await records.keep(facts, () =>
        store.connectSessions.release(tokenHash, keep ? problemJson(problem) : null),
      )
      return { kind: 'failed', problem }
    }
    // The account is connected, whatever the store says of the link: a user who is told otherwise would connect it twice.
    await records.keep(facts, () => store.connectSessions.finish(tokenHash, row.id))
    return { kind: 'connected', row }
  }

  /** The manifest that a consent began with, while it is loaded. */
  function manifestOf({ connectorType, connectorVersion }: OAuthStateRow): Manifest | undefined {
    const { catalogue } = ports
    return connectorVersion !== null && catalogue.serves(connectorType, connectorVersion)
      ? catalogue.forInstance(connectorType, connectorVersion)
      : catalogue.find(connectorType)
  }

  function problemFor(error: unknown, about: Attempt): ConnectProblem {
    if (isConnectorError(error)) return connectProblem(error, about)
    ports.log.error(
      { request_id: about.requestId, stack: error instanceof Error ? error.stack : String(error) },
      'a connect page failed for a reason of ours',
    )
    return connectProblem(new ConnectorError('internal_error', 'the service failed'), about)
  }

  /** Makes the instance, or gives the one to reconnect its new credentials. */
  async function connect(
    { row, principal }: ConnectSession,
    manifest: { readonly type: string; readonly title: string },
    members: JsonObject,
    requestId: string,
  ): Promise<InstanceRow> {
    // It goes on when the browser has left: half an instance helps nobody.
    // The settings of a consent are those that the page showed.
    const options = { requestId, signal: new AbortController().signal, consentSettles: true }
    return row.instanceId === null
      ? await instances.create(
          principal,
          {
            external_user_id: row.externalUserId,
            connector_type: manifest.type,
            name: manifest.title,
            ...members,
          },
          options,
        )
      : await instances.update(principal, row.instanceId, members, options)
  }

  return {
    async submit(session, choice, typed, requestId) {
      const { manifest, way, fields } = choice
      const members: Record<string, Json> = {
        credentials: valuesOf(fields.credentials, typed),
        config: valuesOf([...fields.first, ...fields.more], typed),
      }
      if (way.method !== null) members['auth_method'] = way.method.name
      return await attempt(
        session,
        aboutOf(session, choice, requestId),
        () => connect(session, manifest, members, requestId),
        false,
      )
    },

    async startConsent(session, choice, typed, { ownWindow, requestId }) {
      const { row, principal } = session
      const { manifest, fields } = choice
      const about = aboutOf(session, choice, requestId)
      const held = await store.connectSessions.hold(row.tokenHash, HOLD_MS)
      if (held === null) return { kind: 'busy' }
      await store.connectSessions.release(row.tokenHash, null)
      try {
        if (held.attempts > MAX_ATTEMPTS) throw tooMany()
        const { consentUrl } = await consents.start(
          principal,
          {
            externalUserId: row.externalUserId,
            manifest,
            redirectUrl: returnUrl(),
            hostState: `${row.tokenHash}.${manifest.type}${ownWindow ? '.window' : ''}`,
            config: {
              ...settingsOf(choice),
              ...valuesOf([...fields.first, ...fields.more], typed),
            },
          },
          requestId,
        )
        return { kind: 'consent', url: consentUrl }
      } catch (error) {
        return { kind: 'failed', problem: problemFor(error, about) }
      }
    },

    async finishConsent(session, connectorType, secretId, requestId) {
      // Without an instance to reconnect the attempt itself fails, and says so.
      const offer = await offerOf(ports, session).catch(noneIfKnown)
      const manifest =
        offer?.manifests.find(({ type }) => type === connectorType) ??
        ports.catalogue.get(connectorType)
      return await attempt(
        session,
        consentAttempt(session, manifest, requestId),
        () => connect(session, manifest, { server_side_oauth_secret_id: secretId }, requestId),
        true,
      )
    },

    async noteFailure(row, failure, requestId) {
      const state = row.redirectUrl === returnUrl() ? readReturnState(row.hostState) : null
      const manifest = manifestOf(row)
      if (state === null || manifest === undefined) return
      const session = await ports.sessions.findByHash(state.tokenHash)
      if (session === null) return
      // Whoever is connecting meanwhile is not disturbed.
      if ((await store.connectSessions.hold(state.tokenHash, HOLD_MS)) === null) return
      const problem = connectProblem(failure, consentAttempt(session, manifest, requestId))
      await store.connectSessions.release(state.tokenHash, problemJson(problem))
    },
  }
}

function noneIfKnown(error: unknown): null {
  if (isConnectorError(error)) return null
  throw error
}

function tooMany(): ConnectorError {
  return new ConnectorError('rate_limited', 'this link was tried too often; ask for another')
}

function aboutOf(
  { row, appName }: ConnectSession,
  { manifest, vendor, way }: Choice,
  requestId: string,
): Attempt {
  return {
    vendor,
    app: appOf(appName),
    connector: manifest.type,
    way: way.name,
    isConsent: way.kind === 'consent',
    isReconnect: row.instanceId !== null,
    requestId,
  }
}

function consentAttempt(
  { row, appName }: ConnectSession,
  manifest: Manifest,
  requestId: string,
): Attempt {
  return {
    vendor: vendorOf(manifest),
    app: appOf(appName),
    connector: manifest.type,
    way: manifest.auth.find(({ oauth2 }) => oauth2?.authorize != null)?.name ?? '',
    isConsent: true,
    isReconnect: row.instanceId !== null,
    requestId,
  }
}

/** What the page calls the host app. */
export function appOf(appName: string | null): string {
  return appName ?? 'the app'
}
