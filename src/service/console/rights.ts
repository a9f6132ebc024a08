// What people may do at the console: the one table of who may call which route there.
import { ConnectorError } from '../../errors.ts'
import type { Role } from '../store/people.ts'
import type { Principal } from '../tokens/principal.ts'

/** From least to most: each may what those before it may. */
export const ROLES: readonly Role[] = ['viewer', 'developer', 'administrator']

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
 * The least role that may call a route with a session of the console; null: nobody may, because the route proves its
 * caller in another way or is for programs. The compiler names a route without a line here.
 */
export const RIGHTS: Readonly<Record<RouteName, Role | null>> = {
  listConnectorTypes: 'viewer',
  getConnectorType: 'viewer',
  getLimits: 'viewer',
  listConnectorInstances: 'viewer',
  listConnectorsForUser: 'viewer',
  listInstancesForUser: 'viewer',
  listWorkspaces: 'viewer',
  getConnectorInstance: 'viewer',
  describeConnectorInstance: 'viewer',
  getAccess: 'viewer',
  getVendorWebhooks: 'viewer',
  getSync: 'viewer',
  listEvents: 'viewer',
  listWebhooks: 'viewer',
  getWebhook: 'viewer',
  listWebhookDeliveries: 'viewer',
  listReturnUrls: 'viewer',
  listLogs: 'viewer',
  logSummary: 'viewer',
  exportLogs: 'viewer',
  // Parameters and answers are for those who may run operations.
  getLog: 'viewer',
  consoleLastSyncs: 'viewer',
  consoleFailingSyncs: 'viewer',

  execute: 'developer',
  request: 'developer',
  preview: 'developer',
  listChanges: 'developer',
  createConnectorInstance: 'developer',
  updateConnectorInstance: 'developer',
  checkConnectorInstance: 'developer',
  initiateOAuth: 'developer',
  createConnectSession: 'developer',
  startSync: 'developer',
  confirmSync: 'developer',
  undoSync: 'developer',
  testWebhook: 'developer',
  redeliverEvent: 'developer',
  consoleManifest: 'developer',
  consoleManifestCheck: 'developer',
  consoleManifestDraft: 'developer',
  consoleManifestTypes: 'developer',
  consoleManifestPreview: 'developer',
  consoleManifestRun: 'developer',
  consoleExample: 'developer',
  listManifests: 'developer',
  getManifest: 'developer',

  deleteConnectorInstance: 'administrator',
  createWebhook: 'administrator',
  updateWebhook: 'administrator',
  deleteWebhook: 'administrator',
  rotateWebhookSecret: 'administrator',
  listAudit: 'administrator',
  exportAudit: 'administrator',
  exportUser: 'administrator',
  eraseUser: 'administrator',
  consoleApplications: 'administrator',
  consoleNewApplication: 'administrator',
  consoleChangeApplication: 'administrator',
  consoleLogo: 'administrator',
  consoleRotateSecret: 'administrator',
  consoleEndSecrets: 'administrator',
  consolePeople: 'administrator',
  consoleChangePerson: 'administrator',
  consoleConnectors: 'administrator',
  publishManifest: 'administrator',
  rollBackManifest: 'administrator',
  unpublishManifest: 'administrator',
  listOAuthClients: 'administrator',
  putOAuthClient: 'administrator',
  deleteOAuthClient: 'administrator',

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

/** What each role may do that those before it may not: one line for all of it, and the summaries of its routes. */
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

export function rightsOf(
  routes: readonly { readonly name: RouteName; readonly summary: string }[],
): readonly RoleRights[] {
  return ROLES.map((role) => ({
    role,
    about: ABOUT[role],
    may: routes.filter(({ name }) => RIGHTS[name] === role).map(({ summary }) => summary),
  }))
}

/** Whether a person with this role may call a route with their session. */
export function mayCall(role: Role, route: RouteName): boolean {
  const least = RIGHTS[route]
  return least !== null && ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** Throws `scope_denied` for a person whose role does not reach. Who signed in with a secret is the application itself. */
export function requireRight({ person }: Pick<Principal, 'person'>, route: RouteName): void {
  if (person === undefined || mayCall(person.role, route)) return
  throw new ConnectorError(
    'scope_denied',
    `your role is ${person.role}; this needs ${RIGHTS[route] ?? 'a program with a token'}. An administrator gives roles under Settings, People`,
  )
}
