// A consent that the browser leaves for and comes back from. What it is for stays in this tab.
import type { OAuthConsent } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { type JsonObject, parseJson, writeJson } from '../../api/json-text.ts'
import { addressOf } from '../../place.tsx'

/** What to do with the finished consent: the body of a create, or the instance to connect again. */
export type Purpose =
  | { readonly kind: 'create'; readonly body: JsonObject }
  | { readonly kind: 'reconnect'; readonly id: string; readonly name: string }

export interface ConsentStart {
  readonly externalUserId: string
  readonly connectorType: string
  /** Of the instance to connect again; null: that of new ones. */
  readonly connectorVersion: string | null
  /** Settings that go with it: the service refuses now what it would refuse after the consent. Null: those it has. */
  readonly config: JsonObject | null
  readonly purpose: Purpose
}

const KEY = 'tenon.consent.'

/** Leaves for the third party's consent page. Throws Problem when it cannot be started. */
export async function leaveForConsent(start: ConsentStart): Promise<void> {
  const state = crypto.randomUUID()
  const { consent_url: url } = await call<OAuthConsent>(
    'POST',
    '/integrations/connectors/oauth/initiate',
    {
      body: {
        external_user_id: start.externalUserId,
        connector_type: start.connectorType,
        redirect_url: window.location.origin + addressOf('/connected'),
        state,
        // Within a major the service has the newest.
        ...(start.connectorVersion === null
          ? {}
          : { connector_version: start.connectorVersion.split('.')[0] ?? '' }),
        ...(start.config === null ? {} : { config: start.config }),
      },
    },
  )
  window.sessionStorage.setItem(KEY + state, writeJson(start.purpose))
  window.location.assign(url)
}

/** What a consent was for, once; null: it did not start in this tab. */
export function takePurpose(state: string): Purpose | null {
  const text = window.sessionStorage.getItem(KEY + state)
  if (text === null) return null
  window.sessionStorage.removeItem(KEY + state)
  // Written above.
  return parseJson(text) as unknown as Purpose
}
