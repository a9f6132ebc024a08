// /session: signing in to the console, who is signed in, signing out.
import { bodyText } from '../body-text.ts'
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { timeText } from '../store/instance-view.ts'
import { empty, json, type Route, type ServiceRequest, routes } from '../route.ts'
import * as s from '../routes/schemas.ts'
import {
  requireOwnPage,
  SESSION_MAX_MS,
  type Session,
  sessionCookie,
  type Sessions,
} from './sessions.ts'

export interface SessionRoutePorts {
  readonly sessions: Sessions
  readonly publicUrl: () => string
  readonly mode: string
  /** What to connect with, by connector type; null without local vendors. */
  readonly demo: JsonObject | null
}

const SESSION = s.open({
  client_id: { type: 'string' },
  organization_id: { type: 'string' },
  ends_at: s.TIME,
  mode: { enum: ['production', 'dev', 'sandbox'] },
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
  function shown({ clientId, organizationId, endsAt }: Session): object {
    return {
      client_id: clientId,
      organization_id: organizationId,
      ends_at: timeText(endsAt),
      mode: ports.mode,
      demo: ports.demo,
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
      errors: ['client_invalid', 'rate_limited', 'scope_denied'],
      handle: async (request) => {
        await sessions.close(textIn(request))
        const { text, session } = await sessions.open(
          bodyText(request.body, 'client_id'),
          bodyText(request.body, 'client_secret'),
          request,
        )
        return json(200, shown(session), {
          'set-cookie': cookie().write(text, SESSION_MAX_MS / 1000),
        })
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
        if (session === null) throw signedOut()
        return json(200, shown(session))
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

/** The session is over, or there never was one. */
export function signedOut(): ConnectorError {
  return new ConnectorError('token_invalid', 'you are not signed in, or the session is over')
}
