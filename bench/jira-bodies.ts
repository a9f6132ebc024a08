// Bodies as an issue tracker answers them: one record of about 4 KB, one page of 50 records of about 150 KB.

/** One issue as `GET /rest/api/3/issue/{key}` gives it. */
export function createIssue(number: number, paragraphs: number): object {
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
      assignee: person(number),
      reporter: person(number + 1),
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
              text: `Paragraph ${index} of issue ${number}: the hinge was last oiled in spring, and it has been heard since then “each” time somebody comes home late.`,
            },
          ],
        })),
      },
    },
  }
}

/** One page of `GET /rest/api/3/search/jql`, the last one. */
export function createPage(): object {
  return { issues: Array.from({ length: 50 }, (_, index) => createIssue(index, 5)), isLast: true }
}

function person(number: number): object {
  const accountId = `5b10a2844c20165700ede2${number % 10}g`
  return {
    self: `https://acme.atlassian.net/rest/api/3/user?accountId=${accountId}`,
    accountId,
    accountType: 'atlassian',
    displayName: `Person ${number % 10}`,
    active: true,
    timeZone: 'Europe/Berlin',
    avatarUrls: { '48x48': 'https://avatars.example/48', '24x24': 'https://avatars.example/24' },
  }
}
