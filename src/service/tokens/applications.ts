// Applications: the host apps that may ask for tokens.
import type { Clock } from '../../engine/exchange/clock.ts'
import type {
  ApplicationPatch,
  ApplicationRight,
  ApplicationRow,
  ApplicationSecretRow,
  Compat,
} from '../store/applications-and-tokens.ts'
import { timeText } from '../store/instance-view.ts'
import type { Store } from '../store/store.ts'
import { uuidv7 } from '../store/uuid.ts'
import { type Actor, actorOf, auditOf, COMMAND_LINE, SERVICE } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { hashSecret, mintToken } from './token-text.ts'

/** A new application with its secret, which is shown once and kept as a hash. */
export interface NewApplication {
  readonly clientId: string
  readonly clientSecret: string
  readonly organizationId: string
}

/** Every right that can be given. */
export const APPLICATION_RIGHTS: readonly ApplicationRight[] = ['request']

/** Of the first application, and of callers with the development token. */
export const FIRST_ORGANIZATION = 'default'
const FIRST_CLIENT = 'default'

/** Who changes an application, and in which request. */
export interface By extends Omit<Actor, 'organizationId'> {
  readonly requestId: string | null
}

const BY_COMMAND: By = { clientId: COMMAND_LINE, requestId: null }

/** Creates an application, by default with an organisation of its own. */
export async function createApplication(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  options: {
    readonly name: string
    readonly organizationId?: string | undefined
    readonly redirectUrls: readonly string[]
    /** Left out: the answers of this service. */
    readonly compat?: Compat | null
    readonly allows?: readonly ApplicationRight[]
    /** Left out: it may be used from everywhere. */
    readonly addresses?: readonly string[]
    /** Until when its secret is good; left out or null: it has no end. */
    readonly secretEndsAt?: number | null
    /** Left out: the command line. */
    readonly by?: By
  },
): Promise<NewApplication> {
  const { name, organizationId = uuidv7(clock.now()), redirectUrls } = options
  const { compat = null, allows = [], addresses = [] } = options
  const { secretEndsAt = null, by = BY_COMMAND } = options
  const clientSecret = mintToken('client_secret')
  const made = { clientId: uuidv7(clock.now()), clientSecret, organizationId }
  await insert(store, made, { name, redirectUrls, compat, allows, addresses, secretEndsAt, by })
  return made
}

/** The first application of an empty store; null when there is one. Of several processes at once, one makes it. */
export async function createFirstApplication(
  store: Store,
  given: { readonly redirectUrls: readonly string[]; readonly clientSecret: string | null },
): Promise<NewApplication | null> {
  if ((await store.applications.count()) > 0) return null
  const clientSecret = given.clientSecret ?? mintToken('client_secret')
  const made = { clientId: FIRST_CLIENT, clientSecret, organizationId: FIRST_ORGANIZATION }
  const { redirectUrls } = given
  try {
    await insert(store, made, {
      name: 'first application',
      redirectUrls,
      compat: null,
      by: { clientId: SERVICE, requestId: null },
    })
  } catch (error) {
    if ((await store.applications.byClientId(FIRST_CLIENT)) === null) throw error
    return null
  }
  return made
}

async function insert(
  { applications }: Store,
  { clientId, clientSecret, organizationId }: NewApplication,
  about: {
    readonly name: string
    readonly redirectUrls: readonly string[]
    readonly compat: Compat | null
    readonly allows?: readonly ApplicationRight[]
    readonly addresses?: readonly string[]
    readonly secretEndsAt?: number | null
    readonly by: By
  },
): Promise<void> {
  const { by, allows = [], secretEndsAt: endsAt = null, ...fields } = about
  const actor = { ...by, organizationId }
  await applications.create(
    { clientId, organizationId, secretHash: hashSecret(clientSecret), allows, ...fields },
    auditOf(actor, by.requestId, 'application.create', {
      target: clientId,
      members: [
        ...allows.map((right) => `allow ${right}`),
        ...((about.addresses ?? []).length > 0 ? ['addresses'] : []),
        ...endMembers(endsAt),
      ],
    }),
    { madeBy: actorOf(actor), endsAt },
  )
}

