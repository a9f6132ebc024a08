// /settings: applications, people and the OAuth clients of connectors, for administrators at the console.
import { bodyText } from '../body-text.ts'
import { auditOf } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { REFUSED_REASONS } from '../../display/refused-reasons.ts'
import { type Role, ROLES } from '../../display/rights.ts'
import { ConnectorError, problemError } from '../../errors.ts'
import {
  consentOf,
  consentScopes,
  offeredConsents,
  registersClient,
} from '../../language/manifest/access/consent.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { accentProblem } from '../connect/accent.ts'
import { logoProblem, logoReply, MAX_LOGO_BYTES } from '../logo-image.ts'
import { clientSettings } from '../oauth/operator-clients.ts'
import { redirectUrlProblem } from '../oauth/redirect-url.ts'
import { empty, type Handler, json, type Route, routes, type ServiceRequest } from '../route.ts'
import { showClient, STORED_CLIENT } from '../routes/oauth-client-routes.ts'
import * as s from '../routes/schemas.ts'
import type { ClientSource } from '../settings.ts'
import type { ApplicationRow, ApplicationSecretRow } from '../store/applications-and-tokens.ts'
import { timeOrNull, timeText } from '../store/instance-view.ts'
import type { PersonSessions } from '../store/console-sessions.ts'
import type { PersonRow } from '../store/people.ts'
import { isAllowed, MAX_ADDRESSES, readAddresses } from '../tokens/allowed-addresses.ts'
import {
  type By,
  changeApplication,
  createApplication,
  endEarlierSecrets,
  MAX_KEEP_SECONDS,
  rotateSecret,
  secretsInUse,
} from '../tokens/applications.ts'
import type { Principal } from '../tokens/principal.ts'
import { type RefusedUses, refusedUses } from '../tokens/refused-uses.ts'
import type { RoleRights } from './rights.ts'
import { SESSION_IDLE_MS } from './sessions.ts'

export type SettingsPorts = Pick<
  ServiceBase,
  | 'store'
  | 'clock'
  | 'catalogue'
  | 'oauthClients'
  | 'operatorClients'
  | 'publicUrl'
  | 'allowLoopback'
>

