// The bodies of routes as TypeScript, made of the schemas in the route table: src/client/service-bodies.ts.
//
//   node scripts/service-types.ts            writes it
//   node scripts/service-types.ts --check    exits 1 when it is not what it would be
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'
import { createService } from '../src/hosting/service.ts'
import type { Json, JsonObject } from '../src/language/json/json.ts'
import { own } from '../src/language/json/own.ts'
import { lastSyncRoutes } from '../src/service/console/last-sync-routes.ts'
import { manifestRoutes } from '../src/service/console/manifest-routes.ts'
import { settingsRoutes } from '../src/service/console/settings-routes.ts'
import { sessionRoutes } from '../src/service/console/session-routes.ts'
import type { Route } from '../src/service/route.ts'
import { EVENT_TYPES } from '../src/client/webhooks/event.ts'

const FILE = 'src/client/service-bodies.ts'

interface Wanted {
  /** The name of the type, and what it is. */
  readonly name: string
  readonly about: string
  readonly schema: JsonObject
}

function schemas(routes: readonly Route[], problem: JsonObject): readonly Wanted[] {
  const route = (name: string): Route => {
    const found = routes.find((each) => each.name === name)
    if (found === undefined) throw new TypeError(`no route ${name}`)
    return found
  }
  const answer = (name: string): JsonObject => {
    const [success] = route(name).success
    if (success?.schema == null) throw new TypeError(`${name} answers nothing`)
    return success.schema as JsonObject
  }
  const body = (name: string): JsonObject => {
    const given = route(name).body
    if (given === null) throw new TypeError(`${name} takes nothing`)
    return given.schema
  }
  const items = (name: string): JsonObject => inside(answer(name), 'properties', 'data', 'items')
  const [envelope, hits] = answer('execute')['anyOf'] as readonly JsonObject[]
  const wanted: Readonly<Record<string, readonly [about: string, schema: JsonObject]>> = {
    ConnectorInstance: [
      'A connector instance as the service shows it.',
      answer('getConnectorInstance'),
    ],
    NewInstanceBody: ['Every member of a creation.', body('createConnectorInstance')],
    InstanceChange: ['What is left out stays.', body('updateConnectorInstance')],
    InstanceCheck: ['Whether the credentials work.', answer('checkConnectorInstance')],
    InstanceAccess: ['How long its token lives, and its scopes.', answer('getAccess')],
    SyncStatus: ['How the copy of one entity is.', items('getSync')],
    SyncStart: ['What is synchronized: all entities by default.', body('startSync')],
    StartedSync: ['A run that was asked for.', items('startSync')],
    SyncConfirmation: ['What became of a suspicious listing.', answer('confirmSync')],
    SyncUndone: ['What is back of what a run removed.', answer('undoSync')],
    Execution: [
      'What a service tells of one operation.',
      inside(envelope, 'properties', 'execution'),
    ],
    SearchAnswer: ['One page of hits.', hits as JsonObject],
    RecordChange: ['A record that was added, updated or removed.', items('listChanges')],
    ChangesAnswer: ['A page of changes of a copy.', answer('listChanges')],
    OAuthStart: ['A consent to begin.', body('initiateOAuth')],
    OAuthConsent: ['Where the browser goes.', answer('initiateOAuth')],
    ReturnUrls: ['The allow-list of the application.', answer('listReturnUrls')],
    NewConnectSession: ['A link to be made.', body('createConnectSession')],
    ConnectSession: ['A link for an end user.', answer('createConnectSession')],
    ScopedTokenRequest: ['What a token is for.', body('mintScopedToken')],
    ScopedToken: ['A token for one end user.', answer('mintScopedToken')],
    Redelivered: ['For how many webhooks.', answer('redeliverEvent')],
    NewWebhook: ['A webhook to be made.', body('createWebhook')],
    Webhook: ['Without its secret.', answer('getWebhook')],
    WebhookWithSecret: ['Shown once.', answer('createWebhook')],
    WebhookChange: ['What is left out stays.', body('updateWebhook')],
    SecretRotation: ['How it is changed.', body('rotateWebhookSecret')],
    WebhookTest: ['What the receiver said.', answer('testWebhook')],
    WebhookDelivery: ['An event on its way to a webhook.', items('listWebhookDeliveries')],
    AuditEvent: ['Who did what.', items('listAudit')],
    ErasedUser: ['What an erasure removed.', answer('eraseUser')],
    Problem: ['Why a request failed.', problem],
    ConnectorType: ['A connector in the list.', items('listConnectorTypes')],
    ConnectorTypeDetail: ['What a connector takes and can do.', answer('getConnectorType')],
    InstancePage: ['A page of the list.', answer('listConnectorInstances')],
    DeliveryPage: ['A page of the list.', answer('listWebhookDeliveries')],
    Described: ['What a token can do on an instance.', answer('describeConnectorInstance')],
    Envelope: ['What an operation answers.', envelope as JsonObject],
    Preview: ['What would be sent, secrets masked.', answer('preview')],
    SignInWays: ['How people sign in to the console.', answer('consoleSignInWays')],
    ConsoleSession: ['Who is signed in to the console.', answer('consoleSession')],
    ConsoleApplication: ['A host app.', items('consoleApplications')],
    ConsoleApplications: ['Host apps.', answer('consoleApplications')],
    CheckedAddresses: ['A list of addresses as it is read.', answer('consoleCheckAddresses')],
    ApplicationSecret: ['Shown once.', answer('consoleRotateSecret')],
    ConsolePeople: ['Who signed in, and what each role may do.', answer('consolePeople')],
    ConsoleConnector: ['A connector and its OAuth client.', items('consoleConnectors')],
    StoredOAuthClient: ['An OAuth client that is kept.', items('listOAuthClients')],
    LogEntry: ['One thing that happened.', items('listLogs')],
    LogPage: ['A page of the list.', answer('listLogs')],
    LogDetail: ['An entry with its steps.', answer('getLog')],
    LogFigures: ['What happened, in figures.', answer('logSummary')],
    ConsoleLastSync: ['The copies of one instance in a line.', items('consoleLastSyncs')],
    ConsoleFailingSyncs: ['The copies that fail.', answer('consoleFailingSyncs')],
    ManifestCheck: ['What the linter says of a text.', answer('consoleManifestCheck')],
    ManifestDraft: ['What became of a document.', answer('consoleManifestDraft')],
    ManifestPreview: ['With its parameters, given or made up.', answer('consoleManifestPreview')],
    ManifestVersion: ['A published version, without its text.', items('listManifests')],
    ManifestVersionText: ['A published version.', answer('getManifest')],
    PublishedResult: ['What a change means, done or tried.', answer('publishManifest')],
    ManifestRun: [
      'The answer of a local vendor or of an account, and what was sent and came back for it.',
      answer('consoleManifestRun'),
    ],
  }
  return Object.entries(wanted).map(([name, [about, schema]]) => ({ name, about, schema }))
}

