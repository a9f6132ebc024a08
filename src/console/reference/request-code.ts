// One request of the API by the client of the package, and by the command line.
import { type Json, listIn, objectIn, textIn, writeJson } from '../api/json-text.ts'
import { fetchOfRequest, type SentRequest, valueOf } from '../code/http-code.ts'
import { literalOf, quoted, textOf } from '../code/literals.ts'
import { cliOf, typescriptOf } from '../screens/explorer/call-code.ts'

export interface ApiRequest extends Omit<SentRequest, 'url'> {
  /** The operation's id in the document. */
  readonly operation: string
  /** Where the service is. */
  readonly server: string
  /** The path of the document, with its parameters in braces. */
  readonly template: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Of the instance in the path. */
  readonly connectorType: string
}

export function pathOf({ template, path, query }: ApiRequest): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
    const value = path[name] ?? all
    return value === all ? all : encodeURIComponent(value)
  })
  const search = String(new URLSearchParams(query))
  return search === '' ? filled : `${filled}?${search}`
}

/** As it is sent: of one operation, all languages say the same. */
export function sentOf(request: ApiRequest): SentRequest {
  return { ...request, url: request.server + pathOf(request) }
}

/** With the client of the package where that has the call; else with fetch. */
export function typescriptOfRequest(request: ApiRequest): string {
  // An operation of a connector is a member of its own client.
  if (request.operation === 'execute') return typescriptOf(calledOf(request))
  const call = CLIENT_CALLS[request.operation]?.(request)
  if (call === undefined) return fetchOfRequest(sentOf(request))
  return [
    "import { serviceClient } from 'tenon'",
    '',
    'await using service = serviceClient({',
    `  baseUrl: ${textOf(request.server)},`,
    "  token: process.env['TENON_TOKEN'] ?? '',",
    '})',
    `console.log(await service.${call})`,
  ].join('\n')
}

export interface CommandOfRequest {
  readonly text: string
  /** It opens the store of the service, and asks no service. */
  readonly onStore: boolean
}

/** null: no command does this. */
export function commandOfRequest(request: ApiRequest): CommandOfRequest | null {
  const words = COMMANDS[request.operation]?.(request) ?? null
  if (words === null) return null
  if (typeof words === 'string') return { text: words, onStore: false }
  if ('onStore' in words) return { text: ['npx tenon', ...words.onStore].join(' '), onStore: true }
  return {
    text: ['npx tenon', ...words, `--url ${request.server}`].join(' '),
    onStore: false,
  }
}

type Written<T> = (request: ApiRequest) => T