const SECRET_FACTS: s.Members = {
  made_by: {
    type: ['string', 'null'],
    description: 'As the audit log names who acts; null: an earlier version made it.',
  },
  made_at: s.TIME_OR_NULL,
  used_at: { ...s.TIME_OR_NULL, description: 'To some minutes; null: not yet.' },
  ends_at: { ...s.TIME_OR_NULL, description: 'null: it has no end.' },
}
const APPLICATION = s.open({
  ...s.each(['client_id', 'name'], { type: 'string' }),
  redirect_urls: s.listOf({ type: 'string' }),
  allows: s.listOf({ type: 'string' }),
  addresses: {
    ...s.listOf({ type: 'string' }),
    description: 'Addresses and networks that it may be used from; none: from everywhere.',
  },
  logo: { ...s.orNull({ type: 'string' }), description: 'Hash of its picture.' },
  accent: { ...s.orNull({ type: 'string' }), description: 'Its colour on the connect page.' },
  created_at: s.TIME,
  disabled_at: s.TIME_OR_NULL,
  secret: s.open(SECRET_FACTS),
  earlier_secrets: {
    ...s.listOf(s.open(SECRET_FACTS)),
    description: 'Those that are good as well, for a while.',
  },
  refused: {
    ...s.open({
      last_day: { type: 'integer' },
      last_week: { type: 'integer' },
      at_least: {
        type: 'boolean',
        description: 'There were more: the newest entries of a long audit log are counted.',
      },
      reasons: {
        ...s.listOf(
          s.open({ reason: { enum: Object.keys(REFUSED_REASONS) }, times: { type: 'integer' } }),
        ),
        description: 'Of the week, the most frequent first.',
      },
      last: s.orNull(
        s.open({
          at: { ...s.TIME, description: 'To the minute.' },
          reason: { enum: Object.keys(REFUSED_REASONS) },
          address: { ...s.orNull({ type: 'string' }), description: 'IP address; null: not known.' },
        }),
      ),
    }),
    description:
      'Uses of its client id that were refused, as the audit log has them, up to a minute later.',
  },
})
const PERSON = s.open({
  ...s.each(['person_id', 'login', 'issuer', 'subject'], { type: 'string' }),
  name: s.orNull({ type: 'string' }),
  role: { enum: ROLES },
  given_role: { enum: [...ROLES, null] },
  signed_in_at: s.TIME,
  active_at: {
    ...s.TIME_OR_NULL,
    description:
      'Of the latest request of their open sessions, to the minute; null: they have none.',
  },
  sessions: { type: 'integer', description: 'How many are open.' },
  removed_at: s.TIME_OR_NULL,
})
const ROLE = s.open({
  role: { enum: ROLES },
  about: { type: 'string' },
  may: {
    ...s.listOf({ type: 'string' }),
    description: 'What those before it may not.',
  },
})
const CLIENT_SOURCES: readonly ClientSource[] = [
  'environment',
  'secret_file',
  'settings_file',
  'host',
  'sandbox',
  'stored',
]
const CONNECTOR = s.open({
  ...s.each(['connector_type', 'title', 'redirect_url'], { type: 'string' }),
  docs: s.orNull({ type: 'string' }),
  app: {
    ...s.orNull(s.open({ url: s.orNull({ type: 'string' }), steps: s.listOf({ type: 'string' }) })),
    description:
      "Where an OAuth client is made at the third party, and that one's own steps; null: the manifest does not say.",
  },
  client: {
    enum: ['none', 'registered', 'given', 'missing'],
    description: 'Of its consents: it has none, the service registers one, yours is given or not.',
  },
  settings: s.listOf({ type: 'string' }),
  client_id: { type: ['string', 'null'], description: 'Not a secret.' },
  has_secret: { type: 'boolean' },
  given_by: {
    ...s.listOf({ enum: CLIENT_SOURCES }),
    description: 'Where id and secret are set; `stored`: with `POST /v1/oauth-clients`.',
  },
  stored: {
    ...s.orNull(STORED_CLIENT),
    description: 'What the organisation keeps here. The settings of the operator go before it.',
  },
  refused: {
    type: ['string', 'null'],
    description: 'What the third party refused the client with, to this process, last.',
  },
  redirect_problem: {
    enum: ['loopback', 'not_https', null],
    description:
      'Why third parties refuse the redirect address. `loopback`: it leads to this machine, which some take for trials.',
  },
  scopes: {
    ...s.listOf({ type: 'string' }),
    description: 'What the consents of this client ask for.',
  },
  consents: {
    ...s.listOf(s.open({ title: { type: 'string' }, scopes: s.listOf({ type: 'string' }) })),
    description: 'Those of this client, each with what it asks for.',
  },
})
const NAME = { type: 'string', minLength: 1, maxLength: 255 } as const
const URLS = { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 2048 } } as const
const ADDRESSES = {
  type: 'array',
  maxItems: MAX_ADDRESSES,
  items: { type: 'string', maxLength: 64 },
  description:
    'Addresses and networks (`203.0.113.0/24`, `2001:db8::/32`) that its secrets and its own tokens are good from; none: from everywhere.',
} as const
const OWN_ADDRESS = {
  ...s.orNull({ type: 'string' }),
  description: 'IP address of who asks; null: it is not known.',
} as const
const LOGO = {
  type: ['string', 'null'],
  contentEncoding: 'base64',
  maxLength: 4 * Math.ceil(MAX_LOGO_BYTES / 3),
  description: 'PNG, JPEG or WebP; null takes it away.',
} as const
const ACCENT = {
  type: ['string', 'null'],
  maxLength: 7,
  description: 'Of buttons and links on the connect page, `#0f766e`; null: that of the page.',
} as const
const EXPIRES = {
  ...s.TIME_OR_NULL,
  description: 'Until when it is good; null: it has no end.',
} as const
const SECRET = { client_id: { type: 'string' }, client_secret: { type: 'string' } } as const

