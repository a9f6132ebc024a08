// A manifest next to the tools that an MCP server lists: names, arguments, results and what is said of them.
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import { own } from '../../../language/json/own.ts'
import { ACTIONS } from '../../../language/manifest/actions.ts'
import { dataOf, toolIn } from '../../../language/manifest/body-forms/forms.ts'
import type { Action, Manifest, Step } from '../../../language/manifest/manifest.ts'
import { nearName } from '../against/compare-value.ts'
import { type Finding, Findings } from '../against/finding.ts'
import { propertiesOf, requiredOf, typesOf } from '../openapi/draft-schema.ts'
import { followIn, type ListedTool } from './listed-tool.ts'

export interface ToolsChecked {
  readonly findings: readonly Finding[]
  /** Calls of tools that were compared, of all requests. */
  readonly compared: number
  readonly requests: number
}

/** Compares every call of a tool with the tool of its name, and tells the tools that no action calls. */
export function checkAgainstTools(manifest: Manifest, tools: readonly ListedTool[]): ToolsChecked {
  const findings = new Findings()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const called = new Set<string>()
  let requests = 0
  for (const entity of manifest.entities)
    for (const action of entity.actions)
      for (const step of action.steps) {
        requests++
        const name = toolIn(step.request.body)
        if (name === null) continue
        called.add(name)
        const place = `${entity.name}.${action.name}`
        const at = ['entities', entity.name, 'actions', action.name]
        compareCall({ place, at, findings, action, step, name }, byName.get(name), [
          ...byName.keys(),
        ])
      }
  for (const { name } of tools)
    if (!called.has(name))
      findings.add({
        kind: 'missing',
        level: 'note',
        place: name,
        message: 'the server has this tool, and no action calls it',
        at: ['entities'],
      })
  const compared = [...called].filter((name) => byName.has(name)).length
  return { findings: findings.all(), compared, requests }
}

interface Call {
  readonly place: string
  readonly at: readonly string[]
  readonly findings: Findings
  readonly action: Action
  readonly step: Step
  readonly name: string
}

type Told = Pick<Finding, 'kind' | 'level' | 'message'> & { readonly hint?: string | null }

function tell({ findings, place, at }: Call, part: string, told: Told): void {
  findings.add({ ...told, place: part === '' ? place : `${place} ${part}`, at })
}

function compareCall(call: Call, tool: ListedTool | undefined, names: readonly string[]): void {
  const { name } = call
  if (tool === undefined) {
    const message = `the server has no tool "${name}"`
    const hint = nearName(name, names)
    return tell(call, '', { kind: 'unknown', level: 'error', message, hint })
  }
  compareHints(call, tool)
  compareArguments(call, tool)
  compareResult(call, tool)
}

function compareHints(call: Call, { readOnly, destructive, idempotent, name }: ListedTool): void {
  const { action, step } = call
  const { effect } = ACTIONS[action.name]
  const stale = (part: string, level: Finding['level'], message: string): void =>
    tell(call, part, { kind: 'stale', level, message })
  if (step.request.reads === true && !readOnly)
    stale('reads', 'error', `the server does not say that "${name}" only reads (readOnlyHint)`)
  if (effect !== null && readOnly && step.request.reads !== true)
    stale(
      '',
      'warning',
      `the server says that "${name}" only reads, and the action ${effect} a record`,
    )
  if (effect === 'removes' && !readOnly && !destructive)
    stale(
      '',
      'warning',
      `the server says that "${name}" destroys nothing, and the action removes a record`,
    )
  if (step.retry.idempotent && effect !== null && !idempotent)
    stale(
      'retry',
      'error',
      `the server does not say that "${name}" may be repeated (idempotentHint)`,
    )
}

/** What a call sends under one name: the parameter as a whole, a constant, or something made. */
function argumentsOf({ step }: Call): ReadonlyMap<string, readonly string[] | null> {
  const data = dataOf(step.request.body)
  if (data?.kind !== 'object') return new Map()
  return new Map(
    data.members.map(([name, value]) => {
      const isParam =
        value.kind === 'value' &&
        value.expression.kind === 'path' &&
        value.expression.root === 'params'
      return [name, isParam ? value.expression.path : null]
    }),
  )
}