/** The calls of the client of the package, `serviceClient`, by the operation that they send. */
const CLIENT_CALLS: Readonly<Record<string, Written<string>>> = {
  createConnectorInstance: ({ body }) => `instances.create(${valueOf(body)})`,
  listConnectorInstances: ({ query }) => `instances.list(${optionsOf(query)})`,
  getConnectorInstance: ({ path }) => `instances.get(${idOf(path)})`,
  updateConnectorInstance: ({ path, body }) => `instances.update(${idOf(path)}, ${valueOf(body)})`,
  deleteConnectorInstance: ({ path }) => `instances.delete(${idOf(path)})`,
  checkConnectorInstance: ({ path }) => `instances.check(${idOf(path)})`,
  initiateOAuth: ({ body }) => `oauth.initiate(${valueOf(body)})`,
  listReturnUrls: () => 'connectSessions.returnUrls()',
  createConnectSession: ({ body }) => `connectSessions.create(${valueOf(body)})`,
  listChanges: ({ path, query: { entity = '', ...rest } }) =>
    `changes.list(${idOf(path)}, ${textOf(entity)}${followed(optionsOf(rest))})`,
  getSync: ({ path, query: { history } }) =>
    `sync.status(${idOf(path)}${history === 'true' ? ', { history: true }' : ''})`,
  startSync: ({ path, body }) => `sync.trigger(${idOf(path)}${followed(valueOf(body))})`,
  listConnectorTypes: () => 'catalogue.list()',
  getConnectorType: ({ path }) => `catalogue.get(${textOf(path['connector_type'] ?? '')})`,
  listManifests: ({ query }) => `manifests.versions(${optionsOf(query)})`,
  publishManifest: ({ body }) => `manifests.publish(${textOf(textIn(objectIn(body)['text']))})`,
  getManifest: ({ path }) => `manifests.get(${versionOf(path).map(textOf).join(', ')})`,
  rollBackManifest: ({ path, body }) =>
    `manifests.rollBack(${versionOf(path, body).map(textOf).join(', ')})`,
  unpublishManifest: ({ path }) => `manifests.unpublish(${versionOf(path).map(textOf).join(', ')})`,
  listOAuthClients: () => 'oauthClients.list()',
  deleteOAuthClient: ({ path }) => `oauthClients.remove(${textOf(path['connector_type'] ?? '')})`,
  getLimits: () => 'limits()',
  mintScopedToken: ({ body }) => `tokens.scoped(${valueOf(body)})`,
  revokeToken: ({ body }) => `tokens.revoke(${valueOf(body)})`,
  eraseUser: ({ query }) => `users.erase(${textOf(query['external_user_id'] ?? '')})`,
  listEvents: ({ query }) => `events.list(${optionsOf(query)})`,
  redeliverEvent: ({ path, body }) => `events.redeliver(${idOf(path)}${followed(valueOf(body))})`,
  createWebhook: ({ body }) => `webhooks.create(${valueOf(body)})`,
  listWebhooks: () => 'webhooks.list()',
  getWebhook: ({ path }) => `webhooks.get(${idOf(path)})`,
  updateWebhook: ({ path, body }) => `webhooks.update(${idOf(path)}, ${valueOf(body)})`,
  deleteWebhook: ({ path }) => `webhooks.delete(${idOf(path)})`,
  rotateWebhookSecret: ({ path, body }) =>
    `webhooks.rotateSecret(${idOf(path)}${followed(valueOf(body))})`,
  testWebhook: ({ path }) => `webhooks.test(${idOf(path)})`,
  listWebhookDeliveries: ({ path, query: { limit } }) =>
    `webhooks.deliveries(${idOf(path)}${limit === undefined ? '' : `, { limit: ${limit} }`})`,
}

/** Words of a command that asks the service, of one that opens its store, or all of its text; null: it cannot say this request. */
type Command = readonly string[] | { readonly onStore: readonly string[] } | string | null