/** `rights`: what each role may do here. */
export function settingsRoutes(
  ports: SettingsPorts,
  rights: () => readonly RoleRights[],
): readonly Route[] {
  return routes('application', [
    {
      name: 'consoleApplications',
      at: 'GET /settings/applications',
      summary: 'Applications of the organisation',
      success: s.answersWith(200, 'Without secrets.', {
        data: s.listOf(APPLICATION),
        address: OWN_ADDRESS,
      }),
      async handle({ principal, address }) {
        const { store, clock } = ports
        const rows = await store.applications.list(principal.organizationId)
        const secrets = await store.applications.secrets(rows.map(({ clientId }) => clientId))
        const refused = await refusedUses(ports, principal.organizationId)
        const data = rows.map((row) => ({
          ...showApplication(row, secrets, clock.now()),
          refused: showRefused(refused(row.clientId)),
        }))
        return json(200, { data, address })
      },
    },
    {
      name: 'consoleCheckAddresses',
      at: 'POST /settings/addresses',
      summary: 'Read a list of addresses, and say whether it has that of who asks',
      body: s.requiredBody(['addresses'], { addresses: ADDRESSES }),
      success: s.answersWith(200, 'As it would be kept.', {
        addresses: s.listOf({ type: 'string' }),
        address: OWN_ADDRESS,
        contains: { type: 'boolean', description: 'An empty list has every address.' },
      }),
      handle: async ({ body, address }) => {
        const addresses = addressesIn(body) ?? []
        return json(200, { addresses, address, contains: isAllowed(addresses, address) })
      },
    },
    {
      name: 'consoleNewApplication',
      at: 'POST /settings/applications',
      summary: 'Make an application; its secret is shown once',
      body: s.requiredBody(['name'], {
        name: NAME,
        redirect_urls: URLS,
        addresses: ADDRESSES,
        secret_expires_at: EXPIRES,
      }),
      success: s.answersWith(201, 'With its secret.', SECRET),
      errors: ['redirect_url_refused'],
      async handle(request) {
        const { principal, body } = request
        const made = await createApplication(ports, {
          name: bodyText(body, 'name'),
          organizationId: principal.organizationId,
          redirectUrls: redirectUrlsIn(body, ports) ?? [],
          addresses: addressesIn(body) ?? [],
          secretEndsAt: endIn(body, 'secret_expires_at', ports),
          by: byOf(request),
        })
        return json(201, { client_id: made.clientId, client_secret: made.clientSecret })
      },
    },
    {
      name: 'consoleChangeApplication',
      at: 'PATCH /settings/applications/{client_id}',
      summary:
        'Change name, picture, colour, redirect addresses or where it may be used from, disable or enable',
      body: s.requiredBody([], {
        name: NAME,
        redirect_urls: URLS,
        addresses: ADDRESSES,
        logo: LOGO,
        accent: ACCENT,
        enabled: { type: 'boolean' },
      }),
      success: s.answers(204, 'Changed.', null),
      errors: ['route_unknown', 'redirect_url_refused'],
      handle: (request) => change(ports, request),
    },
    {
      name: 'consoleLogo',
      at: 'GET /settings/applications/{client_id}/logo',
      summary: 'Its picture',
      success: s.answers(200, 'As it is shown to users.', 'bytes'),
      errors: ['route_unknown'],
      async handle(request) {
        const { clientId } = await applicationIn(ports, request)
        const image = await ports.store.applications.logo(clientId)
        if (image === null) throw unknown('picture')
        return logoReply(image)
      },
    },
    {
      name: 'consoleRotateSecret',
      at: 'POST /settings/applications/{client_id}/rotate-secret',
      summary: 'Give it another secret; the one before may be good for a while',
      body: s.optionalBody({
        keep_seconds: {
          type: 'integer',
          minimum: 0,
          maximum: MAX_KEEP_SECONDS,
          default: 0,
          description:
            'How long the one before is good as well; 0: it and all before it end at once.',
        },
        expires_at: EXPIRES,
      }),
      success: s.answersWith(200, 'Shown once.', SECRET),
      errors: ['route_unknown'],
      async handle(request) {
        const { clientId } = await applicationIn(ports, request)
        const { body } = request
        const secret = await rotateSecret(ports, clientId, {
          // The schema of the route has checked it.
          keepSeconds: (body['keep_seconds'] ?? 0) as number,
          endsAt: endIn(body, 'expires_at', ports),
          by: byOf(request),
        })
        if (secret === null) throw unknown('application')
        return json(200, { client_id: clientId, client_secret: secret })
      },
    },
    {
      name: 'consoleEndSecrets',
      at: 'POST /settings/applications/{client_id}/end-secrets',
      summary: 'End the secrets before the newest one that are still good',
      success: s.answersWith(200, 'How many there were.', { ended: { type: 'integer' } }),
      errors: ['route_unknown'],
      async handle(request) {
        const { clientId } = await applicationIn(ports, request)
        const ended = await endEarlierSecrets(ports.store, clientId, byOf(request))
        return json(200, { ended: ended ?? 0 })
      },
    },
    {
      name: 'consolePeople',
      at: 'GET /settings/people',
      summary: 'People who signed in at the OpenID provider, and what each role may do',
      success: s.answersWith(200, 'With their roles.', {
        data: s.listOf(PERSON),
        roles: s.listOf(ROLE),
      }),
      async handle({ principal }) {
        const rows = await ports.store.people.list(principal.organizationId)
        const data = await showPeople(ports, principal.organizationId, rows)
        return json(200, { data, roles: rights() })
      },
    },
    {
      name: 'consoleChangePerson',
      at: 'PATCH /settings/people/{person_id}',
      summary: 'Give a role instead of that of the settings, remove, let in again',
      body: s.requiredBody([], {
        given_role: { enum: [...ROLES, null] },
        removed: { type: 'boolean' },
      }),
      success: s.answers(200, 'As it is now.', PERSON),
      errors: ['route_unknown'],
      handle: (request) => changePerson(ports, request),
    },
    {
      name: 'consoleConnectors',
      at: 'GET /settings/connectors',
      summary: 'Connectors that are offered, and their OAuth clients',
      success: s.answersWith(200, 'By their types.', { data: s.listOf(CONNECTOR) }),
      async handle({ principal }) {
        await ports.oauthClients.refresh()
        const { manifests } = ports.catalogue
        return json(200, { data: manifests.map((each) => showConnector(each, ports, principal)) })
      },
    },
  ])
}