/** The one before may be good for so long next to a new secret. */
export const MAX_KEEP_SECONDS: number = 30 * 86_400

export interface Rotation {
  /** How long the secret before is good as well; 0: it and all before it end at once. */
  readonly keepSeconds: number
  /** null: the new one has no end. */
  readonly endsAt: number | null
  /** Left out: the command line. */
  readonly by?: By
}

/** Gives an application another secret. Null: there is no such application. */
export async function rotateSecret(
  { store: { applications }, clock }: Pick<ServiceBase, 'store' | 'clock'>,
  clientId: string,
  { keepSeconds, endsAt, by = BY_COMMAND }: Rotation,
): Promise<string | null> {
  const application = await applications.byClientId(clientId)
  if (application === null) return null
  const actor = { ...by, organizationId: application.organizationId }
  const clientSecret = mintToken('client_secret')
  const secret = { secretHash: hashSecret(clientSecret), madeBy: actorOf(actor), endsAt }
  const earlierEndsAt = keepSeconds === 0 ? null : clock.now() + keepSeconds * 1000
  const members = [
    'client_secret',
    ...(earlierEndsAt === null ? [] : [`earlier until ${timeText(earlierEndsAt)}`]),
    ...endMembers(endsAt),
  ]
  const about = { target: clientId, members }
  const audit = auditOf(actor, by.requestId, 'application.rotate_secret', about)
  const isDone = await applications.rotateSecret(clientId, secret, earlierEndsAt, audit)
  return isDone ? clientSecret : null
}

/** Ends the secrets before the newest one, which are still good. How many; null: there is no such application. */
export async function endEarlierSecrets(
  { applications }: Pick<Store, 'applications'>,
  clientId: string,
  by: By = BY_COMMAND,
): Promise<number | null> {
  const application = await applications.byClientId(clientId)
  if (application === null) return null
  const actor = { ...by, organizationId: application.organizationId }
  const about = { target: clientId, members: ['client_secret'] }
  const audit = auditOf(actor, by.requestId, 'application.end_secrets', about)
  return await applications.endEarlierSecrets(clientId, audit)
}

function endMembers(endsAt: number | null): readonly string[] {
  return endsAt === null ? [] : [`expires ${timeText(endsAt)}`]
}

/** Of the secrets of an application those that are good, or are the newest: null is what a version before this one made. */
export function secretsInUse(
  { secretHash }: Pick<ApplicationRow, 'secretHash'>,
  secrets: readonly ApplicationSecretRow[],
  now: number,
): {
  readonly newest: ApplicationSecretRow | null
  readonly earlier: readonly ApplicationSecretRow[]
} {
  const earlier = secrets.filter(
    (secret) =>
      secret.secretHash !== secretHash && secret.replacedAt !== null && (secret.endsAt ?? 0) > now,
  )
  return { newest: secrets.find((secret) => secret.secretHash === secretHash) ?? null, earlier }
}

type ChangeVerb = 'update' | 'disable' | 'enable'

/** Changes an application, and tells the audit log so. False: there is no such application. */
export async function changeApplication(
  store: Store,
  clientId: string,
  patch: ApplicationPatch,
  { verb, by = BY_COMMAND }: { readonly verb: ChangeVerb; readonly by?: By },
): Promise<boolean> {
  const application = await store.applications.byClientId(clientId)
  if (application === null) return false
  const { organizationId } = application
  const members = Object.keys(patch).map((name) => MEMBERS[name as keyof ApplicationPatch])
  const about = { target: clientId, members }
  const audit = auditOf({ ...by, organizationId }, by.requestId, `application.${verb}`, about)
  return await store.applications.update(clientId, patch, audit)
}

const MEMBERS: Readonly<Record<keyof ApplicationPatch, string>> = {
  name: 'name',
  redirectUrls: 'redirect_urls',
  compat: 'compat',
  allows: 'allow',
  addresses: 'addresses',
  disabledAt: 'disabled',
  logo: 'logo',
  accent: 'accent',
}