/** The commands, by the operation that they send, or do on the store. */
const COMMANDS: Readonly<Record<string, Written<Command>>> = {
  listConnectorInstances: instancesList,
  listConnectorsForUser: instancesList,
  listInstancesForUser: instancesList,
  getConnectorInstance: ({ path }) => ['instances show', wordOf(path)],
  deleteConnectorInstance: ({ path }) => ['instances delete', wordOf(path), '--yes'],
  checkConnectorInstance: ({ path }) => ['instances check', wordOf(path)],
  execute: (request) => cliOf(calledOf(request)),
  preview: (request) => `${cliOf(calledOf(request))} \\\n  --preview`,
  request: ({ path, body, connectorType }) => {
    const { method, path: at, query, body: sent } = objectIn(body)
    return [
      `request ${connectorType}`,
      shellWord(textIn(at)),
      ...(method === undefined || method === 'GET'
        ? []
        : [`--method ${shellWord(textIn(method))}`]),
      ...(query === undefined ? [] : [`--query ${quoted(writeJson(query))}`]),
      ...(sent === undefined ? [] : [`--json-body ${quoted(writeJson(sent))}`]),
      `--connector-id ${wordOf(path)}`,
    ]
  },
  listChanges: ({ path, query }) => [
    'changes',
    wordOf(path),
    shellWord(query['entity'] ?? ''),
    ...flag('--since', query['since']),
    ...flag('--limit', query['limit']),
  ],
  getSync: ({ path }) => ['sync status', wordOf(path)],
  startSync: ({ path, body }) => {
    const { entities, mode } = objectIn(body)
    return [
      'sync run',
      wordOf(path),
      ...listIn(entities).map(String).map(shellWord),
      ...(mode === 'full' ? ['--full'] : []),
    ]
  },
  confirmSync: ({ path, body }) => ({
    onStore: ['sync confirm', wordOf(path), shellWord(textIn(objectIn(body)['entity']))],
  }),
  undoSync: ({ path, body }) => ({
    onStore: ['sync undo-deletes', wordOf(path), shellWord(textIn(objectIn(body)['run_id']))],
  }),
  listLogs: ({ query }) => after('logs', flagsOf(query, { ...LOG_FLAGS, limit: '--limit' })),
  logSummary: ({ query }) => after('logs --figures', flagsOf(query, LOG_FLAGS)),
  exportLogs: ({ query: { form = 'ndjson', ...query } }) =>
    after(`logs --export ${form}`, flagsOf(query, LOG_FLAGS)),
  getLog: ({ path }) => ['logs', wordOf(path)],
  listAudit: ({ query }) =>
    onStore('audit list', flagsOf(query, { ...AUDIT_FLAGS, limit: '--limit' })),
  exportAudit: ({ query }) =>
    onStore('audit export', flagsOf(query, { ...AUDIT_FLAGS, form: '--form' })),
  getConnectorType: ({ path }) => `npx tenon describe ${shellWord(path['connector_type'] ?? '')}`,
  listManifests: ({ query }) => [
    'manifests versions',
    ...(query['connector_type'] === undefined ? [] : [shellWord(query['connector_type'])]),
    ...flag('--limit', query['limit']),
  ],
  publishManifest: () => ['manifests publish manifest.yaml'],
  getManifest: ({ path }) => ['manifests show', ...versionOf(path).map(shellWord)],
  rollBackManifest: ({ path, body }) => [
    'manifests rollback',
    ...versionOf(path, body).map(shellWord),
  ],
  unpublishManifest: ({ path }) => ['manifests unpublish', ...versionOf(path).map(shellWord)],
  listOAuthClients: () => ['oauth-clients list'],
  putOAuthClient: ({ body }) => {
    const { connector_type: type, client_id: id } = objectIn(body)
    const words = [textIn(type), textIn(id)].map(shellWord)
    return ['oauth-clients put', ...words, '--secret @secret.txt']
  },
  deleteOAuthClient: ({ path }) => [
    'oauth-clients remove',
    shellWord(path['connector_type'] ?? ''),
  ],
  exportUser: ({ query }) => ['users export', shellWord(query['external_user_id'] ?? '')],
  eraseUser: ({ query }) => ['users erase', shellWord(query['external_user_id'] ?? ''), '--yes'],
  listEvents: ({ query }) =>
    after('events', flagsOf(query, { cursor: '--cursor', limit: '--limit' })),
  redeliverEvent: ({ path, body }) => [
    'webhooks redeliver',
    wordOf(path),
    ...flag('--webhook', textIn(objectIn(body)['webhook_id'])),
  ],
  createWebhook: ({ body }) => [
    'webhooks create',
    shellWord(textIn(objectIn(body)['url'])),
    ...webhookFlags(body),
  ],
  listWebhooks: () => ['webhooks list'],
  getWebhook: ({ path }) => ['webhooks show', wordOf(path)],
  updateWebhook: ({ path, body }) => {
    const { url, enabled } = objectIn(body)
    return [
      'webhooks update',
      wordOf(path),
      ...flag('--address', textIn(url)),
      ...webhookFlags(body),
      ...(enabled === true ? ['--enable'] : enabled === false ? ['--disable'] : []),
    ]
  },
  deleteWebhook: ({ path }) => ['webhooks delete', wordOf(path), '--yes'],
  rotateWebhookSecret: ({ path, body }) => [
    'webhooks rotate-secret',
    wordOf(path),
    ...flag('--keep', textIn(objectIn(body)['keep_seconds'])),
  ],
  testWebhook: ({ path }) => ['webhooks test', wordOf(path)],
  listWebhookDeliveries: ({ path, query }) => [
    'webhooks deliveries',
    wordOf(path),
    ...flag('--limit', query['limit']),
  ],
}

