// The actions of the audit log: each with what was done, in words, and what its target is.

const TARGETS = {
  account: 'the account',
  user: 'the end user, as a digest',
  operation: 'entity and action',
  request: 'method and path',
  entity: 'the entity',
  run: 'the run',
  webhook: 'the webhook',
  event: 'the event',
  application: 'the application',
  token: '`token`',
  person: 'the person, or the application that was signed in with',
  connector: 'the connector type',
  version: 'connector type and version',
  route: 'the route',
  value: 'where the value lies',
  key: 'the master key',
  service: 'the process',
} as const

/** What it was about, as a sentence that says nothing of how it ended, and what the target is. */
type Audited = readonly [words: string, target: keyof typeof TARGETS]

/** In the order in which they are offered. The compiler refuses an entry of the log whose action is not here. */
export const AUDIT_ACTIONS = {
  Accounts: {
    'instance.create': ['Connect an account', 'account'],
    'instance.update': ['Change an account', 'account'],
    'instance.delete': ['Delete an account', 'account'],
    'instance.check': ['Check the credentials of an account', 'account'],
    'instance.state': ['Change the state of an account', 'account'],
    'instance.refused': ['Take back a new account, whose credentials were refused', 'account'],
    'instance.revoke': ['End the access of an account at the third party', 'account'],
    'instance.unsubscribe': ['End a subscription to events of the third party', 'account'],
    'instance.credentials_put_back': [
      'Put back the earlier credentials, because the new ones were refused',
      'account',
    ],
    'connect.open': ['Make a connect link', 'user'],
  },
  'Credentials and consents': {
    'credentials.connected': ['Obtain credentials', 'account'],
    'credentials.refreshed': ['Refresh credentials', 'account'],
    'credentials.recovered': ['Recover credentials', 'account'],
    'oauth.start': ['Start a consent', 'user'],
    'oauth.finish': ['Finish a consent', 'user'],
    'oauth.refuse': ['End a consent without access', 'user'],
    'oauth.register': ['Register an OAuth client at the third party', 'connector'],
    'oauth_client.put': ['Keep an OAuth client', 'connector'],
    'oauth_client.remove': ['Remove an OAuth client', 'connector'],
  },
  Operations: {
    'execute.create': ['Create a record', 'operation'],
    'execute.update': ['Change a record', 'operation'],
    'execute.delete': ['Delete a record', 'operation'],
    'execute.upload': ['Upload a file', 'operation'],
    'execute.download': ['Download a file', 'operation'],
    'execute.draft': ['Run an operation of a draft', 'operation'],
    request: ['Send a request outside the manifest', 'request'],
  },
  Copies: {
    'sync.start': ['Start to synchronize an account', 'account'],
    'sync.confirm': ['Confirm deletions of a copy', 'entity'],
    'sync.undo_deletes': ['Take back deletions of a copy', 'run'],
  },
  'Webhooks and events': {
    'webhook.create': ['Make a webhook', 'webhook'],
    'webhook.update': ['Change a webhook', 'webhook'],
    'webhook.delete': ['Delete a webhook', 'webhook'],
    'webhook.rotate_secret': ['Give a webhook another secret', 'webhook'],
    'webhook.test': ['Test a webhook', 'webhook'],
    'webhook.gone': ['Switch off a webhook whose receiver is gone', 'webhook'],
    'event.redeliver': ['Deliver an event again', 'event'],
  },
  'Applications and tokens': {
    'application.create': ['Make an application', 'application'],
    'application.update': ['Change an application', 'application'],
    'application.rotate_secret': ['Give an application another secret', 'application'],
    'application.end_secrets': ['End the earlier secrets of an application', 'application'],
    'application.disable': ['Disable an application', 'application'],
    'application.enable': ['Enable an application', 'application'],
    'token.mint': ['Mint a token', 'application'],
    'token.mint_scoped': ['Mint a token for an end user', 'user'],
    'token.revoke': ['Revoke a token', 'token'],
    'token.revoke_user': ['Revoke all tokens of an end user', 'user'],
  },
  Console: {
    'console.sign_in': ['Sign in to the console', 'person'],
    'person.update': ['Change what a person may do', 'person'],
    'access.refuse': ['Had no access', 'route'],
  },
  Agents: {
    'agent.allow': ['Allow an agent to act for an end user', 'user'],
    'agent.revoke': ['End what an agent was allowed', 'user'],
    'agent.reuse': ['Use a code or token of an agent twice, which ends its access', 'user'],
    'token.mint_agent': ['Mint a token for an agent', 'user'],
  },
  'End users': {
    'user.export': ['Export an end user', 'user'],
    'user.erase': ['Erase an end user', 'user'],
  },
  Connectors: {
    'manifest.publish': ['Publish a manifest', 'version'],
    'manifest.rollback': ['Go back to an earlier version of a manifest', 'version'],
    'manifest.unpublish': ['Take back a manifest', 'version'],
  },
  Service: {
    'service.start': ['Start the service', 'service'],
    'keys.rotate': ['Wrap data keys under another master key', 'key'],
    'value.tampered': ['Find a sealed value that does not open', 'value'],
  },
} as const

