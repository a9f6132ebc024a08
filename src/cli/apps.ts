// `tenon apps`: the host apps that may ask for tokens.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { accentProblem } from '../service/connect/accent.ts'
import { logoProblem } from '../service/logo-image.ts'
import { redirectUrlProblem } from '../service/oauth/redirect-url.ts'
import { MAX_ADDRESSES, readAddresses } from '../service/tokens/allowed-addresses.ts'
import {
  APPLICATION_RIGHTS,
  changeApplication,
  createApplication,
  endEarlierSecrets,
  MAX_KEEP_SECONDS,
  rotateSecret,
  secretsInUse,
} from '../service/tokens/applications.ts'
import { refusedUses } from '../service/tokens/refused-uses.ts'
import type {
  ApplicationRight,
  ApplicationRow,
  ApplicationSecretRow,
  Compat,
} from '../service/store/applications-and-tokens.ts'
import type { Store } from '../service/store/store.ts'
import { type Configure, family, type FlagsOf, jsonLines } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { workOnNewStore, workOnStore } from './service-settings.ts'
import type { JsonObject } from '../language/json/json.ts'

export const docs = 'operation'
export const notes = `Works on the store itself, while services run.`

export const examples: readonly string[] = [
  'tenon apps create --name acme --redirect https://app.example.com/connected',
  'tenon apps create --name agents --compat agent-sdk',
  'tenon apps list --json',
  'tenon apps update client-id --redirect https://app.example.com/connected https://staging.example.com/connected',
  'tenon apps update client-id --allow request',
  'tenon apps update client-id --address 203.0.113.0/24 2001:db8::7',
  'tenon apps update client-id --logo logo.png --accent "#0f766e"',
  'tenon apps rotate-secret client-id --keep 86400 --expires 2027-03-01T00:00:00Z',
  'tenon apps end-secrets client-id',
  'tenon apps disable client-id',
  'tenon apps enable client-id',
]

const FIELDS = {
  '--name <text>': 'what people call it',
  '--redirect <url...>': 'where a consent may end; replaces the list',
  '--compat <client>': {
    text: 'agent-sdk: answers as clients made for the origin of the API read them; none: those of this service',
    choices: ['none', 'agent-sdk'],
  },
  '--address <network...>':
    'where its secrets and its own tokens are good from: addresses and networks such as 203.0.113.0/24, or none for everywhere; replaces the list',
  '--allow <right...>':
    'what it may do next to the operations of connectors: request (requests of its own making), or none; replaces the list',
} as const

const CHANGES = {
  ...FIELDS,
  '--logo <file>':
    'what users see on the connect page: a PNG, JPEG or WebP of 64 KB at most; none takes it away',
  '--accent <colour>':
    'of buttons and links on the connect page, such as #0f766e; none: that of the page',
} as const

const EXPIRES = {
  '--expires <time>':
    'until when its secret is good, such as 2027-03-01T00:00:00Z; default: it has no end',
} as const

type ChangeFlags = FlagsOf<typeof CHANGES>

const list = workOnStore({
  options: jsonLines('application'),
  async run({ store }) {
    const rows = await store.applications.list()
    const secrets = await store.applications.secrets(rows.map(({ clientId }) => clientId))
    const refused = await refusedIn(store, rows)
    const value = rows.map((row) => ({
      ...shown(row),
      ...secretFacts(row, secrets),
      ...refused(row),
    }))
    const none = 'there are no applications; tenon apps create makes one\n'
    return { value, shown: value.map(told), none }
  },
})

const rotate = workOnStore({
  arguments: { '<client-id>': 'the application' },
  options: {
    ...EXPIRES,
    '--keep <seconds>':
      'how long the secret before is good as well, 30 days at most; default: it and all before it end at once',
  },
  async run({ store }, { clientId: id, keep = '0', expires }) {
    if (!/^\d{1,7}$/.test(keep) || Number(keep) > MAX_KEEP_SECONDS)
      throw new UsageError(`--keep must be a whole number of seconds, ${MAX_KEEP_SECONDS} at most`)
    const rotation = { keepSeconds: Number(keep), endsAt: endIn(expires) }
    const secret = await rotateSecret({ store, clock: createSystemClock() }, id, rotation)
    requireKnown(secret !== null, id)
    return { value: { client_id: id, client_secret: secret } }
  },
})

