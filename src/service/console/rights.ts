// What people may do at the console: the one table of who may call which route there.
import { hasRight, MAY, type RightName, type Role, ROLES } from '../../display/rights.ts'
import { ConnectorError } from '../../errors.ts'
import type { Principal } from '../tokens/principal.ts'

/** Every route there is. */
export type RouteName =
  | 'listConnectorTypes'
  | 'getConnectorType'
  | 'getLimits'
  | 'listConnectorInstances'
  | 'listConnectorsForUser'
  | 'listInstancesForUser'
  | 'listWorkspaces'
  | 'getConnectorInstance'
  | 'describeConnectorInstance'
  | 'getAccess'
  | 'getVendorWebhooks'
  | 'getSync'
  | 'listEvents'
  | 'listWebhooks'
  | 'getWebhook'
  | 'listWebhookDeliveries'
  | 'listReturnUrls'
  | 'listLogs'
  | 'logSummary'
  | 'exportLogs'
  | 'getLog'
  | 'consoleLastSyncs'
  | 'consoleFailingSyncs'
  | 'listAudit'
  | 'exportAudit'
  | 'exportUser'
  | 'eraseUser'
  | 'consoleApplications'
  | 'consoleCheckAddresses'
  | 'consoleNewApplication'
  | 'consoleChangeApplication'
  | 'consoleLogo'
  | 'consoleRotateSecret'
  | 'consoleEndSecrets'
  | 'consolePeople'
  | 'consoleChangePerson'
  | 'consoleConnectors'
  | 'execute'
  | 'request'
  | 'preview'
  | 'listChanges'
  | 'createConnectorInstance'
  | 'updateConnectorInstance'
  | 'checkConnectorInstance'
  | 'initiateOAuth'
  | 'createConnectSession'
  | 'startSync'
  | 'confirmSync'
  | 'undoSync'
  | 'testWebhook'
  | 'redeliverEvent'
  | 'consoleManifest'
  | 'consoleManifestCheck'
  | 'consoleManifestDraft'
  | 'consoleManifestTypes'
  | 'consoleManifestPreview'
  | 'consoleManifestRun'
  | 'consoleManifestTry'
  | 'consoleManifestTryPreview'
  | 'consoleExample'
  | 'listManifests'
  | 'getManifest'
  | 'publishManifest'
  | 'rollBackManifest'
  | 'unpublishManifest'
  | 'listOAuthClients'
  | 'putOAuthClient'
  | 'deleteOAuthClient'
  | 'deleteConnectorInstance'
  | 'createWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'mintApplicationToken'
  | 'mintScopedToken'
  | 'revokeToken'
  | 'oauthConsent'
  | 'oauthCallback'
  | 'receiveVendorWebhook'
  | 'answerVendorWebhook'
  | 'receiveInstanceWebhook'
  | 'answerInstanceWebhook'
  | 'consoleSignIn'
  | 'consoleSignInWays'
  | 'consoleOpenIdStart'
  | 'consoleOpenIdEnd'
  | 'consoleSession'
  | 'consoleSignOut'

/**
 * The right that a route with a session of the console needs; null: nobody has it, because the route proves its caller in
 * another way or is for programs. The compiler names a route without a line here.
 */
