// The server-side OAuth flow as routes: one for the host app, two for the user's browser.
import { bodyText } from '../body-text.ts'
import { timeText } from '../store/instance-view.ts'
import { type Consents, CONSENT_SECONDS } from '../oauth/consents.ts'
import { empty, type Handler, json, type Route, type ServiceReply, routes } from '../route.ts'
import * as s from './schemas.ts'
import { html, plainPage } from '../connect/html.ts'

export function oauthRoutes(consents: Consents): readonly Route[] {
  return routes('any', [
    {
      name: 'initiateOAuth',
      at: 'POST /integrations/connectors/oauth/initiate',
      manage: true,
      summary: 'Start a server-side OAuth flow',
      body: s.requiredBody(['external_user_id', 'connector_type', 'redirect_url'], {
        external_user_id: { ...s.TEXT, description: 'The end user who gives consent.' },
        connector_type: s.TEXT,
        connector_version: {
          type: 'string',
          description:
            'For an instance that is reconnected: its version, in full or by its major. Default: the version of new instances.',
        },
        auth_method: {
          type: 'string',
          description:
            'The method that the user consents to, where the connector has several. Default: the first.',
        },
        redirect_url: {
          type: 'string',
          minLength: 1,
          maxLength: 2048,
          description:
            'Where the browser returns to; must match an entry of the allow-list exactly.',
        },
        state: { type: 'string', maxLength: 512, description: 'Returned unchanged.' },
        config: { ...s.FREE, description: 'Settings that the consent needs.' },
      }),
      success: s.answersWith(200, 'Send the user to consent_url.', {
        consent_url: { type: 'string', format: 'uri' },
        expires_at: s.TIME,
      }),
      errors: [
        'connector_unknown',
        'config_invalid',
        'redirect_url_refused',
        'oauth_not_configured',
        // Of a third party that is asked before its page is shown: for a temporary token, or for a client.
        'upstream_unreachable',
        'upstream_failed',
        'upstream_malformed',
        'scope_denied',
      ],
      example: {
        external_user_id: 'user-42',
        connector_type: 'gong',
        redirect_url: 'https://app.example.com/connected',
      },
      handle: (request) => initiate(consents, request),
    },
    {
      name: 'oauthConsent',
      isForBrowsers: true,
      at: 'GET /oauth/consent/{ticket}',
      token: 'none',
      summary: 'For browsers: goes on to the consent page of the third party',
      success: s.answers(303, 'To the third party.', null),
      handle: (request) => begin(consents, request),
    },
    {
      name: 'oauthCallback',
      isForBrowsers: true,
      at: 'GET /oauth/callback/{connector_type}',
      token: 'none',
      summary: 'For browsers: where the third party sends the user back to',
      // Third parties add names of their own.
      query: s.open({}),
      success: s.answers(303, 'Back to the host app.', null),
      handle: (request) => finish(consents, request),
    },
  ])
}

const initiate: Handler<Consents> = async (consents, request) => {
  const { principal, body, requestId } = request
  request.note({ connector_type: bodyText(body, 'connector_type').toLowerCase() })
  const { consentUrl, expiresAt } = await consents.initiate(principal, body, requestId)
  return json(200, { consent_url: consentUrl, expires_at: timeText(expiresAt) })
}

const begin: Handler<Consents> = async (consents, request) => {
  const { cookie } = consents
  const ticket = request.path['ticket'] ?? ''
  const start = await consents.begin(ticket, cookie.read(request.header('cookie')))
  if (start === null) return linkOver(request)
  return redirect(start.location, { 'set-cookie': cookie.write(start.cookie, CONSENT_SECONDS) })
}

const finish: Handler<Consents> = async (consents, request) => {
  const location = await consents.finish({
    connectorType: request.path['connector_type'] ?? '',
    query: request.query,
    cookie: consents.cookie.read(request.header('cookie')),
    requestId: request.requestId,
  })
  return location === null ? linkOver(request) : redirect(location)
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): ServiceReply {
  return empty(303, { location, 'referrer-policy': 'no-referrer', ...headers })
}

/** No redirect: a browser that comes with this link did not start here. */
function linkOver({ requestId }: { readonly requestId: string }): ServiceReply {
  const title = 'This link is over'
  const content = plainPage(
    title,
    html`<h1>${title}</h1>
      <p>
        It was used already, is older than ten minutes, or was opened in another browser. Go back to
        the app and connect again.
      </p>
      <p>Request ${requestId}</p>`,
  )
  const headers = { 'referrer-policy': 'no-referrer', 'content-type': 'text/html; charset=utf-8' }
  return { status: 400, headers, content }
}