// Before the first start of a service as well.
const create = workOnNewStore({
  options: { ...FIELDS, ...EXPIRES, '--organization <id>': 'default: a new organisation' },
  async run(
    { store },
    { name = 'application', organization, redirect = [], compat = 'none', ...more },
  ) {
    const { allow = [], address = [], expires } = more
    requireRedirects(redirect)
    if (organization === '') throw new UsageError('--organization must have at least one character')
    const made = await createApplication(
      { store, clock: createSystemClock() },
      {
        name,
        organizationId: organization,
        redirectUrls: redirect,
        compat: COMPATS[compat],
        allows: rightsIn(allow),
        addresses: addressesIn(address),
        secretEndsAt: endIn(expires),
      },
    )
    const { clientId, clientSecret, organizationId } = made
    return {
      value: { client_id: clientId, client_secret: clientSecret, organization_id: organizationId },
    }
  },
})

function changing(
  run: (store: Store, id: string, flags: ChangeFlags, folder: string) => Promise<object>,
  fields: Partial<typeof CHANGES> = {},
): Configure {
  return workOnStore({
    arguments: { '<client-id>': 'the application' },
    options: fields,
    run: async ({ store }, given, { folder }) => ({
      value: await run(store, given.clientId, given, folder),
    }),
  })
}

export const configure: Configure = family({
  create: ['make an application; its secret is shown once', create],
  list: ['show all applications', list],
  update: ['change name, logo, colour, addresses or answers', changing(update, CHANGES)],
  'rotate-secret': ['give it another secret; the one before may be good for a while', rotate],
  'end-secrets': ['end the secrets before the newest one', changing(endEarlier)],
  disable: ['end all its tokens and mint no more', changing(switchTo({ disabled: true }))],
  enable: ['let it mint tokens again', changing(switchTo({ disabled: false }))],
})

async function update(
  store: Store,
  id: string,
  flags: ChangeFlags,
  folder: string,
): Promise<object> {
  const { name, redirect, compat, address, allow, logo, accent } = flags
  if ([name, redirect, compat, address, allow, logo, accent].every((flag) => flag === undefined))
    throw new UsageError(
      'nothing to change: give --name, --redirect, --compat, --address, --allow, --logo or --accent',
    )
  requireRedirects(redirect ?? [])
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(redirect === undefined ? {} : { redirectUrls: redirect }),
    ...(compat === undefined ? {} : { compat: COMPATS[compat] }),
    ...(address === undefined ? {} : { addresses: addressesIn(address) }),
    ...(allow === undefined ? {} : { allows: rightsIn(allow) }),
    ...(logo === undefined ? {} : { logo: await logoIn(folder, logo) }),
    ...(accent === undefined ? {} : { accent: accentIn(accent) }),
  }
  requireKnown(await changeApplication(store, id, change, { verb: 'update' }), id)
  const row = await store.applications.byClientId(id)
  return row === null ? {} : shown(row)
}

async function endEarlier(store: Store, id: string): Promise<object> {
  const ended = await endEarlierSecrets(store, id)
  requireKnown(ended !== null, id)
  return { client_id: id, ended }
}