const change: Handler<SettingsPorts> = async (ports, request) => {
  const { clientId, addresses: before, accent: colour } = await applicationIn(ports, request)
  const { body } = request
  const redirectUrls = redirectUrlsIn(body, ports)
  const addresses = addressesIn(body)
  const logo = logoIn(body)
  const accent = accentIn(body)
  const patch = {
    ...(body['name'] === undefined ? {} : { name: bodyText(body, 'name') }),
    ...(redirectUrls === undefined ? {} : { redirectUrls }),
    // The form sends it whatever was changed; the audit log tells of a change alone.
    ...(addresses === undefined || addresses.join() === before.join() ? {} : { addresses }),
    ...(logo === undefined ? {} : { logo }),
    ...(accent === undefined || accent === colour ? {} : { accent }),
  }
  const by = byOf(request)
  if (Object.keys(patch).length > 0)
    await changeApplication(ports.store, clientId, patch, { verb: 'update', by })
  const { enabled } = body
  if (typeof enabled === 'boolean') {
    const disabledAt = enabled ? null : ports.clock.now()
    const verb = enabled ? 'enable' : 'disable'
    await changeApplication(ports.store, clientId, { disabledAt }, { verb, by })
  }
  return empty(204)
}

const changePerson: Handler<SettingsPorts> = async (ports, request) => {
  const { store } = ports
  const { principal, body, path, requestId } = request
  const { given_role: givenRole, removed } = body
  // The schema of the route has checked both.
  const patch = {
    ...(givenRole === undefined ? {} : { givenRole: givenRole as Role | null }),
    ...(removed === undefined ? {} : { isRemoved: removed === true }),
  }
  const { organizationId } = principal
  const personId = path['person_id'] ?? ''
  const people = await store.people.list(organizationId)
  const person = people.find((each) => each.personId === personId)
  if (person === undefined) throw unknown('person')
  const target = `person:${person.login}`
  const members = [
    ...(givenRole === undefined
      ? []
      : [`role from ${roleWords(person)} to ${roleWords({ ...person, ...patch })}`]),
    ...(removed === undefined ? [] : [removed === true ? 'removed' : 'let in']),
  ]
  const audit = auditOf(principal, requestId, 'person.update', { target, members })
  const row = await store.people.update(organizationId, personId, patch, audit)
  if (row === null) throw unknown('person')
  return json(200, (await showPeople(ports, organizationId, [row]))[0])
}

