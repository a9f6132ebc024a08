// Names that cannot be used, and parts of a manifest without effect.
import { basename } from 'node:path'
import { CHECKS } from '../actions.ts'
import { schemaRoots } from '../schema-nodes.ts'
import { referencesIn } from '../schema-references.ts'
import { inWords, suggestion } from '../suggest.ts'
import { readMembers } from './expression-facts.ts'
import { keyAt, type Lint } from './lint.ts'
import { missingParam, neededParams } from './param-facts.ts'
import { configOf } from './scopes.ts'

export function lintNames(lint: Lint): void {
  for (const { name, at } of lint.entities) {
    if (!RESERVED.has(name)) continue
    const message = `an entity cannot be called "${name}": clients have a member of that name`
    const hint = `call it ${name}_records, or use the vendor's plural`
    lint.error('names/reserved', keyAt(...at), message, hint)
  }
  lintFileName(lint)
  lintShapes(lint)
  lintSets(lint)
  lintUnused(lint)
  lintCheck(lint)
}

/** Members of every client next to its entities; `then` would make the client a promise. */
export const RESERVED: ReadonlySet<string> = new Set([
  'execute',
  'preview',
  'request',
  'describe',
  'check',
  'close',
  'then',
  'constructor',
  'toJSON',
])

/** The file is found by the connector's type. Text that comes from no file has no name to differ. */
function lintFileName(lint: Lint): void {
  const { type } = lint.source.connector
  const [, name] = /^(.+)\.(?:ya?ml|json)$/.exec(basename(lint.draft.document.file)) ?? []
  if (name === undefined || name === type) return
  const message = `the file is called "${name}" and the connector "${type}"`
  const place = { at: ['connector', 'type'] }
  lint.error('names/file', place, message, `rename the file to ${type}.yaml`)
}

function lintShapes(lint: Lint): void {
  const { shapes = {} } = lint.source
  // A shape that only refers to itself is not used.
  const used = new Set(
    schemaRoots(lint.source).flatMap((root) =>
      referencesIn(root.node).flatMap(({ reference }) =>
        reference === root.name ? [] : reference,
      ),
    ),
  )
  for (const name of Object.keys(shapes)) {
    if (used.has(`#/shapes/${name}`)) continue
    const message = `nothing refers to the shape "${name}"`
    const hint = `refer to it by { $ref: "#/shapes/${name}" }, or remove it`
    lint.error('names/unused-shape', keyAt('shapes', name), message, hint)
  }
}

function lintSets(lint: Lint): void {
  const used = new Set(lint.actions.flatMap(({ source }) => source.shared ?? []))
  for (const name of Object.keys(lint.source.shared ?? {})) {
    if (used.has(name)) continue
    const message = `no action takes the set of parameters "${name}"`
    const hint = `write shared: [${name}] in an action, or remove it`
    lint.error('names/unused-set', keyAt('shared', name), message, hint)
  }
}

function lintUnused(lint: Lint): void {
  const { source, draft } = lint
  const maps = Object.keys(source.maps ?? {})
  const readMaps = readMembers(draft.texts, 'maps', maps)
  for (const name of maps) {
    if (readMaps.has(name)) continue
    const hint = `read it by {{ lookup maps.${name} … }}, or remove it`
    lint.error('names/unused-map', keyAt('maps', name), `nothing reads the map "${name}"`, hint)
  }
  const settings = configOf(source).members()
  const readSettings = readMembers(draft.texts, 'config', [...settings.keys()])
  for (const [name, { at }] of settings) {
    if (readSettings.has(name)) continue
    const message = `the setting "${name}" has no effect`
    const hint = `use {{ config.${name} }}, or remove it`
    lint.error('names/unused-setting', keyAt(...(at ?? ['config'])), message, hint)
  }
}

/** The check must be a call that can be made: an action that reads, with all it requires. */
function lintCheck(lint: Lint): void {
  const { check, entities } = lint.source
  if (check?.entity === undefined || check.action === undefined) return
  const { entity: name, action: called, params } = check
  const [atEntity, atAction] = [{ at: ['check', 'entity'] }, { at: ['check', 'action'] }]
  const actions = lint.entity(name)?.actions
  if (actions === undefined) {
    const hint = suggestion(name, Object.keys(entities))
    return lint.error('check/unknown-entity', atEntity, `there is no entity "${name}"`, hint)
  }
  if (actions[called] === undefined) {
    const message = `${name} has no action "${called}"`
    const hint = suggestion(called, Object.keys(actions))
    return lint.error('check/unknown-action', atAction, message, hint)
  }
  if (!CHECKS.includes(called)) {
    const message = `the check would ${called} a record of ${name}`
    const hint = `take ${inWords(CHECKS)}, or a request of its own`
    return lint.error('check/writes', atAction, message, hint)
  }
  const action = { entity: name, name: called }
  const given = Object.keys(params ?? {})
  for (const param of given) {
    const hint = missingParam(lint.source, action, param)
    if (hint === undefined) continue
    const message = `${name}.${called} has no parameter "${param}"`
    lint.error('check/unknown-param', keyAt('check', 'params', param), message, hint)
  }
  const place = params === undefined ? atAction : keyAt('check', 'params')
  for (const param of neededParams(lint.source, action, given)) {
    const message = `${name}.${called} requires "${param}", which the check does not give`
    lint.error('check/required-param', place, message, `add params: { ${param}: … }`)
  }
}