/** Throws UsageError for what is no time to come. */
function endIn(text: string | undefined): number | null {
  if (text === undefined) return null
  const endsAt = Date.parse(text)
  if (endsAt > Date.now()) return endsAt
  throw new UsageError(`--expires ${text} is no time to come, such as 2027-03-01T00:00:00Z`)
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** For people: what tells most first. */
function told({ name = null, client_id: id = null, disabled, ...rest }: JsonObject): JsonObject {
  const { secret_used_at: used = null, secret_ends_at: ends = null } = rest
  const { refused_last_day: refused = null } = rest
  const state = disabled === true ? 'disabled' : 'enabled'
  return {
    name,
    state,
    client_id: id,
    secret_used_at: used,
    secret_ends_at: ends,
    refused_last_day: refused,
    ...rest,
  }
}

function secretFacts(row: ApplicationRow, secrets: readonly ApplicationSecretRow[]): JsonObject {
  const own = secrets.filter(({ clientId }) => clientId === row.clientId)
  const { newest, earlier } = secretsInUse(row, own, Date.now())
  const ends = earlier.map(({ endsAt }) => endsAt ?? 0)
  return {
    secret_made_by: newest?.madeBy ?? null,
    secret_used_at: timeOrNull(newest?.usedAt ?? null),
    secret_ends_at: timeOrNull(newest?.endsAt ?? null),
    earlier_secrets_until: timeOrNull(ends.length === 0 ? null : Math.max(...ends)),
  }
}

/** What the audit log has of refused uses. */
async function refusedIn(
  store: Store,
  rows: readonly ApplicationRow[],
): Promise<(row: ApplicationRow) => JsonObject> {
  const clock = createSystemClock()
  const organizations = [...new Set(rows.map(({ organizationId }) => organizationId))]
  const found = new Map(
    await Promise.all(
      organizations.map(async (id) => [id, await refusedUses({ store, clock }, id)] as const),
    ),
  )
  return ({ organizationId, clientId }) => {
    const uses = found.get(organizationId)?.(clientId)
    const { lastDay = 0, lastWeek = 0, isAtLeast = false, reasons = [], last = null } = uses ?? {}
    return {
      refused_last_day: lastDay,
      refused_last_week: lastWeek,
      refused_at_least: isAtLeast,
      refused_for: reasons.map(({ reason }) => reason),
      refused_last_at: timeOrNull(last?.at ?? null),
      refused_last_from: last?.address ?? null,
    }
  }
}

function switchTo({ disabled }: { readonly disabled: boolean }) {
  return async (store: Store, id: string): Promise<object> => {
    const change = { disabledAt: disabled ? Date.now() : null }
    const known = await changeApplication(store, id, change, {
      verb: disabled ? 'disable' : 'enable',
    })
    requireKnown(known, id)
    return { client_id: id, disabled }
  }
}

function requireKnown(known: boolean, id: string): void {
  if (!known) throw new UsageError(`there is no application "${id}"; tenon apps list shows them`)
}

function requireRedirects(urls: readonly string[]): void {
  for (const url of urls) {
    const problem = redirectUrlProblem(url, true)
    if (problem !== null) throw new UsageError(`--redirect ${url} ${problem}`)
  }
}

/** Throws UsageError for what is no address and no network. */
function addressesIn(given: readonly string[]): readonly string[] {
  if (given.length === 1 && given[0] === 'none') return []
  if (given.length > MAX_ADDRESSES)
    throw new UsageError(`--address takes ${MAX_ADDRESSES} addresses and networks at most`)
  const { addresses, wrong } = readAddresses(given)
  const [first] = wrong
  if (first === undefined) return addresses
  throw new UsageError(`--address ${first.text} ${first.problem}`)
}

/** Null: `none`. Throws UsageError for a file that cannot be the picture. */
async function logoIn(folder: string, name: string): Promise<Uint8Array | null> {
  if (name === 'none') return null
  const file = await readFile(resolve(folder, name)).catch(() => {
    throw new UsageError(`--logo ${name} cannot be read`)
  })
  const problem = logoProblem(file)
  if (problem !== null) throw new UsageError(`--logo ${name} ${problem}`)
  return file
}

/** Null: `none`. Throws UsageError for what is no colour. */
function accentIn(text: string): string | null {
  if (text === 'none') return null
  const problem = accentProblem(text)
  if (problem !== null) throw new UsageError(`--accent ${text} ${problem}`)
  return text.toLowerCase()
}

const COMPATS: Readonly<Record<Compat | 'none', Compat | null>> = {
  none: null,
  'agent-sdk': 'agent-sdk',
}

/** Throws UsageError for a word that is no right. */
function rightsIn(words: readonly string[]): readonly ApplicationRight[] {
  if (words.length === 1 && words[0] === 'none') return []
  return words.map((word) => {
    const right = APPLICATION_RIGHTS.find((each) => each === word)
    if (right !== undefined) return right
    throw new UsageError(`--allow ${word}: there are ${APPLICATION_RIGHTS.join(', ')}, and none`)
  })
}

function shown(row: ApplicationRow): JsonObject {
  return {
    client_id: row.clientId,
    organization_id: row.organizationId,
    name: row.name,
    redirect_urls: row.redirectUrls,
    compat: row.compat,
    allows: row.allows,
    addresses: row.addresses,
    has_logo: row.logoHash !== null,
    accent: row.accent,
    created_at: new Date(row.createdAt).toISOString(),
    disabled: row.disabledAt !== null,
  }
}
