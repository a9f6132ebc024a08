// Who may call what at the console: every route, in every spelling, with every role.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Role, ROLES } from '../../../src/display/rights.ts'
import { mayCall, RIGHTS, rightsOf, type RouteName } from '../../../src/service/console/rights.ts'
import { exampleRoutes } from '../../../src/service/console/example-routes.ts'
import { lastSyncRoutes } from '../../../src/service/console/last-sync-routes.ts'
import { manifestRoutes } from '../../../src/service/console/manifest-routes.ts'
import { settingsRoutes } from '../../../src/service/console/settings-routes.ts'
import type { Route } from '../../../src/service/route.ts'
import { hashSecret, randomText } from '../../../src/service/tokens/token-text.ts'
import { organizationEntry, PERSON } from '../../contracts/store/rows.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const OWN = { 'x-tenon-console': '1' }
const NONE = '00000000-0000-7000-8000-000000000000'

let world: RunningService
const cookies: Partial<Record<Role, string>> = {}

beforeAll(async () => {
  world = await runService({ publishOrganization: 'default' })
  const { port } = new URL(world.url)
  for (const role of ROLES) {
    const text = randomText()
    const person = { ...PERSON, organizationId: 'default', subject: role, login: role, role }
    const session = { sessionHash: hashSecret(text), lifeMs: 3_600_000 }
    const entry = organizationEntry('default', 'console.sign_in')
    await world.service.store.people.signIn(person, session, entry)
    cookies[role] = `tenon-console-${port}=${text}`
  }
})
afterAll(() => world[Symbol.asyncDispose]())

/** Every route there is at the console, but for those of sessions themselves. */
function allRoutes(): readonly Route[] {
  const { service } = world
  const { workshop, rows, syncs, store } = service
  if (workshop === null) throw new Error('the sandbox has a workshop')
  return [
    ...service.routes,
    ...lastSyncRoutes({ rows, syncs, store }),
    ...manifestRoutes(workshop, service),
    ...exampleRoutes(() => null),
    ...settingsRoutes({ ...service, publicUrl: () => world.url }, () => []),
  ]
}

function spellingsOf({ path, aliases }: Route): readonly string[] {
  return [path, ...aliases].flatMap((each) =>
    ['/v1', '/api/v1'].map(
      (prefix) =>
        `/console/api${prefix}${each.replace('{connector_type}', 'jira').replaceAll(/\{\w+\}/g, NONE)}`,
    ),
  )
}

test('the table has every route and no other', () => {
  const OF_SESSIONS = ['consoleSignIn', 'consoleSignInWays', 'consoleSession', 'consoleSignOut']
  const OPEN_ID = ['consoleOpenIdStart', 'consoleOpenIdEnd']
  const names = [...allRoutes().map(({ name }) => name), ...OF_SESSIONS, ...OPEN_ID]
  expect(Object.keys(RIGHTS).toSorted()).toEqual([...new Set(names)].toSorted())
})

describe.for(ROLES)('T11 a %s', (role) => {
  test('calls what the table says, and is refused everything else before its body is read', async () => {
    const wrong: string[] = []
    for (const route of allRoutes())
      for (const path of spellingsOf(route)) {
        const headers = { ...OWN, cookie: cookies[role] ?? '' }
        // A body that no route takes: who may call is told so, who may not is told that.
        const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : '{'
        const answer = await world.call(route.method, path, body, { as: null, headers })
        const { code, detail } = (answer.body ?? {}) as Partial<Record<'code' | 'detail', string>>
        // That there is no such application has the code of a path that there is not.
        const isPath = code !== 'route_unknown' || detail === 'there is no such application'
        const isIn = ![401, 403].includes(answer.status) && isPath
        const expected = mayCall(role, route.name)
        const isHidden = RIGHTS[route.name] === null && [404, 405].includes(answer.status)
        if (isIn !== expected && !isHidden)
          wrong.push(`${route.method} ${path}: ${answer.status} ${code}`)
      }
    expect(wrong).toEqual([])
  })
})

test.for<readonly [Role, RouteName, boolean]>([
  ['viewer', 'listConnectorInstances', true],
  ['viewer', 'execute', false],
  ['viewer', 'listChanges', false],
  ['viewer', 'updateConnectorInstance', false],
  ['developer', 'execute', true],
  ['developer', 'updateConnectorInstance', true],
  ['developer', 'deleteConnectorInstance', false],
  ['developer', 'createWebhook', false],
  ['administrator', 'deleteConnectorInstance', true],
  ['administrator', 'rotateWebhookSecret', true],
  ['administrator', 'mintScopedToken', false],
])('a %s and %s: %s', ([role, route, want]) => expect(mayCall(role, route)).toBe(want))

test('an administrator reads what each role may, once each, by the same table', async () => {
  const headers = { ...OWN, cookie: cookies.administrator ?? '' }
  const { body } = await world.call('GET', '/console/api/v1/settings/people', undefined, {
    as: null,
    headers,
  })
  const { roles } = body as { readonly roles: ReturnType<typeof rightsOf> }
  expect(roles.map(({ role }) => role)).toEqual(ROLES)
  const shown = roles.map(({ may }) => may.toSorted())
  expect(shown).toEqual(rightsOf(allRoutes()).map(({ may }) => may.toSorted()))
  expect(new Set(shown.flat()).size).toBe(shown.flat().length)
  expect(roles[2]?.may).toContain('Delete accounts')
})

test('T11 a role reaches no further by a header, a query or a body', async () => {
  const id = await world.connect('jira')
  const path = `/console/api/v1/integrations/connectors/${id}`
  const headers = { ...OWN, cookie: cookies.developer ?? '' }
  const tries = [
    await world.call('DELETE', path, undefined, { as: null, headers }),
    await world.call('DELETE', `${path}?role=administrator`, undefined, { as: null, headers }),
    await world.call('DELETE', path, undefined, {
      as: null,
      headers: { ...headers, 'x-http-method-override': 'GET', 'x-role': 'administrator' },
    }),
    await world.call('POST', path, undefined, {
      as: null,
      headers: { ...headers, 'x-http-method-override': 'DELETE' },
    }),
    // A token of the application next to the session does not count here.
    await world.call('DELETE', path, undefined, { headers }),
  ]
  expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 405, 403])
  expect((await world.call('GET', `/v1/integrations/connectors/${id}`)).status).toBe(200)
})
