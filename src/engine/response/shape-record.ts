// Members that are added to records, and members that are removed.
import { compileExpression, compileTemplate } from '../../language/expression/evaluate.ts'
import { manifestDefect } from '../../language/expression/value-error.ts'
import type { PathStep, Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'

/** Gives the record in its final form; a new one where anything changes. `scope` holds everything but `record`. */
export type Shape = (record: Json, scope: Scope) => Json

/**
 * Compiles `set` and `drop`, in this order; null when there is nothing to do. An absent value sets nothing. A record
 * that is no object is replaced by the object `set` makes. Throws ValueError from `set`, and `internal_error` for a `drop`
 * of the whole record.
 */
export function compileShape({ set, drop }: Pick<ResponseRules, 'set' | 'drop'>): Shape | null {
  const shapes: Shape[] = []
  if (set.length > 0) shapes.push(compileSet(set))
  for (const { steps } of drop) shapes.push(compileDrop(steps))
  if (shapes.length === 0) return null
  return (record, scope) => shapes.reduce((shaped, shape) => shape(shaped, scope), record)
}

function compileSet(set: ResponseRules['set']): Shape {
  const members = set.map(([name, template]) => [name, compileTemplate(template)] as const)
  return (record, scope) => {
    const inside = { ...scope, record }
    const added: [string, Json][] = []
    for (const [name, evaluate] of members) {
      const value = evaluate(inside)
      if (value !== undefined) added.push([name, value])
    }
    const before = isJsonObject(record) ? Object.entries(record) : []
    return Object.fromEntries([...before, ...added])
  }
}

function compileDrop(steps: readonly PathStep[]): Shape {
  const [step, ...inside] = steps
  if (step === undefined) throw manifestDefect('a record cannot be dropped as a whole')
  const selects = compileSelector(step)
  const dropInside = inside.length === 0 ? null : compileDrop(inside)
  return (value, scope) => {
    const isArray = isList(value)
    if (!isArray && !isJsonObject(value)) return value
    const kept: [string, Json][] = []
    let changed = false
    for (const [name, member] of Object.entries<Json>(value)) {
      const selected = isArray
        ? selects(Number(name), value.length, scope)
        : selects(name, 0, scope)
      if (selected && dropInside === null) {
        changed = true
        continue
      }
      const left = selected && dropInside !== null ? dropInside(member, scope) : member
      if (left !== member) changed = true
      kept.push([name, left])
    }
    if (!changed) return value
    return isArray ? kept.map(([, element]) => element) : Object.fromEntries(kept)
  }
}

/** Whether a step leads to the member or element of that key. */
type Selects = (key: string | number, length: number, scope: Scope) => boolean

function compileSelector(step: PathStep): Selects {
  switch (step.kind) {
    case 'all':
      return () => true
    case 'member':
      return (key) => key === step.name
    case 'index':
      return (key, length) => key === (step.index < 0 ? step.index + length : step.index)
    case 'computed': {
      const evaluate = compileExpression(step.index)
      return (key, _length, scope) => key === evaluate(scope)
    }
  }
}