function compareArguments(call: Call, { inputSchema, name }: ListedTool): void {
  const follow = followIn(inputSchema)
  const known = propertiesOf({ follow }, inputSchema)
  const sent = argumentsOf(call)
  const { schema } = call.action.params
  const isOpen = inputSchema['additionalProperties'] !== false && Object.keys(known).length === 0
  for (const [argument, path] of sent) {
    const part = `argument ${argument}`
    const wanted = own(known, argument)
    if (wanted === undefined) {
      if (isOpen) continue
      const hint = nearName(argument, Object.keys(known))
      tell(call, part, {
        kind: 'unknown',
        level: 'error',
        message: `"${name}" has no such argument`,
        hint,
      })
    } else if (path !== null) {
      const param = paramAt(schema, path)
      if (param !== null) compareTypes(call, part, [param, follow(wanted)])
    }
  }
  const required = new Set(requiredOf(inputSchema))
  for (const argument of required) {
    const path = sent.get(argument)
    const part = `argument ${argument}`
    if (path === undefined) {
      const message = `"${name}" needs this argument, and the call never sends it`
      tell(call, part, { kind: 'missing', level: 'error', message })
    } else if (path !== null && !isAlwaysGiven(schema, path)) {
      const message = `"${name}" needs this argument, and the parameter may be left out`
      tell(call, part, { kind: 'stale', level: 'error', message, hint: 'make it required' })
    }
  }
  for (const argument of Object.keys(known))
    if (!sent.has(argument) && !required.has(argument))
      tell(call, `argument ${argument}`, {
        kind: 'missing',
        level: 'note',
        message: `"${name}" takes this argument, and no parameter gives it`,
      })
}

function paramAt(schema: JsonObject, path: readonly string[]): JsonObject | null {
  let at: Json | undefined = schema
  for (const name of path) at = own(own(at ?? null, 'properties') ?? null, name)
  return isJsonObject(at) ? at : null
}

function isAlwaysGiven(schema: JsonObject, [name = '']: readonly string[]): boolean {
  const param = paramAt(schema, [name])
  return requiredOf(schema).includes(name) || own(param, 'default') !== undefined
}

/** Types and values that a caller may give and the tool refuses. */
function compareTypes(
  call: Call,
  part: string,
  [param, tool]: readonly [JsonObject, JsonObject],
): void {
  const types = typesOf(tool)
  const accepts = (type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const refused = typesOf(param).filter((type) => types.length > 0 && !accepts(type))
  if (refused.length > 0) {
    const message = `the tool takes ${types.join(' or ')}, and the parameter may be ${refused.join(' or ')}`
    tell(call, part, { kind: 'stale', level: 'error', message })
  }
  const [offered, wanted] = [param['enum'], tool['enum']]
  if (!Array.isArray(wanted)) return
  const values = wanted as readonly Json[]
  const others = Array.isArray(offered) ? offered.filter((value) => !values.includes(value)) : null
  if (others !== null && others.length === 0) return
  const message = `the tool takes only ${values.map((value) => JSON.stringify(value)).join(', ')}`
  tell(call, part, { kind: 'stale', level: others === null ? 'warning' : 'error', message })
}

/** Members that the manifest promises of a result, and the pointers of a listing. */
function compareResult(call: Call, { outputSchema, name }: ListedTool): void {
  const { action, step } = call
  const { response } = action
  if (step !== action.steps.at(-1)) return
  if (outputSchema === null) {
    if (response.decode === 'json')
      tell(call, 'result', {
        kind: 'unknown',
        level: 'warning',
        message: `the server does not describe the result of "${name}", which is read as JSON`,
      })
    return
  }
  const [first, ...more] = response.at.steps
  if (first?.kind !== 'member' || response.at.root !== 'body' || response.decode !== 'json') return
  const follow = followIn(outputSchema)
  if (own(propertiesOf({ follow }, outputSchema), first.name) !== undefined) return
  if (outputSchema['additionalProperties'] === true && more.length > 0) return
  const message = `the result of "${name}" has no member "${first.name}"`
  const hint = nearName(first.name, Object.keys(propertiesOf({ follow }, outputSchema)))
  tell(call, 'result', {
    kind: 'unknown',
    level: 'error',
    message,
    hint,
  })
}
