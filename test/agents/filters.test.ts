import { expect, test } from 'vitest'
import { agentTools } from '../../src/agents/agent-tools.ts'
import type { AgentToolOptions } from '../../src/agents/agent-tool.ts'
import { connectors } from './every-manifest.ts'

const clientOf = (type: string) => {
  const found = connectors.find((each) => each.type === type)
  if (found === undefined) throw new TypeError(type)
  return found.client
}
const two = { jira: clientOf('jira'), gong: clientOf('gong') }
const namesOf = (options: AgentToolOptions): string[] =>
  agentTools(two, options).map(({ name }) => name)

test.for<{ name: string; options: AgentToolOptions; want: string[] }>([
  {
    name: 'an entity of all clients',
    options: { entities: ['users'] },
    want: [
      'jira_users_list',
      'jira_users_get',
      'jira_users_api_search',
      'gong_users_list',
      'gong_users_get',
    ],
  },
  {
    name: 'an entity of one client',
    options: { entities: ['gong.users'] },
    want: ['gong_users_list', 'gong_users_get'],
  },
  {
    name: 'actions in every form',
    options: { actions: ['projects.get', 'gong.users.get'] },
    want: ['jira_projects_get', 'gong_users_get'],
  },
  {
    name: 'both together',
    options: { entities: ['issues'], actions: ['get', 'update'], allowWrites: true },
    want: ['jira_issues_get', 'jira_issues_update'],
  },
  {
    name: 'writes are left out unless they are allowed',
    options: { entities: ['issues'], actions: ['get', 'update'] },
    want: ['jira_issues_get'],
  },
  {
    name: 'searches when they are asked for',
    options: { entities: ['jira.issues'], actions: ['search'], search: true },
    want: ['jira_issues_search'],
  },
])('filters leave $name', ({ options, want }) => expect(namesOf(options)).toEqual(want))

test.for<{ name: string; options: AgentToolOptions }>([
  { name: 'an entity that is not there', options: { entities: ['isues'] } },
  { name: 'an action that is not there', options: { actions: ['issues.remove'] } },
  { name: 'writes alone, which are off', options: { actions: ['create'] } },
  { name: 'searches alone, which are off', options: { actions: ['search'] } },
])('$name is refused at once', ({ options }) => {
  expect(() => namesOf(options)).toThrow(expect.objectContaining({ code: 'operation_unknown' }))
})

test('names that would meet or are too long stay different', () => {
  const long = 'entity_with_a_name_that_is_far_too_long_for_the_names_of_tools_as_they_are'
  const action = {
    action: 'list',
    summary: null,
    description: null,
    deprecated: false,
    params: {
      type: 'object',
      properties: { 'filter[name]': { type: 'string' }, answer_fields: {} },
    },
    result: null,
    scopes: [],
    paged: true,
    safe: true,
    idempotent: true,
  } as const
  const entities = [`${long}_a`, `${long}_b`].map((entity) => ({
    entity,
    title: null,
    description: null,
    record: null,
    actions: [action],
    searchFields: null,
    searchPaths: [],
    cursorField: null,
    keyField: null,
  }))
  const tools = agentTools({ x: { describe: () => entities, execute: () => null } })
  expect(tools.map(({ name }) => name)).toEqual([
    `x_${long}`.slice(0, 64),
    `${`x_${long}`.slice(0, 62)}_2`,
  ])
  // Members of tools' inputs may not have brackets.
  expect(Object.keys(tools[0]?.inputSchema['properties'] ?? {})).toEqual([
    'filter_name_',
    'answer_fields',
    'answer_fields_',
    'answer_cursor',
  ])
})