/** A schema inside of another one. */
function inside(schema: Json | undefined, ...path: readonly string[]): JsonObject {
  return path.reduce((found, name) => own(found, name), schema) as JsonObject
}

const TYPES = Object.keys(EVENT_TYPES).join()

/**
 * Known members only: new ones may come, and nobody could rely on them. An object without known members is any object.
 * Types of events have a type of their own.
 */
function shaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shaped)
  if (typeof value !== 'object' || value === null) return value
  const { minItems: _, maxItems: __, ...known } = value as JsonObject
  const { enum: values, type, properties, additionalProperties, ...rest } = known
  if (Array.isArray(values) && values.join() === TYPES) return { tsType: 'EventType' }
  // What is only described can be any value.
  if (typeof rest['description'] === 'string' && Object.keys(known).length === 1)
    return { ...rest, tsType: 'unknown' }
  const types = [type].flat()
  if (types.includes('object') && properties === undefined && additionalProperties === undefined)
    return { ...rest, tsType: types.length > 1 ? 'object | null' : 'object' }
  const members = Object.entries(known).map(([name, member]) => [name, shaped(member)])
  const schema = Object.fromEntries(members) as JsonObject
  return 'properties' in schema ? { ...schema, additionalProperties: false } : schema
}

const OPTIONS = { bannerComment: '', format: false, ignoreMinAndMaxItems: true }
const HEAD = `// Made by scripts/service-types.ts of the schemas of the routes. Do not edit.
import type { EventType } from './webhooks/event.ts'
`

async function typesOf(routes: readonly Route[], problem: JsonObject): Promise<string> {
  const parts: string[] = []
  for (const { name, about, schema } of schemas(routes, problem)) {
    const described = { ...(shaped(schema) as JsonObject), description: about }
    parts.push(await compile(described, name, OPTIONS))
  }
  const settings = { ...(await resolveConfig(FILE)), filepath: FILE }
  const text = await format([HEAD, ...parts].join('\n'), settings)
  const frozen = text
    .replaceAll(/^( +)(\w+\??:)(?= |$)/gm, '$1readonly $2')
    .replaceAll(/([:|]) (\w+\[\])/g, '$1 readonly $2')
    .replaceAll(/^( +)(readonly \w+\??: )(\{\n(?:\1 .*\n)*\1\}\[\])/gm, '$1$2readonly $3')
    .replaceAll('[k: string]: {', 'readonly [k: string]: {')
    .replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */')
  // Lines are longer now.
  return await format(frozen, settings)
}

/** What the console's routes call; here they are only read. */
const UNUSED = {} as never

const folder = mkdtempSync(join(tmpdir(), 'tenon-service-types-'))
const service = await createService({ mode: 'dev', data: folder, logLevel: 'silent', jobs: false })
try {
  const text = await typesOf(
    [
      ...service.routes,
      ...lastSyncRoutes(UNUSED),
      ...manifestRoutes(UNUSED, UNUSED),
      ...settingsRoutes(UNUSED, () => []),
      ...sessionRoutes(UNUSED),
    ],
    inside(service.openApi() ?? {}, 'components', 'schemas', 'Problem'),
  )
  const isCheck = process.argv.includes('--check')
  let before: string | null = null
  try {
    before = readFileSync(FILE, 'utf8')
  } catch {
    // The first time.
  }
  if (before !== text) {
    process.stdout.write(`${isCheck ? 'stale' : 'written'} ${FILE}\n`)
    if (isCheck) process.exitCode = 1
    else writeFileSync(FILE, text)
  }
} finally {
  await service.close()
  rmSync(folder, { recursive: true })
}
