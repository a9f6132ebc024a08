// Applications: the host apps that may ask for tokens.
import type { Clock } from '../../engine/exchange/clock.ts'
import type {
  ApplicationPatch,
  ApplicationRight,
  Compat,
} from '../store/applications-and-tokens.ts'
import type { Store } from '../store/store.ts'
import { uuidv7 } from '../store/uuid.ts'
import { type Actor, auditOf, COMMAND_LINE, SERVICE } from '../audit.ts'
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
export interface By extends Pick<Actor, 'clientId' | 'person'> {
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
    /** Left out: the command line. */
    readonly by?: By
  },
): Promise<NewApplication> {
  const { name, organizationId = uuidv7(clock.now()), redirectUrls } = options
  const { compat = null, allows = [], by = BY_COMMAND } = options
  const clientSecret = mintToken('client_secret')
  const made = { clientId: uuidv7(clock.now()), clientSecret, organizationId }
  await insert(store, made, { name, redirectUrls, compat, allows, by })
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
    readonly by: By
  },
): Promise<void> {
  const { by, allows = [], ...fields } = about
  await applications.create(
    { clientId, organizationId, secretHash: hashSecret(clientSecret), allows, ...fields },
    auditOf({ ...by, organizationId }, by.requestId, 'application.create', {
      target: clientId,
      members: allows.map((right) => `allow ${right}`),
    }),
  )
}

/** Gives an application another secret; the old one ends at once. Null: there is no such application. */
export async function rotateSecret(
  store: Store,
  clientId: string,
  by: By = BY_COMMAND,
): Promise<string | null> {
  const clientSecret = mintToken('client_secret')
  const patch = { secretHash: hashSecret(clientSecret) }
  return (await changeApplication(store, clientId, patch, { verb: 'rotate_secret', by }))
    ? clientSecret
    : null
}

type ChangeVerb = 'update' | 'rotate_secret' | 'disable' | 'enable'

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
  secretHash: 'client_secret',
  allows: 'allow',
  disabledAt: 'disabled',
  logo: 'logo',
}
