// Names that must not be, and parts of a manifest without effect.
import { basename } from 'node:path'

import { CHECKS } from '../actions.ts'
import { problemAt } from '../document.ts'
import { entitiesOf, type ManifestDraft } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import { inWords, suggestion } from '../suggest.ts'
import { readMembers } from './expression-facts.ts'
import { hasDefault, paramsOf } from './param-facts.ts'
import { missingParam } from './params.ts'
import { membersOf, requiredOf } from './schema-walk.ts'
import { configNode } from './scopes.ts'

/** Findings about names, about the check, and about dead parts. */
export function lintNames(draft: ManifestDraft): readonly ManifestProblem[] {
  return [
    ...lintEntityNames(draft),
    ...lintFileName(draft),
    ...lintShapes(draft),
    ...lintUnused(draft),
    ...lintCheck(draft),
  ]
}

/** Members of every client beside its entities; `then` would make the client a promise. */
export const RESERVED: ReadonlySet<string> = new Set([
  'execute',
  'preview',
  'describe',
  'check',
  'close',
  'then',
  'constructor',
  'toJSON',
])

function lintEntityNames(draft: ManifestDraft): readonly ManifestProblem[] {
  return entitiesOf(draft.source)
    .filter(({ name }) => RESERVED.has(name))
    .map(({ name, at }) =>
      problemAt(draft.document, {
        at,
        part: 'key',
        rule: 'names/reserved',
        message: `an entity cannot be called "${name}": clients have a member of that name`,
        hint: `call it ${name}_records, or use the vendor's plural`,
      }),
    )
}

/** The file is found by the connector's type. Text that comes from no file has no name to differ. */
function lintFileName(draft: ManifestDraft): readonly ManifestProblem[] {
  const { type } = draft.source.connector
  const [, name] = /^(.+)\.(?:ya?ml|json)$/.exec(basename(draft.document.file)) ?? []
  if (name === undefined || name === type) return []
  return [
    problemAt(draft.document, {
      at: ['connector', 'type'],
      rule: 'names/file',
      message: `the file is called "${name}" and the connector "${type}"`,
      hint: `rename the file to ${type}.yaml`,
    }),
  ]
}

function lintShapes(draft: ManifestDraft): readonly ManifestProblem[] {
  const shapes = Object.keys(draft.source.shapes ?? {})
  const used = new Set<string>()
  const visit = (value: unknown, inside: string | null): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      const name =
        key === '$ref' && typeof member === 'string'
          ? /^#\/shapes\/(.+)$/.exec(member)?.[1]
          : undefined
      // A shape that only refers to itself is not used.
      if (name !== undefined && name !== inside) used.add(name)
      visit(member, inside)
    }
  }
  const { shapes: own, ...rest } = draft.source
  visit(rest, null)
  for (const [name, shape] of Object.entries(own ?? {})) visit(shape, name)
  return shapes
    .filter((name) => !used.has(name))
    .map((name) =>
      problemAt(draft.document, {
        at: ['shapes', name],
        part: 'key',
        rule: 'names/unused-shape',
        message: `nothing refers to the shape "${name}"`,
        hint: null,
      }),
    )
}

function lintUnused(draft: ManifestDraft): readonly ManifestProblem[] {
  const { source } = draft
  const maps = Object.keys(source.maps ?? {})
  const settings = membersOf(source, configNode(source))
  const readMaps = readMembers(draft.texts, 'maps', maps)
  const readSettings = readMembers(draft.texts, 'config', [...settings.keys()])
  return [
    ...maps
      .filter((name) => !readMaps.has(name))
      .map((name) =>
        problemAt(draft.document, {
          at: ['maps', name],
          part: 'key',
          rule: 'names/unused-map',
          message: `nothing reads the map "${name}"`,
        }),
      ),
    ...[...settings]
      .filter(([name]) => !readSettings.has(name))
      .map(([name, { at }]) =>
        problemAt(draft.document, {
          at: at ?? ['config'],
          part: 'key',
          rule: 'names/unused-setting',
          message: `the setting "${name}" has no effect`,
          hint: `use {{ config.${name} }}, or remove it`,
        }),
      ),
  ]
}

/** The check must be a call that can be made: an action that reads, with all it requires. */
function lintCheck(draft: ManifestDraft): readonly ManifestProblem[] {
  const { check, entities } = draft.source
  if (check?.entity === undefined || check.action === undefined) return []
  const finding = (
    key: string,
    rule: string,
    message: string,
    hint: string | null,
  ): ManifestProblem =>
    problemAt(draft.document, { at: ['check', key], rule: `check/${rule}`, message, hint })
  const entity = Object.hasOwn(entities, check.entity) ? entities[check.entity] : undefined
  if (entity === undefined) {
    const hint = suggestion(check.entity, Object.keys(entities))
    return [finding('entity', 'unknown-entity', `there is no entity "${check.entity}"`, hint)]
  }
  if (entity.actions[check.action] === undefined) {
    const hint = suggestion(check.action, Object.keys(entity.actions))
    return [
      finding('action', 'unknown-action', `${check.entity} has no action "${check.action}"`, hint),
    ]
  }
  const action = { entity: check.entity, name: check.action }
  if (!CHECKS.includes(check.action)) {
    const hint = `take ${inWords(CHECKS)}, or a request of its own`
    return [
      finding(
        'action',
        'writes',
        `the check would ${check.action} a record of ${check.entity}`,
        hint,
      ),
    ]
  }
  const params = paramsOf(draft.source, action)
  const given = Object.keys(check.params ?? {})
  const missing = [...requiredOf(draft.source, params)].filter(
    (name) => !given.includes(name) && !hasDefault(draft.source, params, name),
  )
  return [
    ...given.flatMap((name) => {
      const hint = missingParam(draft, action, name)
      if (hint === undefined) return []
      return [
        problemAt(draft.document, {
          at: ['check', 'params', name],
          part: 'key',
          rule: 'check/unknown-param',
          message: `${action.entity}.${action.name} has no parameter "${name}"`,
          hint,
        }),
      ]
    }),
    ...missing.map((name) =>
      problemAt(draft.document, {
        at: check.params === undefined ? ['check', 'action'] : ['check', 'params'],
        part: check.params === undefined ? 'value' : 'key',
        rule: 'check/required-param',
        message: `${action.entity}.${action.name} requires "${name}", which the check does not give`,
        hint: `add params: { ${name}: … }`,
      }),
    ),
  ]
}
