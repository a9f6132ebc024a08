// Mistakes of programs that use the package, each as it is written: what stands behind the imports and declarations of PRELUDE.

/** What the programs have in scope. */
export const PRELUDE = `
import { connect, connectHosted, isConnectorError, loadManifest, serviceClient, verifyWebhook } from 'tenon'
import type { Connectors, Manifest } from 'tenon'
import type { Acme, AcmeSettings } from './acme.ts'
declare const acme: Manifest<Acme, AcmeSettings>
declare const jira: Connectors['jira']
declare const gong: Connectors['gong']
declare const login: { username: string; password: string }
declare const site: { subdomain: string }
declare const hosted: { baseUrl: string; connectorId: string; token: string }
declare const body: string
declare const headers: Record<string, string>
`

export interface Mistake {
  readonly what: string
  readonly program: string
  /** What the compiler says: a line with the code of its error, and one more at most. */
  readonly says: readonly string[]
}

export const MISTAKES: readonly Mistake[] = [
  {
    what: 'the name of a connector',
    program: `await connect('jria', { credentials: login, config: site })`,
    says: [
      'TS2345: Argument of type \'"jria"\' is not assignable to parameter of type \'"facebook-marketing" | "github" | "gong" | "jira" | "slack" | "stripe" | Manifest<unknown, Settings>\'.',
    ],
  },
  {
    what: 'the name of a credential',
    program: `await connect('jira', { credentials: { user: 'a', password: 'b' }, config: site })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'user' does not exist in type '(() => Promise<JiraCredentials> | JiraCredentials) | JiraCredentials'.",
    ],
  },
  {
    what: 'a credential that is missing',
    program: `await connect('gong', { credentials: { access_key: 'a' } })`,
    says: [
      "TS2322: Type '{ access_key: string; }' is not assignable to type '(() => Promise<GongCredentials> | GongCredentials) | GongCredentials'.",
      "  Property 'access_key_secret' is missing in type '{ access_key: string; }' but required in type 'GongAccessKeyCredentials'.",
    ],
  },
  {
    what: 'the type of a credential',
    program: `await connect('gong', { credentials: { access_key: 'a', access_key_secret: 7 } })`,
    says: ["TS2322: Type 'number' is not assignable to type 'string'."],
  },
  {
    what: 'no settings',
    program: `await connect(acme, { credentials: { api_key: 'k' } })`,
    says: [
      "TS2345: Argument of type '{ credentials: { api_key: string; }; }' is not assignable to parameter of type 'ConnectOptions<AcmeSettings>'.",
      "  Property 'config' is missing in type '{ credentials: { api_key: string; }; }' but required in type '{ readonly config: AcmeConfig; }'.",
    ],
  },
  {
    what: 'no credentials',
    program: `await connect('gong', {})`,
    says: [
      "TS2345: Argument of type '{}' is not assignable to parameter of type 'ConnectOptions<GongSettings>'.",
      "  Property 'credentials' is missing in type '{}' but required in type 'DirectOptions<GongSettings>'.",
    ],
  },
  {
    what: 'no options',
    program: `await connect('gong')`,
    says: ['TS2554: Expected 2 arguments, but got 1.'],
  },
  {
    what: 'the name of a setting',
    program: `await connect('jira', { credentials: login, config: { subdomian: 'acme' } })`,
    says: [
      "TS2561: Object literal may only specify known properties, but 'subdomian' does not exist in type 'JiraConfig'. Did you mean to write 'subdomain'?",
    ],
  },
  {
    what: 'the name of an option',
    program: `await connect('jira', { credentials: login, config: site, timeout: 5000 })`,
    says: [
      "TS2561: Object literal may only specify known properties, but 'timeout' does not exist in type 'ConnectOptions<JiraSettings>'. Did you mean to write 'timeoutMs'?",
    ],
  },
  {
    what: 'the type of an option',
    program: `await connect('jira', { credentials: login, config: site, timeoutMs: '5s' })`,
    says: ["TS2322: Type 'string' is not assignable to type 'number'."],
  },
  {
    what: 'an option of hosted mode in direct mode',
    program: `await connect('jira', { credentials: login, config: site, baseUrl: 'https://tenon.example' })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'baseUrl' does not exist in type 'ConnectOptions<JiraSettings>'.",
    ],
  },
  {
    what: 'an option of direct mode in hosted mode',
    program: `await connectHosted('jira', { ...hosted, credentials: login })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'credentials' does not exist in type 'HostedWithToken'.",
    ],
  },
  {
    what: 'neither of them',
    program: `await connectHosted('jira', { baseUrl: hosted.baseUrl, connectorId: 'c' })`,
    says: [
      "TS2345: Argument of type '{ baseUrl: string; connectorId: string; }' is not assignable to parameter of type 'HostedOptions'.",
      "  Property 'token' is missing in type '{ baseUrl: string; connectorId: string; }' but required in type 'HostedWithToken'.",
    ],
  },
  {
    what: 'a hook that does not exist',
    program: `await connect('jira', { credentials: login, config: site, hooks: { onResponses() {} } })`,
    says: [
      "TS2561: Object literal may only specify known properties, but 'onResponses' does not exist in type 'Hooks'. Did you mean to write 'onResponse'?",
    ],
  },
  {
    what: 'something else than a manifest',
    program: `await connect({ manifest: 1 }, { credentials: login })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'manifest' does not exist in type 'Manifest<unknown, Settings>'.",
    ],
  },
  {
    what: 'a manifest whose promise was not awaited',
    program: `await connect(loadManifest('acme.yaml'), { credentials: login })`,
    says: [
      'TS2345: Argument of type \'Promise<Manifest<Client, AnySettings>>\' is not assignable to parameter of type \'"facebook-marketing" | "github" | "gong" | "jira" | "slack" | "stripe" | Manifest<unknown, Settings>\'.',
    ],
  },
  {
    what: 'a client whose promise was not awaited',
    program: `connect('jira', { credentials: login, config: site }).issues`,
    says: ["TS2339: Property 'issues' does not exist on type 'Promise<Jira>'."],
  },
  {
    what: 'the name of an entity',
    program: `await jira.isues.get({ issueIdOrKey: 'A-1' })`,
    says: ["TS2551: Property 'isues' does not exist on type 'Jira'. Did you mean 'issues'?"],
  },
  {
    what: 'the name of an action',
    program: `await jira.issues.remove({ issueIdOrKey: 'A-1' })`,
    says: ["TS2339: Property 'remove' does not exist on type 'JiraIssues'."],
  },
  {
    what: 'the download of what is no file',
    program: `await jira.issues.download({ issueIdOrKey: 'A-1' })`,
    says: ["TS2339: Property 'download' does not exist on type 'JiraIssues'."],
  },
  {
    what: 'no parameters',
    program: `await jira.issues.get()`,
    says: ['TS2554: Expected 1-2 arguments, but got 0.'],
  },
  {
    what: 'a parameter that is missing',
    program: `await jira.issues.get({})`,
    says: [
      "TS2741: Property 'issueIdOrKey' is missing in type '{}' but required in type 'IssuesGetParams'.",
    ],
  },
  {
    what: 'the name of a parameter',
    program: `await jira.issues.get({ issueIdOrKey: 'A-1', expnd: 'names' })`,
    says: [
      "TS2561: Object literal may only specify known properties, but 'expnd' does not exist in type 'IssuesGetParams'. Did you mean to write 'expand'?",
    ],
  },
  {
    what: 'the type of a parameter',
    program: `await jira.issues.get({ issueIdOrKey: 7 })`,
    says: ["TS2322: Type 'number' is not assignable to type 'string'."],
  },
  {
    what: 'a text for a number',
    program: `jira.issues.api_search({ jql: 'x', maxResults: '50' })`,
    says: ["TS2322: Type 'string' is not assignable to type 'number'."],
  },
  {
    what: 'a value that is none of several',
    program: `jira.projects.api_search({ orderBy: 'size' })`,
    says: [
      'TS2322: Type \'"size"\' is not assignable to type \'"+archivedDate" | "+category" | "+deletedDate" | "+issueCount" | "+key" | "+lastIssueUpdatedDate" | "+name" | "+owner" | "-archivedDate" | "-category" | "-deletedDate" | "-issueCount" | ... 12 more ... | undefined\'.',
    ],
  },
  {
    what: 'a member inside of a parameter',
    program: `await jira.issues.create({ fields: { project: { ky: 'A' }, issuetype: { id: '1' }, summary: 's' } })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'ky' does not exist in type 'Project'.",
    ],
  },
  {
    what: 'a member that is missing inside of a parameter',
    program: `await jira.issues.create({ fields: { project: { key: 'A' }, issuetype: { id: '1' } } })`,
    says: [
      "TS2741: Property 'summary' is missing in type '{ project: { key: string; }; issuetype: { id: string; }; }' but required in type '{ [member: string]: unknown; issuetype: IssueType; project: Project; summary: string; assignee?: Assignee | undefined; description?: Adf | undefined; labels?: string[] | undefined; parent?: ParentIssue | undefined; priority?: Priority | undefined; }'.",
    ],
  },
  {
    what: 'null where no null is',
    program: `await jira.issues.get({ issueIdOrKey: null })`,
    says: ["TS2322: Type 'null' is not assignable to type 'string'."],
  },
  {
    what: 'an option of a call',
    program: `await jira.issues.get({ issueIdOrKey: 'A-1' }, { timeout: 5 })`,
    says: [
      "TS2561: Object literal may only specify known properties, but 'timeout' does not exist in type 'CallOptions'. Did you mean to write 'timeoutMs'?",
    ],
  },
  {
    what: 'headers of a call',
    program: `await jira.issues.get({ issueIdOrKey: 'A-1' }, { headers: {} })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'headers' does not exist in type 'CallOptions'.",
    ],
  },
  {
    what: 'options of a call among its parameters',
    program: `await jira.issues.get({ issueIdOrKey: 'A-1', retries: 0 })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'retries' does not exist in type 'IssuesGetParams'.",
    ],
  },
  {
    what: 'the name of an action by name',
    program: `await jira.execute('issues', 'remove', { issueIdOrKey: 'A-1' })`,
    says: [
      'TS2345: Argument of type \'"remove"\' is not assignable to parameter of type \'"api_search" | "create" | "delete" | "get" | "search" | "update"\'.',
    ],
  },
  {
    what: 'the name of an entity by name',
    program: `await jira.execute('isues', 'get', { issueIdOrKey: 'A-1' })`,
    says: [
      'TS2345: Argument of type \'"isues"\' is not assignable to parameter of type \'"issue_comments" | "issue_fields" | "issue_worklogs" | "issues" | "issues_assignee" | "projects" | "users"\'.',
    ],
  },
  {
    what: 'a parameter of an action by name',
    program: `await jira.execute('issues', 'get', { issueIdOrKe: 'A-1' })`,
    says: [
      "TS2561: Object literal may only specify known properties, but 'issueIdOrKe' does not exist in type 'IssuesGetParams'. Did you mean to write 'issueIdOrKey'?",
    ],
  },
  {
    what: 'a preview without parameters',
    program: `await jira.preview('issues', 'get')`,
    says: ['TS2554: Expected 3 arguments, but got 2.'],
  },
  {
    what: 'a description of no entity',
    program: `jira.describe('isues')`,
    says: [
      'TS2345: Argument of type \'"isues"\' is not assignable to parameter of type \'"issue_comments" | "issue_fields" | "issue_worklogs" | "issues" | "issues_assignee" | "projects" | "users" | undefined\'.',
    ],
  },
  {
    what: 'the name of a member of a record',
    program: `const { data } = await jira.users.get({ accountId: '1' })
const name: string = data.displayname`,
    says: ["TS2322: Type 'unknown' is not assignable to type 'string'."],
  },
  {
    what: 'a field of the site as what it need not be',
    program: `const { data } = await jira.issues.get({ issueIdOrKey: 'A-1' })
const points: number = data.fields?.['customfield_10016']`,
    says: ["TS2322: Type 'unknown' is not assignable to type 'number'."],
  },
  {
    what: 'a member of a record that may be missing',
    program: `const { data } = await jira.users.get({ accountId: '1' })
const name: string = data.displayName`,
    says: [
      "TS2322: Type 'string | undefined' is not assignable to type 'string'.",
      "  Type 'undefined' is not assignable to type 'string'.",
    ],
  },
  {
    what: 'the type of a system field',
    program: `const { data } = await jira.issues.get({ issueIdOrKey: 'A-1' })
const summary: number | undefined = data.fields?.summary`,
    says: [
      "TS2322: Type 'string | undefined' is not assignable to type 'number | undefined'.",
      "  Type 'string' is not assignable to type 'number'.",
    ],
  },
  {
    what: 'the type of a member of a record',
    program: `const page = await jira.issues.api_search({ jql: 'x' })
const key: number | undefined = page.records[0]?.key`,
    says: [
      "TS2322: Type 'string | undefined' is not assignable to type 'number | undefined'.",
      "  Type 'string' is not assignable to type 'number'.",
    ],
  },
  {
    what: 'a record as a type of the program',
    program: `const { data } = await jira.issues.get({ issueIdOrKey: 'A-1' })
const issue: { title: string } = data`,
    says: [
      "TS2741: Property 'title' is missing in type 'IssuesRecord' but required in type '{ title: string; }'.",
    ],
  },
  {
    what: 'a page without a limit',
    program: `await jira.issues.api_search({ jql: 'x' }).toArray()`,
    says: ['TS2554: Expected 1 arguments, but got 0.'],
  },
  {
    what: 'records of a listing that was not awaited',
    program: `jira.issues.api_search({ jql: 'x' }).records`,
    says: [
      "TS2339: Property 'records' does not exist on type 'PageCall<IssuesRecord, IssuesApiSearchMeta, readonly IssuesRecord[]>'.",
    ],
  },
  {
    what: 'a listing as an array',
    program: `for (const issue of jira.issues.api_search({ jql: 'x' })) console.log(issue.key)`,
    says: [
      "TS2488: Type 'PageCall<IssuesRecord, IssuesApiSearchMeta, readonly IssuesRecord[]>' must have a '[Symbol.iterator]()' method that returns an iterator.",
    ],
  },
  {
    what: 'a download without a maximum',
    program: `const file = await gong.call_audio.download({ filter: { callIds: ['1'] }, contentSelector: { exposedFields: { media: true } } })
await file.toBytes()`,
    says: ['TS2554: Expected 1 arguments, but got 0.'],
  },
  {
    what: 'the field of a search',
    program: `gong.calls.search({ query: { filter: { eq: { titel: 'x' } } } })`,
    says: [
      "TS2561: Object literal may only specify known properties, but 'titel' does not exist in type 'Equals<CallsSearchFields>'. Did you mean to write 'title'?",
    ],
  },
  {
    what: 'the operator of a search',
    program: `gong.calls.search({ query: { filter: { near: { title: 'x' } } } })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'near' does not exist in type 'SearchFilter<CallsSearchFields>'.",
    ],
  },
  {
    what: 'an operator for another type of field',
    program: `gong.calls.search({ query: { filter: { keyword: { duration: 'x' } } } })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'duration' does not exist in type 'Words<CallsSearchFields>'.",
    ],
  },
  {
    what: 'a value of another type of field',
    program: `gong.calls.search({ query: { filter: { gt: { duration: 'long' } } } })`,
    says: ["TS2322: Type '\"long\"' is not assignable to type 'Numeric | undefined'."],
  },
  {
    what: 'one value for several',
    program: `gong.calls.search({ query: { filter: { in: { title: 'x' } } } })`,
    says: ["TS2322: Type 'string' is not assignable to type 'readonly (string | null)[]'."],
  },
  {
    what: 'the direction of an order',
    program: `gong.calls.search({ query: { sort: [{ started: 'down' }] } })`,
    says: ['TS2322: Type \'"down"\' is not assignable to type \'"asc" | "desc" | undefined\'.'],
  },
  {
    what: 'the field of an order',
    program: `gong.calls.search({ query: { sort: ['-begun'] } })`,
    says: ["TS2322: Type '\"-begun\"' is not assignable to type 'SearchSort<CallsSearchFields>'."],
  },
  {
    what: 'an order that is no list',
    program: `gong.calls.search({ query: { sort: '-started' } })`,
    says: [
      "TS2322: Type 'string' is not assignable to type 'readonly SearchSort<CallsSearchFields>[]'.",
    ],
  },
  {
    what: 'fields of hits',
    program: `gong.calls.search({ query: {}, fields: ['titel'] })`,
    says: [
      'TS2820: Type \'"titel"\' is not assignable to type \'"calendarEventId" | "clientUniqueId" | "customData" | "direction" | "duration" | "id" | "isPrivate" | "language" | "media" | "meetingUrl" | "primaryUserId" | "purpose" | "scheduled" | ... 6 more ... | "workspaceId"\'. Did you mean \'"title"\'?',
    ],
  },
  {
    what: 'a search without a query',
    program: `gong.calls.search({ filter: { eq: { title: 'x' } } })`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'filter' does not exist in type 'SearchParams<CallsSearchFields>'.",
    ],
  },
  {
    what: 'a search of what has no copy',
    program: `gong.coaching.search({ query: {} })`,
    says: ["TS2339: Property 'search' does not exist on type 'GongCoaching'."],
  },
  {
    what: 'a member of a hit',
    program: `for await (const { data } of jira.issues.search({ query: {} })) console.log(data.fields?.summary?.trim(), data.sumary)`,
    says: ["TS2339: Property 'sumary' does not exist on type 'HitFields<IssuesSearchFields>'."],
  },
  {
    what: 'the arguments of a webhook the other way round',
    program: `verifyWebhook(body, headers, 's')`,
    says: [
      "TS2345: Argument of type 'string' is not assignable to parameter of type 'WebhookHeaders'.",
    ],
  },
  {
    what: 'a webhook as an object',
    program: `verifyWebhook(headers, { id: 1 }, 's')`,
    says: [
      "TS2353: Object literal may only specify known properties, and 'id' does not exist in type 'Uint8Array<ArrayBufferLike>'.",
    ],
  },
  {
    what: 'a webhook without a secret',
    program: `verifyWebhook(headers, body)`,
    says: ['TS2554: Expected 3-4 arguments, but got 2.'],
  },
  {
    what: 'the code of an error',
    program: `isConnectorError(null, 'params_wrong')`,
    says: [
      'TS2345: Argument of type \'"params_wrong"\' is not assignable to parameter of type \'"aborted" | "address_denied" | "body_already_read" | "body_too_large" | "client_invalid" | "config_invalid" | "connector_unknown" | "connector_version_unavailable" | "credentials_invalid" | ... 67 more ... | undefined\'.',
    ],
  },
  {
    what: 'a member of an error',
    program: `try { await jira.check() } catch (error) { if (isConnectorError(error)) console.log(error.statusCode) }`,
    says: [
      'TS2339: Property \'statusCode\' does not exist on type \'ConnectorError & { readonly code: "aborted" | "address_denied" | "body_already_read" | "body_too_large" | "client_invalid" | "config_invalid" | "connector_unknown" | ... 68 more ... | "webhook_unverified"; }\'.',
    ],
  },
  {
    what: 'the credentials of an application',
    program: `serviceClient({ baseUrl: hosted.baseUrl, clientId: 'a' })`,
    says: [
      "TS2345: Argument of type '{ baseUrl: string; clientId: string; }' is not assignable to parameter of type 'ServiceClientOptions'.",
      "  Property 'clientSecret' is missing in type '{ baseUrl: string; clientId: string; }' but required in type 'ApplicationOptions'.",
    ],
  },
  {
    what: 'a state of an instance',
    program: `serviceClient(hosted).instances.list({ state: 'happy' })`,
    says: [
      'TS2322: Type \'"happy"\' is not assignable to type \'"active" | "auth_error" | "disabled" | "pending" | "refresh_unknown" | undefined\'.',
    ],
  },
]
