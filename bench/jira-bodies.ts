// Bodies as an issue tracker answers them, from one record of 4 KB to a page of 1 MB, in several writings.

/** What is written in texts: of ASCII alone, with a few characters that Latin-1 lacks, of nothing but these. */
const SENTENCES = {
  ascii:
    "the hinge was last oiled in spring, and it has been heard since then 'each' time somebody comes home late.",
  wide: 'the hinge was last oiled in spring, and it has been heard since then “each” time somebody comes home late.',
  japanese: 'この蝶番は春に油を差したきりで、それからは夜遅くに誰かが帰るたびに音が聞こえます。',
}

export type Writing = keyof typeof SENTENCES

/** One body: the action that asks for it, and what the third party is asked for then. */
export interface Body {
  readonly title: string
  readonly entity: string
  readonly action: string
  readonly params: object
  /** With the query. */
  readonly path: string
  /** Where its records lie; null: it is the value itself. */
  readonly records: string | null
}

/** `GET /rest/api/3/issue/{key}`: about 4 KB. */
export function recordIn(writing: Writing): Body {
  const key = `${writing}-7`
  return {
    title: `4 KB record, ${writing}`,
    entity: 'issues',
    action: 'get',
    params: { issueIdOrKey: key },
    path: `${ISSUE_PATH}${key}`,
    records: null,
  }
}

/** `GET /rest/api/3/search/jql`: about 3 KB for each issue. */
export function pageIn(writing: Writing, issues: number, size: string): Body {
  const query = `jql=project%20%3D%20${writing}&fields=%2Anavigable&maxResults=${issues}`
  return {
    title: `${size} page of ${issues} records, ${writing}`,
    entity: 'issues',
    action: 'api_search',
    params: { jql: `project = ${writing}`, maxResults: issues },
    path: `${SEARCH_PATH}?${query}`,
    records: 'issues',
  }
}

/** `GET /rest/api/3/users`: a bare array of 100 users, about 46 KB. Each writing has a page of its own. */
export function usersIn(writing: Writing): Body {
  const startAt = WRITINGS.indexOf(writing) * 100
  return {
    title: `46 KB list of 100 users, ${writing}`,
    entity: 'users',
    action: 'list',
    params: { startAt, maxResults: 100 },
    path: `${USERS_PATH}?startAt=${startAt}&maxResults=100`,
    records: null,
  }
}

const ISSUE_PATH = '/rest/api/3/issue/'
const SEARCH_PATH = '/rest/api/3/search/jql'
const USERS_PATH = '/rest/api/3/users'

/** What the third party answers there; null: nothing. Of a project that is no writing the texts are `wide`. */
export function bodyAt(target: string): object | null {
  const { pathname, searchParams } = new URL(target, 'http://localhost')
  const count = Number(searchParams.get('maxResults') ?? 50)
  const ofUsers = WRITINGS[Number(searchParams.get('startAt')) / 100] ?? 'wide'
  const writing = WRITINGS.find((each) => target.includes(each)) ?? 'wide'
  if (pathname.startsWith(ISSUE_PATH)) return createIssue(7, 9, writing)
  if (pathname === USERS_PATH)
    return Array.from({ length: count }, (_, index) => person(index, ofUsers))
  if (pathname !== SEARCH_PATH) return null
  const issues = Array.from({ length: count }, (_, index) => createIssue(index, 5, writing))
  return { issues, isLast: true }
}

// An object has the names of its own type.
const WRITINGS = Object.keys(SENTENCES) as readonly Writing[]

/** One issue as `GET /rest/api/3/issue/{key}` gives it. */
export function createIssue(number: number, paragraphs: number, writing: Writing = 'wide'): object {
  const self = `https://acme.atlassian.net/rest/api/3/issue/${10_000 + number}`
  return {
    expand: 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations',
    id: String(10_000 + number),
    self,
    key: `ACME-${number}`,
    fields: {
      summary: `Oil the hinge of door ${number} before the winter comes`,
      created: '2026-01-02T03:04:05.000+0000',
      updated: '2026-03-04T05:06:07.000+0000',
      duedate: null,
      timeestimate: 3600 * (number % 9),
      workratio: -1,
      labels: ['doors', 'winter', `floor-${number % 7}`],
      status: {
        self: 'https://acme.atlassian.net/rest/api/3/status/3',
        description: 'This issue is being actively worked on.',
        iconUrl: 'https://acme.atlassian.net/images/icons/statuses/inprogress.png',
        name: 'In Progress',
        id: '3',
        statusCategory: { id: 4, key: 'indeterminate', colorName: 'yellow', name: 'In Progress' },
      },
      priority: { id: '2', name: 'High', iconUrl: 'https://acme.atlassian.net/images/high.svg' },
      issuetype: { id: '10002', name: 'Task', subtask: false, hierarchyLevel: 0 },
      project: { id: '10001', key: 'ACME', name: 'Acme house', projectTypeKey: 'software' },
      assignee: person(number, 'ascii'),
      reporter: person(number + 1, 'ascii'),
      customfield_10016: 3.5,
      customfield_10019: `0|i000${number}:`,
      customfield_10020: null,
      customfield_10021: null,
      description: {
        type: 'doc',
        version: 1,
        content: Array.from({ length: paragraphs }, (_, index) => ({
          type: 'paragraph',
          content: [
            {
              type: 'text',
              text: `Paragraph ${index} of issue ${number}: ${SENTENCES[writing]}`,
            },
          ],
        })),
      },
    },
  }
}

/** Their names: as a writing has them. */
const NAMES: Readonly<Record<Writing, string>> = {
  ascii: 'Person',
  wide: 'Zoë Dvořák',
  japanese: '山田花子',
}

function person(number: number, writing: Writing): object {
  const accountId = `5b10a2844c20165700ede2${number % 10}g`
  return {
    self: `https://acme.atlassian.net/rest/api/3/user?accountId=${accountId}`,
    accountId,
    accountType: 'atlassian',
    displayName: `${NAMES[writing]} ${number % 10}`,
    active: true,
    timeZone: 'Europe/Berlin',
    avatarUrls: Object.fromEntries(
      [48, 32, 24, 16].map((size) => [
        `${size}x${size}`,
        `https://avatars.example/${accountId}/${size}`,
      ]),
    ),
  }
}
