// What each role may do at the console, in the words of people: the service decides by it, and the console offers by it.

/** The later ones may all that those before them may. */
export type Role = 'viewer' | 'developer' | 'administrator'

/** From least to most. */
export const ROLES: readonly Role[] = ['viewer', 'developer', 'administrator']

/** What somebody may do, and the least role that may. */
interface Right {
  readonly role: Role
  readonly words: string
}

export type RightName =
  | 'accounts'
  | 'syncs'
  | 'events'
  | 'logs'
  | 'operations'
  | 'connecting'
  | 'syncing'
  | 'delivering'
  | 'drafting'
  | 'deleting'
  | 'webhooks'
  | 'applications'
  | 'people'
  | 'clients'
  | 'publishing'
  | 'trying'
  | 'audit'
  | 'users'

export const MAY: Readonly<Record<RightName, Right>> = {
  accounts: { role: 'viewer', words: 'See connectors, accounts and their state' },
  syncs: { role: 'viewer', words: 'See how copies are doing' },
  events: { role: 'viewer', words: 'See events, webhooks and deliveries' },
  logs: { role: 'viewer', words: 'See and export logs, without parameters and answers' },
  operations: { role: 'developer', words: 'Run operations, read and search records' },
  connecting: { role: 'developer', words: 'Connect, change and check accounts' },
  syncing: { role: 'developer', words: 'Start syncs, confirm and undo deletions' },
  delivering: { role: 'developer', words: 'Test webhooks, deliver events again' },
  drafting: { role: 'developer', words: 'Read manifests, write and try drafts' },
  deleting: { role: 'administrator', words: 'Delete accounts' },
  webhooks: { role: 'administrator', words: 'Make, change and delete webhooks' },
  applications: { role: 'administrator', words: 'Manage applications and their secrets' },
  people: { role: 'administrator', words: 'Give roles, remove people and let them in again' },
  clients: { role: 'administrator', words: 'Set up connectors and their OAuth clients' },
  publishing: { role: 'administrator', words: 'Publish manifests, go back to earlier versions' },
  trying: { role: 'administrator', words: 'Run drafts of manifests on accounts' },
  audit: { role: 'administrator', words: 'Read and export the audit log' },
  users: { role: 'administrator', words: 'Export and erase end users' },
}

export function hasRight(role: Role, right: RightName): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(MAY[right].role)
}
