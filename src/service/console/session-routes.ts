// /session: signing in to the console, who is signed in, signing out.
import { bodyText } from '../body-text.ts'
import { ROLES } from '../../display/rights.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { timeText } from '../store/instance-view.ts'
import {
  empty,
  json,
  type Route,
  type ServiceReply,
  type ServiceRequest,
  routes,
} from '../route.ts'
import type { PublishedManifests } from '../manifests/published-manifests.ts'
import * as s from '../routes/schemas.ts'
import { html, plainPage } from '../connect/html.ts'
import { problemOf } from '../http/problem.ts'
import { isAllowed } from '../tokens/allowed-addresses.ts'
import { isRandomText } from '../tokens/token-text.ts'
import {
  requireOwnPage,
  SESSION_MAX_MS,
  type Session,
  sessionCookie,
  signInCookie,
  type Sessions,
} from './sessions.ts'

export interface SessionRoutePorts {
  readonly sessions: Sessions
  readonly publicUrl: () => string
  readonly mode: string
  /** What to connect with, by connector type; null without local vendors. */
  readonly demo: () => JsonObject | null
  readonly published: Pick<PublishedManifests, 'mayPublish'>
}

const SESSION = s.open({
  name: { type: 'string', description: 'What the one who is signed in is called.' },
  client_id: s.orNull({ type: 'string' }),
  organization_id: { type: 'string' },
  person: s.orNull(
    s.open({
      login: { type: 'string' },
      name: s.orNull({ type: 'string' }),
      role: { enum: ROLES },
    }),
  ),
  administrator: {
    ...s.orNull({ type: 'string' }),
    description: 'Of the administrators the one who signed in last, for people who are none.',
  },
  ends_at: s.TIME,
  mode: { enum: ['production', 'dev', 'sandbox'] },
  publishes: { type: 'boolean', description: 'Whether manifests may be published from here.' },
  demo: s.orNull({
    type: 'object',
    additionalProperties: s.open(s.each(['credentials', 'config'], { type: 'object' })),
    description: 'Of the sandbox: what to connect with, by connector type.',
  }),
})

/** Routes that only the console's own page can call. They stand in no public document. */
export function sessionRoutes(ports: SessionRoutePorts): readonly Route[] {
  const { sessions } = ports
  const cookie = () => sessionCookie(ports.publicUrl())
  const underWay = () => signInCookie(ports.publicUrl())
  async function shown(session: Session): Promise<object> {
    const { clientId, organizationId, endsAt, person } = session
    return {
      name: person?.name ?? person?.login ?? (await sessions.applicationName(session)),
      client_id: clientId,
      organization_id: organizationId,
      person: person && { login: person.login, name: person.name, role: person.role },
      administrator: await sessions.administratorFor(session),
      ends_at: timeText(endsAt),
      mode: ports.mode,
      publishes: ports.published.mayPublish(organizationId),
      demo: ports.demo(),
    }
  }

  function textIn(request: ServiceRequest): string | undefined {
    requireOwnPage((name) => request.header(name))
    return cookie().read(request.header('cookie'))
  }

  return routes('none', [
    {
      name: 'consoleSignIn',
      at: 'POST /session',
      summary: 'Sign in with client id and secret',
      body: s.requiredBody(['client_id', 'client_secret'], {
        client_id: s.TEXT,
        client_secret: s.TEXT,
      }),
      success: s.answers(200, 'Signed in.', SESSION),
      errors: ['client_invalid', 'address_denied', 'rate_limited', 'scope_denied'],
      handle: async (request) => {
        await sessions.close(textIn(request))
        const { text, session } = await sessions.open(
          bodyText(request.body, 'client_id'),
          bodyText(request.body, 'client_secret'),
          request,
        )
        return json(200, await shown(session), {
          'set-cookie': cookie().write(text, MAX_SECONDS),
        })
      },
    },
    {
      name: 'consoleSignInWays',
      at: 'GET /session/ways',
      summary: 'How people sign in',
      success: s.answersWith(200, 'The host of the OpenID provider; null: there is none.', {
        open_id: s.orNull({ type: 'string' }),
      }),
      handle: async () => json(200, { open_id: sessions.providerTitle }),
    },
    {
      name: 'consoleOpenIdStart',
      at: 'POST /session/open-id',
      summary: 'Begin to sign in at the OpenID provider',
      success: s.answersWith(200, 'Where the browser goes.', { url: { type: 'string' } }),
      errors: ['rate_limited', 'scope_denied', 'overloaded'],
      handle: async (request) => {
        requireOwnPage((name) => request.header(name))
        const { url, cookie: text } = await sessions.provider(request).start()
        return json(200, { url }, { 'set-cookie': underWay().write(text, SIGN_IN_SECONDS) })
      },
    },
    {
      name: 'consoleOpenIdEnd',
      isForBrowsers: true,
      at: 'GET /session/open-id',
      summary: 'For browsers: where the OpenID provider sends the user back to',
      // Providers add names of their own.
      query: s.open({}),
      success: s.answers(303, 'To the console.', null),
      handle: async (request) => {
        const text = underWay().read(request.header('cookie'))
        try {
          if (!isRandomText(text))
            throw new ConnectorError('client_invalid', 'this sign-in did not begin in this browser')
          const query = new URLSearchParams(definedIn(request.query))
          const { text: opened } = await sessions.openForPerson(query, text, request)
          // The address is ours, whatever anybody sent: nothing of the request leads anywhere.
          const location = `${ports.publicUrl()}/console/signed-in`
          return empty(303, {
            ...PAGE,
            location,
            'set-cookie': cookie().write(opened, MAX_SECONDS),
          })
        } catch (error) {
          if (!isConnectorError(error)) throw error
          return notSignedIn(error, ports.publicUrl(), request.requestId)
        }
      },
    },
    {
      name: 'consoleSession',
      at: 'GET /session',
      summary: 'Who is signed in',
      success: s.answers(200, 'The session.', SESSION),
      errors: ['token_invalid', 'scope_denied'],
      handle: async (request) => {
        const session = await sessions.find(textIn(request))
        // People who sign in there are told why.
        if (session === null || !isAllowed(session.addresses, request.address)) throw signedOut()
        return json(200, await shown(session))
      },
    },
    {
      name: 'consoleSignOut',
      at: 'DELETE /session',
      summary: 'Sign out',
      success: s.answers(204, 'Signed out.', null),
      errors: ['scope_denied'],
      handle: async (request) => {
        await sessions.close(textIn(request))
        return empty(204, { 'set-cookie': cookie().write('', 0) })
      },
    },
  ])
}

const MAX_SECONDS = SESSION_MAX_MS / 1000
/** How long people may take on the page of their provider. */
const SIGN_IN_SECONDS = 600
const PAGE = { 'referrer-policy': 'no-referrer' }

/** Says what is wrong and leads back to the console. Nothing of the request or of the provider's own text is on it. */
function notSignedIn(error: ConnectorError, publicUrl: string, requestId: string): ServiceReply {
  const title = 'You are not signed in'
  const content = plainPage(
    title,
    html`<h1>${title}</h1>
      <p>${error.message}.</p>
      <p><a href="${publicUrl}/console">Go to the console</a>, and begin there.</p>
      <p>Request ${requestId}</p>`,
  )
  const { status } = problemOf(error, requestId)
  return { status, headers: { ...PAGE, 'content-type': 'text/html; charset=utf-8' }, content }
}

function definedIn(query: ServiceRequest['query']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The session is over, or there never was one. */
export function signedOut(): ConnectorError {
  return new ConnectorError('token_invalid', 'you are not signed in, or the session is over')
}