type Groups = typeof AUDIT_ACTIONS
export type AuditAction = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

const KNOWN: ReadonlyMap<string, Audited> = new Map(
  Object.values(AUDIT_ACTIONS).flatMap((group) => Object.entries<Audited>(group)),
)

/** Their outcomes say something else than how they ended: the new state, the mode of the service. */
export const NAMED_OUTCOMES: readonly AuditAction[] = ['instance.state', 'service.start']

/** Of those the outcomes that say that something is wrong: they are found with what failed. */
export const WRONG_OUTCOMES: readonly string[] = ['auth_error', 'refresh_unknown']

/** How it ended; null: the outcome says something else than that. */
export function endOf(
  action: string,
  outcome: string,
): 'done' | 'denied' | 'failed' | 'uncertain' | null {
  if (NAMED_OUTCOMES.some((name) => name === action)) return null
  if (outcome === 'done') return outcome
  if (/uncertain|in part|some left/.test(outcome)) return 'uncertain'
  const isDenied = action === 'access.refuse' || /^(?:scope_denied|refused)/.test(outcome)
  return isDenied ? 'denied' : 'failed'
}

/** A refusal, of which an entry tells all of a minute. */
export interface Refusal {
  /** As the entry says it. */
  readonly firstAt: string
  /** null: it was one, or an earlier version wrote it. */
  readonly lastAt: string | null
  readonly times: number
  readonly code: string
  /** With a token for an end user, not one of the application itself. */
  readonly isOfUser: boolean
  readonly reasons: readonly string[]
}

/** null: it is none, or another version wrote it. */
export function refusalOf(event: {
  readonly action: string
  readonly outcome: string
  readonly members: readonly string[]
}): Refusal | null {
  const [, code, count] = /^(\w+), (\d+) times?$/.exec(event.outcome) ?? []
  const [first, ...others] = event.members
  if (event.action !== 'access.refuse' || code === undefined || first === undefined) return null
  const last = others.find((other) => LAST_AT.test(other))
  const reasons = others.filter((other) => other !== last)
  return {
    firstAt: first.replace(/^first at /, ''),
    lastAt: last?.replace(LAST_AT, '') ?? null,
    times: Number(count),
    code,
    isOfUser: reasons.some((reason) => OF_USER.test(reason)),
    reasons: reasons.filter((reason) => !OF_USER.test(reason)),
  }
}

const LAST_AT = /^last at (?=\d{4}-)/
const OF_USER = /^token for user:/

/** Those that act without being anybody's. */
export const UNNAMED_ACTORS: Readonly<Record<string, string>> = {
  service: 'The service',
  cli: 'The command line',
  host: 'The host app',
  receiver: 'The receiver of a webhook',
  unknown: 'Somebody unknown',
}

/** How the token of an event begins that an end user caused at the connect page, by a link of an application. */
export const OF_LINK = 'connect:'

/** Whether an end user caused an event at the connect page: its actor is the application that made the link. */
export function isByLink({ token }: { readonly token: string | null }): boolean {
  return token?.startsWith(OF_LINK) === true
}

/** Who acted, by the name they have now or else by what the log has: `plainText` of it where hostile letters could be. */
export function actorWords(actor: string, name: string | null = null): string {
  return name ?? UNNAMED_ACTORS[actor] ?? actor.replace(/^person:/, '')
}

/** What it was about; null: another version wrote it. */
export function actionWords(action: string): string | null {
  return KNOWN.get(action)?.[0] ?? null
}

const PAST: Readonly<Record<string, string>> = {
  Find: 'Found',
  Give: 'Gave',
  Go: 'Went',
  Keep: 'Kept',
  Make: 'Made',
  Put: 'Put',
  Run: 'Ran',
  Send: 'Sent',
  Take: 'Took',
  Wrap: 'Wrapped',
}

/** As what was done: `Made a webhook`; what failed or is uncertain as `Tried to make a webhook`. */
export function deedWords(action: string, outcome: string): string | null {
  const words = actionWords(action)
  if (words === null || action === 'access.refuse') return words
  if (!['done', null].includes(endOf(action, outcome)))
    return `Tried to ${words.charAt(0).toLowerCase()}${words.slice(1)}`
  return words.replace(/^\w+/, (verb) => PAST[verb] ?? `${verb}${verb.endsWith('e') ? 'd' : 'ed'}`)
}

/** Of what kind the target of an entry is; null: another version wrote it. */
export function targetKind(action: string): keyof typeof TARGETS | null {
  return KNOWN.get(action)?.[1] ?? null
}

/** What the target of an entry is. */
export function targetWords(action: AuditAction): string {
  return TARGETS[targetKind(action) ?? 'token']
}
