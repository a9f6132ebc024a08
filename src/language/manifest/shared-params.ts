// Parameters that several actions share: each of them is given a copy, and findings keep the place where they are written.
import { type DocumentPath, formatPath, type ManifestDocument, problemAt } from './document.ts'
import { actionsOf, type PlacedAction } from './draft.ts'
import type { ManifestProblem } from './problem.ts'
import { inFileOrder } from './problem.ts'
import type { ActionSource, EntitySource, ManifestSource, SchemaSource } from './source.ts'
import { suggestion } from './suggest.ts'

export interface Expanded {
  readonly document: ManifestDocument
  readonly source: ManifestSource
  readonly problems: readonly ManifestProblem[]
}

/**
 * Puts the parameters of the sets that an action names below `shared` among its own, behind them. The action is left
 * with the same parameters as if they had been written there, so nothing behind this phase knows of sets; the document
 * locates them in their set.
 *
 * Rules of the problems: `references/unknown-set`, `references/shared-twice` (of two sets, or of a set and the action),
 * `references/shared-shape` (`params` that are a `$ref` have no place for more).
 */
export function expandShared(document: ManifestDocument, source: ManifestSource): Expanded {
  const users = actionsOf(source).filter((action) => action.source.shared !== undefined)
  if (users.length === 0) return { document, source, problems: [] }
  const problems: ManifestProblem[] = []
  const moved = new Map<string, DocumentPath>()
  const entities: Record<string, EntitySource> = { ...source.entities }
  for (const user of users) {
    const { taken, findings } = takeSets(user, source.shared ?? {})
    problems.push(...findings.map((finding) => problemAt(document, finding)))
    const properties: Record<string, SchemaSource> = { ...user.source.params?.properties }
    for (const { set, name, schema } of taken) {
      properties[name] = schema
      const at = [...user.at, 'params', 'properties', name]
      moved.set(formatPath(at), ['shared', set, name])
    }
    const action: ActionSource = { ...user.source, params: { ...user.source.params, properties } }
    const entity = entities[user.entity]
    if (entity === undefined) continue
    entities[user.entity] = { ...entity, actions: { ...entity.actions, [user.name]: action } }
  }
  return {
    document: document.moved(moved),
    source: { ...source, entities },
    problems: inFileOrder(problems),
  }
}

interface Taken {
  readonly set: string
  readonly name: string
  readonly schema: SchemaSource
}

type Finding = Parameters<typeof problemAt>[1]

function takeSets(
  { source, at, operation }: PlacedAction,
  sets: NonNullable<ManifestSource['shared']>,
): { readonly taken: readonly Taken[]; readonly findings: readonly Finding[] } {
  const taken: Taken[] = []
  const findings: Finding[] = []
  const { shared = [], params } = source
  if (params?.$ref !== undefined) {
    const message = `the parameters of ${operation} are a shape, which takes no further ones`
    const hint = 'list them below properties, or put those of the set into the shape'
    findings.push({
      at: [...at, 'shared'],
      part: 'key',
      rule: 'references/shared-shape',
      message,
      hint,
    })
    return { taken, findings }
  }
  const owners = new Map(Object.keys(params?.properties ?? {}).map((name) => [name, operation]))
  for (const [index, set] of shared.entries()) {
    const here = { at: [...at, 'shared', index] }
    const members = Object.hasOwn(sets, set) ? sets[set] : undefined
    if (members === undefined) {
      const hint = suggestion(set, Object.keys(sets)) ?? 'write it below shared, next to entities'
      const message = `there is no set of parameters "${set}"`
      findings.push({ ...here, rule: 'references/unknown-set', message, hint })
      continue
    }
    for (const [name, schema] of Object.entries(members)) {
      const owner = owners.get(name)
      if (owner !== undefined) {
        const message = `"${name}" is declared by ${owner} and by the set "${set}"`
        const hint = 'leave one of the two out'
        findings.push({ ...here, rule: 'references/shared-twice', message, hint })
      }
      owners.set(name, `the set "${set}"`)
      taken.push({ set, name, schema })
    }
  }
  return { taken, findings }
}