/** The role that an administrator has given, as the audit log says it. */
function roleWords({ givenRole, role }: Pick<PersonRow, 'givenRole' | 'role'>): string {
  return givenRole ?? `that of the settings, ${role},`
}

/** Of this organisation: another one is as unknown as one that never was. */
async function applicationIn(
  { store }: SettingsPorts,
  { principal, path }: ServiceRequest,
): Promise<ApplicationRow> {
  const row = await store.applications.byClientId(path['client_id'] ?? '')
  if (row === null || row.organizationId !== principal.organizationId) throw unknown('application')
  return row
}

function redirectUrlsIn(
  body: JsonObject,
  { allowLoopback }: SettingsPorts,
): readonly string[] | undefined {
  const urls = body['redirect_urls'] as readonly string[] | undefined
  const problems = (urls ?? []).flatMap((url, index) => {
    const problem = redirectUrlProblem(url, allowLoopback)
    const pointer = `/redirect_urls/${index}`
    const detail = `${JSON.stringify(url)} ${problem}`
    return problem === null ? [] : [{ pointer, code: 'redirect', detail }]
  })
  const [first] = problems
  if (first === undefined) return urls
  const message = `the redirect address ${first.detail}`
  throw new ConnectorError('redirect_url_refused', message, { errors: problems })
}

/** In their shortest form; undefined: the body says nothing of them. Throws `request_malformed` with all problems. */
function addressesIn({ addresses: given }: JsonObject): readonly string[] | undefined {
  if (!Array.isArray(given)) return undefined
  const { addresses, wrong } = readAddresses(given.map(String))
  const [first] = wrong
  if (first === undefined) return addresses
  const message = `the address ${JSON.stringify(first.text)} ${first.problem}`
  throw new ConnectorError('request_malformed', message, {
    errors: wrong.map(({ index, text, problem }) => ({
      pointer: `/addresses/${index}`,
      code: 'address',
      detail: `${JSON.stringify(text)} ${problem}`,
    })),
  })
}

function logoIn({ logo }: JsonObject): Buffer | null | undefined {
  if (typeof logo !== 'string') return logo === null ? null : undefined
  const file = Buffer.from(logo, 'base64')
  const detail = file.toString('base64') === logo ? logoProblem(file) : 'is not base64'
  if (detail === null) return file
  const problem = { pointer: '/logo', code: 'image', detail }
  throw problemError('request_malformed', problem, `the picture ${detail}`)
}

function accentIn({ accent }: JsonObject): string | null | undefined {
  if (typeof accent !== 'string') return accent === null ? null : undefined
  const detail = accentProblem(accent)
  if (detail === null) return accent.toLowerCase()
  const problem = { pointer: '/accent', code: 'pattern', detail }
  throw problemError('request_malformed', problem, `accent ${detail}`)
}

/** When a new secret ends; null: never. */
function endIn(body: JsonObject, name: string, { clock }: SettingsPorts): number | null {
  const text = body[name]
  if (typeof text !== 'string') return null
  const endsAt = Date.parse(text)
  if (endsAt > clock.now()) return endsAt
  const problem = { pointer: `/${name}`, code: 'range', detail: 'must be in the future' }
  throw problemError('request_malformed', problem, `${name} ${problem.detail}`)
}

function byOf({ principal, requestId }: ServiceRequest): By {
  return { ...principal, requestId }
}

function unknown(what: string): ConnectorError {
  return new ConnectorError('route_unknown', `there is no such ${what}`)
}

