// One tool as an action: which one it is, its parameters, its request, its answer.
import {
  type ActionName,
  ACTIONS,
  gives,
  VENDOR_SEARCH,
} from '../../../language/manifest/actions.ts'
import { parameterName, snake } from '../openapi/draft-names.ts'
import {
  type DraftSchema,
  membersOf,
  propertiesOf,
  requiredOf,
  typesOf,
} from '../openapi/draft-schema.ts'
import { followIn, type ListedTool } from './listed-tool.ts'

/** What a tool is called for: the thing, and the kind of action. */
export interface NamedTool {
  readonly tool: ListedTool
  /** In snake case, without the verb; of the whole name where it has none. */
  readonly thing: string
  readonly action: ActionName
}

const READING: Readonly<Record<string, ActionName>> = {
  list: 'list',
  search: VENDOR_SEARCH,
  find: VENDOR_SEARCH,
  query: VENDOR_SEARCH,
}
const CHANGING: Readonly<Record<string, ActionName>> = {
  delete: 'delete',
  remove: 'delete',
  update: 'update',
  edit: 'update',
  modify: 'update',
  set: 'update',
  patch: 'update',
  change: 'update',
  rename: 'update',
  move: 'update',
}
const ADDING = ['create', 'add', 'new', 'post', 'send', 'insert', 'make', 'upload', 'publish']
const SINGLE = ['get', 'read', 'fetch', 'retrieve', 'show', 'view', 'describe', 'lookup']

/** The action by the annotations of the tool; which of its kind, by the verb that its name begins or ends with. */
export function nameTool(tool: ListedTool): NamedTool {
  const words = snake(tool.name).split('_')
  const verbs = tool.readOnly
    ? [...Object.keys(READING), ...SINGLE]
    : [...Object.keys(CHANGING), ...ADDING]
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const verb = verbs.includes(first) ? first : verbs.includes(last) ? last : null
  const rest = verb === first ? words.slice(1) : verb === last ? words.slice(0, -1) : words
  const thing = (rest.length === 0 ? words : rest).join('_')
  if (!tool.readOnly) {
    const action = CHANGING[verb ?? ''] ?? 'create'
    // Only what may destroy can remove a record.
    const isSafe = ACTIONS[action].effect !== 'removes' || tool.destructive
    return { tool, thing, action: isSafe ? action : 'update' }
  }
  const action = READING[verb ?? ''] ?? 'get'
  return { tool, thing, action: gives(action, 'list') && listIn(tool) === null ? 'get' : action }
}

interface ListPlace {
  /** The member of the result that holds the records. */
  readonly name: string
  readonly items: DraftSchema | null
  /** Parameter and member of the cursor; null: the tool takes none. */
  readonly cursor: { readonly param: string; readonly next: string } | null
}

const TURNING =
  /^(cursor|after|offset|skip|page|start|page_?(token|number)|next_?(token|cursor|page_?token))$/i
const NEXT = /^(next_?(cursor|token|page_?token|page)?|end_?cursor|cursor)$/i

/** The one list of objects in a result, if its paging can be told from the schemas; null: it is taken as a whole. */
export function listIn({ inputSchema, outputSchema }: ListedTool): ListPlace | null {
  if (outputSchema === null) return null
  const follow = followIn(outputSchema)
  const members = Object.entries(propertiesOf({ follow }, outputSchema)).map(
    ([name, member]) => [name, follow(member)] as const,
  )
  const lists = members.filter(([, member]) => typesOf(member).includes('array'))
  const [list, ...more] = lists
  if (list === undefined || more.length > 0) return null
  const [name, { items: written }] = list
  const items = membersOf({ follow }, written, 'record')
  const turning = Object.keys(propertiesOf({ follow: followIn(inputSchema) }, inputSchema)).filter(
    (param) => TURNING.test(param),
  )
  const next = members.find(
    ([member, schema]) => NEXT.test(member) && typesOf(schema).includes('string'),
  )
  const [param, ...others] = turning
  const isCursor = param !== undefined && others.length === 0 && next !== undefined
  if (param !== undefined && !isCursor) return null
  return {
    name,
    items: Object.keys(items).length === 0 ? null : { properties: items },
    cursor: isCursor ? { param: parameterName(param), next: next[0] } : null,
  }
}

/** The action as a manifest says it. */
export function draftTool({ tool, action }: NamedTool): Record<string, unknown> {
  const { inputSchema, readOnly, idempotent } = tool
  const given = membersOf({ follow: followIn(inputSchema) }, inputSchema, 'input')
  const names = Object.keys(given).map((wire) => [parameterName(wire), wire] as const)
  const isPlain = names.every(([name, wire]) => name === wire)
  const required = requiredOf(inputSchema).filter((wire) => Object.hasOwn(given, wire))
  const changes = ACTIONS[action].effect !== null
  return {
    summary: summaryOf(tool),
    ...(names.length > 0 && {
      params: {
        ...(required.length > 0 && { required: required.map(parameterName) }),
        properties: Object.fromEntries(names.map(([name, wire]) => [name, given[wire]])),
      },
    }),
    request: {
      mcp: isPlain
        ? tool.name
        : {
            tool: tool.name,
            arguments: names.map(([name, wire]) =>
              name === wire ? name : { [wire]: `{{ params.${name} }}` },
            ),
          },
      ...(readOnly && !changes && { reads: true }),
    },
    ...(changes && idempotent && { retry: { idempotent: true } }),
    ...answerOf(tool, action),
  }
}

function answerOf(tool: ListedTool, action: ActionName): Record<string, unknown> {
  if (gives(action, 'nothing')) return { response: { decode: 'none' } }
  const list = gives(action, 'list') ? listIn(tool) : null
  if (list !== null) {
    const { name, items, cursor } = list
    return {
      ...(items !== null && { result: items }),
      response: { records: memberPath(name) },
      pagination:
        cursor === null
          ? { type: 'none', reason: 'The tool takes no cursor.' }
          : { type: 'cursor', param: cursor.param, next: memberPath(cursor.next) },
    }
  }
  const { outputSchema } = tool
  if (outputSchema === null)
    return { response: { decode: 'content' }, result: { $ref: `#/shapes/${CONTENT_SHAPE}` } }
  return {
    result: { properties: membersOf({ follow: followIn(outputSchema) }, outputSchema, 'record') },
  }
}

/** The name of the shape of what every tool gives that says nothing about its results. */
export const CONTENT_SHAPE = 'tool_content'

export const CONTENT: DraftSchema = {
  type: 'object',
  properties: {
    content: {
      type: 'array',
      items: { type: 'object', properties: { type: { type: 'string' }, text: { type: 'string' } } },
    },
  },
}

function memberPath(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `$.${name}` : `$['${name}']`
}

const MAX_SUMMARY = 120

function summaryOf({ name, title, description }: ListedTool): string {
  const [first = ''] = (description ?? '').trim().split(/(?<=[.!?])\s|\n/)
  const text = (title ?? (first === '' ? name : first))
    .replaceAll(/\s+/g, ' ')
    .replaceAll('{{', '{ {')
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY - 1)}…` : text
}