export const RIGHTS: Readonly<Record<RouteName, RightName | null>> = {
  listConnectorTypes: 'accounts',
  getConnectorType: 'accounts',
  getLimits: 'accounts',
  listConnectorInstances: 'accounts',
  listConnectorsForUser: 'accounts',
  listInstancesForUser: 'accounts',
  listWorkspaces: 'accounts',
  getConnectorInstance: 'accounts',
  describeConnectorInstance: 'accounts',
  getAccess: 'accounts',
  getVendorWebhooks: 'accounts',
  listReturnUrls: 'accounts',

  getSync: 'syncs',
  consoleLastSyncs: 'syncs',
  consoleFailingSyncs: 'syncs',

  listEvents: 'events',
  listWebhooks: 'events',
  getWebhook: 'events',
  listWebhookDeliveries: 'events',

  listLogs: 'logs',
  logSummary: 'logs',
  exportLogs: 'logs',
  // Parameters and answers are for those who may run operations.
  getLog: 'logs',

  execute: 'operations',
  request: 'operations',
  preview: 'operations',
  listChanges: 'operations',
  consoleExample: 'operations',

  createConnectorInstance: 'connecting',
  updateConnectorInstance: 'connecting',
  checkConnectorInstance: 'connecting',
  initiateOAuth: 'connecting',
  createConnectSession: 'connecting',

  startSync: 'syncing',
  confirmSync: 'syncing',
  undoSync: 'syncing',

  testWebhook: 'delivering',
  redeliverEvent: 'delivering',

  consoleManifest: 'drafting',
  consoleManifestCheck: 'drafting',
  consoleManifestDraft: 'drafting',
  consoleManifestTypes: 'drafting',
  consoleManifestPreview: 'drafting',
  consoleManifestRun: 'drafting',
  listManifests: 'drafting',
  getManifest: 'drafting',

  // It may ask for anything that the credentials of the account reach, as what is published may.
  consoleManifestTry: 'trying',
  consoleManifestTryPreview: 'trying',

  deleteConnectorInstance: 'deleting',

  createWebhook: 'webhooks',
  updateWebhook: 'webhooks',
  deleteWebhook: 'webhooks',
  rotateWebhookSecret: 'webhooks',

  consoleApplications: 'applications',
  consoleCheckAddresses: 'applications',
  consoleNewApplication: 'applications',
  consoleChangeApplication: 'applications',
  consoleLogo: 'applications',
  consoleRotateSecret: 'applications',
  consoleEndSecrets: 'applications',

  consolePeople: 'people',
  consoleChangePerson: 'people',

  consoleConnectors: 'clients',
  listOAuthClients: 'clients',
  putOAuthClient: 'clients',
  deleteOAuthClient: 'clients',

  publishManifest: 'publishing',
  rollBackManifest: 'publishing',
  unpublishManifest: 'publishing',

  listAudit: 'audit',
  exportAudit: 'audit',

  exportUser: 'users',
  eraseUser: 'users',

  // Programs mint tokens; the others prove their callers themselves.
  mintApplicationToken: null,
  mintScopedToken: null,
  revokeToken: null,
  oauthConsent: null,
  oauthCallback: null,
  receiveVendorWebhook: null,
  answerVendorWebhook: null,
  receiveInstanceWebhook: null,
  answerInstanceWebhook: null,
  consoleSignIn: null,
  consoleSignInWays: null,
  consoleOpenIdStart: null,
  consoleOpenIdEnd: null,
  consoleSession: null,
  consoleSignOut: null,
}

/** What each role may do that those before it may not. */
export interface RoleRights {
  readonly role: Role
  readonly about: string
  readonly may: readonly string[]
}

const ABOUT: Readonly<Record<Role, string>> = {
  viewer: 'Reading what is connected, and how it does. No records of end users.',
  developer: 'Records of end users, operations, and what changes connections.',
  administrator: 'Deletion, people, and what holds for the whole organisation.',
}

/** Of the routes that there are. */
export function rightsOf(routes: readonly { readonly name: RouteName }[]): readonly RoleRights[] {
  const used = new Set(routes.map(({ name }) => RIGHTS[name]))
  const rights = (Object.keys(MAY) as RightName[]).filter((right) => used.has(right))
  return ROLES.map((role) => ({
    role,
    about: ABOUT[role],
    may: rights.filter((right) => MAY[right].role === role).map((right) => MAY[right].words),
  }))
}

/** Routes where callers prove who they are. */
const PROOFS: ReadonlyMap<string, string> = new Map<RouteName, string>([
  ['mintApplicationToken', 'Obtain an application token'],
  ['consoleSignIn', 'Sign in to the console'],
  ['consoleOpenIdEnd', 'Sign in to the console'],
])

/** What a route is for, by the right that it needs; null: it needs none, or another version had it. */
export function routeWords(route: string): string | null {
  const proof = PROOFS.get(route)
  if (proof !== undefined) return proof
  const right = Object.entries(RIGHTS).find(([name]) => name === route)?.[1] ?? null
  return right === null ? null : MAY[right].words
}

/** Whether a person with this role may call a route with their session. */
export function mayCall(role: Role, route: RouteName): boolean {
  const right = RIGHTS[route]
  return right !== null && hasRight(role, right)
}

/** Throws `scope_denied` for a person whose role does not reach. Who signed in with a secret is the application itself. */
export function requireRight({ person }: Pick<Principal, 'person'>, route: RouteName): void {
  if (person === undefined || mayCall(person.role, route)) return
  const right = RIGHTS[route]
  const needed = right === null ? 'a program with a token' : MAY[right].role
  throw new ConnectorError(
    'scope_denied',
    `your role is ${person.role}; this needs ${needed}. An administrator gives roles under Settings, People, and so does somebody who signs in with the secret of an application`,
  )
}