function instancesList({ query }: ApiRequest): Command {
  return after('instances list', flagsOf(query, INSTANCE_FLAGS))
}

function webhookFlags(body: Json): readonly string[] {
  const { event_types: types, description } = objectIn(body)
  return [
    ...flag('--types', listIn(types).map(String).join(',')),
    ...flag('--description', textIn(description)),
  ]
}

function calledOf({ server, path, body, connectorType }: ApiRequest): Parameters<typeof cliOf>[0] {
  const { entity, action, params } = objectIn(body)
  return {
    origin: server,
    connectorId: path['connector_id'] ?? '',
    connectorType,
    entity: textIn(entity),
    action: textIn(action),
    params: objectIn(params),
    paged: false,
  }
}

/** Flags by the parameters of a query; a list of them is by the parameter's value. */
type Flags = Readonly<Record<string, string | Readonly<Record<string, string>>>>

const INSTANCE_FLAGS: Flags = {
  external_user_id: '--user',
  connector_type: '--type',
  state: '--state',
  name: '--name',
  limit: '--limit',
}

const LOG_FLAGS: Flags = {
  text: '--text',
  kind: '--kind',
  connector_id: '--instance',
  external_user_id: '--user',
  connector_type: '--type',
  entity: '--entity',
  action: '--action',
  status: { ok: '--ok', failed: '--failed' },
  code: '--code',
  upstream_status: '--upstream-status',
  request_id: '--request',
  from: '--since',
  to: '--until',
  min_ms: '--min-ms',
}

const AUDIT_FLAGS: Flags = {
  text: '--text',
  actor: '--actor',
  action: '--action',
  outcome: '--outcome',
  // No flag finds what is done only.
  status: { failed: '--failed' },
  target: '--target',
  address: '--address',
  token: '--token',
  request_id: '--request',
  connector_id: '--instance',
  external_user_id: '--user',
  from: '--from',
  to: '--to',
}

/** null: a parameter of the query has no flag; without it the command would find something else. */
function flagsOf(query: ApiRequest['query'], flags: Flags): readonly string[] | null {
  const written = Object.entries(query).map(([name, value]) => {
    const known = flags[name]
    return typeof known === 'object' ? known[value] : known && `${known} ${shellWord(value)}`
  })
  return written.every((each) => each !== undefined) ? written : null
}

function after(words: string, flags: readonly string[] | null): Command {
  return flags && [words, ...flags]
}

function onStore(words: string, flags: readonly string[] | null): Command {
  return flags && { onStore: [words, ...flags] }
}

function flag(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [`${name} ${shellWord(value)}`]
}

/** The one id of a path. */
function idOf(path: ApiRequest['path']): string {
  return textOf(Object.values(path)[0] ?? '')
}

/** A connector and one of its versions. */
function versionOf(path: ApiRequest['path'], body: Json = {}): readonly string[] {
  const version = path['version'] ?? textIn(objectIn(body)['version'])
  return [path['connector_type'] ?? '', version]
}

function wordOf(path: ApiRequest['path']): string {
  return shellWord(Object.values(path)[0] ?? '')
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text)
}

function followed(argument: string): string {
  return argument === '' || argument === '{}' ? '' : `, ${argument}`
}

/** Texts of a query as the client takes them: numbers as such. */
function optionsOf(query: ApiRequest['query']): string {
  const members = Object.entries(query).map(([name, value]): [string, Json] => [
    name,
    name === 'limit' ? Number(value) : value,
  ])
  return members.length === 0 ? '' : literalOf(Object.fromEntries(members))
}