function showApplication(
  row: ApplicationRow,
  secrets: readonly ApplicationSecretRow[],
  now: number,
): object {
  const { clientId, name, redirectUrls, allows, addresses } = row
  const { createdAt, disabledAt, logoHash, accent } = row
  const own = secrets.filter((secret) => secret.clientId === clientId)
  const { newest, earlier } = secretsInUse(row, own, now)
  return {
    client_id: clientId,
    name,
    redirect_urls: redirectUrls,
    allows,
    addresses,
    logo: logoHash,
    accent,
    created_at: timeText(createdAt),
    disabled_at: timeOrNull(disabledAt),
    secret: showSecret(newest),
    earlier_secrets: earlier.map(showSecret),
  }
}

function showRefused({ lastDay, lastWeek, isAtLeast, reasons, last }: RefusedUses): object {
  return {
    last_day: lastDay,
    last_week: lastWeek,
    at_least: isAtLeast,
    reasons,
    last: last && { ...last, at: timeText(last.at) },
  }
}

function showSecret(secret: ApplicationSecretRow | null): object {
  return {
    made_by: secret?.madeBy ?? null,
    made_at: timeOrNull(secret?.madeAt ?? null),
    used_at: timeOrNull(secret?.usedAt ?? null),
    ends_at: timeOrNull(secret?.endsAt ?? null),
  }
}

async function showPeople(
  { store }: Pick<SettingsPorts, 'store'>,
  organizationId: string,
  rows: readonly PersonRow[],
): Promise<readonly object[]> {
  const open = await store.consoleSessions.ofPeople(organizationId, SESSION_IDLE_MS)
  return rows.map((row) =>
    showPerson(
      row,
      open.find(({ personId }) => personId === row.personId),
    ),
  )
}

function showPerson(row: PersonRow, sessions: PersonSessions | undefined): object {
  const { personId, login, name, issuer, subject, role, givenRole, signedInAt, removedAt } = row
  return {
    person_id: personId,
    login,
    name,
    issuer,
    subject,
    role: givenRole ?? role,
    given_role: givenRole,
    signed_in_at: timeText(signedInAt),
    active_at: timeOrNull(sessions?.usedAt ?? null),
    sessions: sessions?.count ?? 0,
    removed_at: timeOrNull(removedAt),
  }
}

function showConnector(
  manifest: Manifest,
  {
    oauthClients,
    operatorClients,
    publicUrl,
  }: Pick<SettingsPorts, 'oauthClients' | 'operatorClients' | 'publicUrl'>,
  { organizationId }: Principal,
): object {
  const { type, title, auth } = manifest
  const client = oauthClients.of(organizationId, type)
  const stored = oauthClients.stored(organizationId, type)?.row ?? null
  const consents = offeredConsents(manifest)
  const docs = consents.find((method) => method.docs != null)?.docs ?? manifest.docs
  const redirectUrl = `${publicUrl()}/v1/oauth/callback/${type}`
  const { id, secret } = clientSettings(type)
  const hasConsent = auth.some((method) => consentOf(method) !== null)
  const isGiven = client !== null
  return {
    connector_type: type,
    title,
    docs,
    app: consents.map((method) => consentOf(method)?.client.app).find((app) => app != null) ?? null,
    redirect_url: redirectUrl,
    redirect_problem: redirectProblem(redirectUrl),
    client: !hasConsent
      ? 'none'
      : isGiven
        ? 'given'
        : registersClient(manifest)
          ? 'registered'
          : 'missing',
    settings: [id, secret],
    client_id: client?.id ?? null,
    has_secret: (client?.secret ?? null) !== null,
    given_by: client === null ? [] : (client.givenBy ?? ['host']),
    stored: stored && showClient(stored, oauthClients),
    refused: operatorClients.refusalOf(type, client),
    scopes: [...new Set(consents.flatMap((method) => consentScopes(manifest, method)))],
    consents: consents.map((method) => ({
      title: method.title ?? method.name,
      scopes: consentScopes(manifest, method),
    })),
  }
}

function redirectProblem(url: string): 'loopback' | 'not_https' | null {
  if (redirectUrlProblem(url, false) === null) return null
  return redirectUrlProblem(url, true) === null ? 'loopback' : 'not_https'
}
