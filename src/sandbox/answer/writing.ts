// Requests that change what the vendor keeps.
import { isTrue } from '../../language/expression/evaluate.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { makeUp } from '../data/made-up.ts'
import { mergeObjects } from '../data/world.ts'
import type { Row } from '../data/world.ts'
import { isObject } from '../wire/is-object.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { dereference, propertiesOf, typesOf } from '../wire/schema-places.ts'
import { setAt } from '../wire/value-at.ts'
import { valueAnswer } from '../wire/wire-answer.ts'
import type { WireAnswer } from '../wire/wire-answer.ts'
import { findTarget, makingOf, parentToBe, refuse, showRow } from './doing.ts'
import type { Doing } from './doing.ts'
import { recordAnswer } from './reading.ts'

/** A new row: what the rules give it, then what the caller gave, then what the rules correct. */
export function answerCreate(doing: Doing): WireAnswer {
  const { set, world, rules } = doing
  refuse(doing, null)
  const parent = parentToBe(doing)
  if (set === null) return writtenAnswer(doing, null, 201)
  const making = makingOf(doing)
  const row = world.insert(set, parent, rules.record ?? world.rules(set).blank, making.scope)
  applyGiven(doing, row)
  return writtenAnswer(doing, row, 201)
}

/** A changed row. */
export function answerUpdate(doing: Doing): WireAnswer {
  if (doing.set === null) {
    refuse(doing, null)
    return writtenAnswer(doing, null, 200)
  }
  const row = findTarget(doing)
  refuse(doing, row)
  doing.world.settle()
  applyGiven(doing, row)
  return writtenAnswer(doing, row, 200)
}

/** A row taken away, with everything below it. */
export function answerDelete(doing: Doing): WireAnswer {
  const { world, set, rules } = doing
  if (set === null) throw new VendorRefusal('not_found', 'There is nothing to delete')
  const row = findTarget(doing)
  refuse(doing, row)
  const making = makingOf(doing, row)
  const further = rules.remove?.(making)
  const answer = writtenAnswer(doing, row, 200)
  world.remove(row)
  for (const key of Array.isArray(further) ? further : []) {
    const other = world.find(set, key)
    if (other !== undefined) world.remove(other)
  }
  if (row.parent !== null) world.touch(row.parent)
  const { result } = doing.understood.route.action
  return result === null && rules.answer === null
    ? valueAnswer(rules.status ?? 204, undefined)
    : answer
}

function applyGiven(doing: Doing, row: Row): void {
  const { world, rules, understood } = doing
  const members = propertiesOf(understood.route.entity.record).map(([name]) => name)
  const isMember = (name: string): boolean =>
    members.includes(name) || Object.hasOwn(row.fields, name)
  for (const name of bodyParams(doing)) {
    const value = own(understood.params, name)
    if (value === undefined) continue
    if (isMember(name)) world.write(row, mergeObjects(row.fields, { [name]: value }))
    // Any other parameter that is no member of the record asks for something else (to notify, to expand).
    else if (isObject(value) && isWholeRecord(doing, name)) {
      const given = Object.entries(value).filter(([member]) => isMember(member))
      world.write(row, mergeObjects(row.fields, Object.fromEntries(given)))
    }
  }
  for (const { path, value } of rules.write) {
    const written = value(makingOf(doing, row))
    if (written !== undefined) world.write(row, setAt(row.fields, path, written))
  }
  world.touch(row)
}

/**
 * Whether a parameter holds the record: it is the body, or has the name under which actions of the entity answer theirs
 * (`body: [ticket]`, `record: $.ticket`).
 */
function isWholeRecord({ understood }: Doing, name: string): boolean {
  const { entity, step } = understood.route
  const { body } = step.request
  if (body.kind === 'json' && body.value.kind === 'value') {
    const { expression } = body.value
    if (expression.kind === 'path' && expression.root === 'params' && expression.path.length === 1)
      return expression.path[0] === name
  }
  return entity.actions.some(({ response: { kind, at } }) => {
    const last = at.steps.at(-1)
    return kind === 'record' && last?.kind === 'member' && last.name === name
  })
}

function bodyParams(doing: Doing): ReadonlySet<string> {
  return new Set(
    doing.understood.readings
      .filter(({ root, from }) => root === 'params' && from === 'body')
      .map(({ path }) => path[0] ?? ''),
  )
}

/** What a write answers: by rule, by the schema of its result, or the record. */
function writtenAnswer(doing: Doing, row: Row | null, status: number): WireAnswer {
  const { rules, understood } = doing
  const { action } = understood.route
  if (rules.silent !== null && isTrue(rules.silent(makingOf(doing, row)))) {
    return valueAnswer(rules.status ?? 204, undefined)
  }
  if (rules.answer !== null) {
    const body = rules.answer(makingOf(doing, row))
    return valueAnswer(rules.status ?? (body === undefined ? 204 : status), body)
  }
  const shown = row === null ? {} : showRow(doing, row)
  if (action.result !== null) {
    return recordAnswer(doing, rules.status ?? status, resultOf(doing, action.result, shown))
  }
  return row === null
    ? valueAnswer(rules.status ?? 204, undefined)
    : recordAnswer(doing, rules.status ?? status, shown)
}

/** The members of a result: those of the record where it has them, success otherwise, else made up. */
function resultOf(doing: Doing, schema: JsonObject, record: JsonObject): Json {
  const { definitions } = doing.manifest
  const known = dereference(schema, definitions)
  return Object.fromEntries(
    propertiesOf(known).map(([name, property]) => {
      const present = own(record, name)
      if (present !== undefined) return [name, present]
      if (typesOf(dereference(property, definitions)).includes('boolean')) return [name, true]
      const { world } = doing
      const place = `result/${doing.understood.route.operation}/${name}`
      const spot = { chance: world.chance, place, name, position: 0, startMs: world.startMs }
      return [name, makeUp(property, { ...spot, isKey: false, example: undefined, definitions })]
    }),
  )
}
