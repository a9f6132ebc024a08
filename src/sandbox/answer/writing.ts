// Requests that change what the vendor keeps.
import { isTrue } from '../../language/expression/evaluate.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, mergeObjects, withMember } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { fileParams } from '../../language/manifest/file-params.ts'
import type { Action } from '../../language/manifest/manifest.ts'
import { typeNamesOf } from '../../language/manifest/json-schema.ts'
import { dataOf } from '../../language/manifest/body-forms/forms.ts'
import { makeUp } from '../data/made-up.ts'
import { type Row } from '../data/world.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { dereference, propertiesOf } from '../wire/schema-places.ts'
import { topLevelParam } from '../wire/understand.ts'
import { valueAnswer, type WireAnswer } from '../wire/wire-answer.ts'
import { type Call, contextOf, findTarget, parentToBe, refuse, showRow } from './vendor-call.ts'
import { recordAnswer } from './reading.ts'

/** A new row: what the rules give it, then what the caller gave, then what the rules correct. */
export function answerCreate(call: Call): WireAnswer {
  const { set, world, rules } = call
  refuse(call, null)
  const parent = parentToBe(call)
  if (set === null) return writtenAnswer(call, null, 201)
  const context = contextOf(call)
  const row = world.insert(
    set,
    parent,
    rules.record ?? world.rules(set).blank ?? world.rules(set).record,
    context.scope,
  )
  applyGiven(call, row)
  keepFile(call, row)
  return writtenAnswer(call, row, 201)
}

export function answerUpdate(call: Call): WireAnswer {
  if (call.set === null) {
    refuse(call, null)
    return writtenAnswer(call, null, 200)
  }
  const row = findTarget(call)
  refuse(call, row)
  call.world.settle()
  applyGiven(call, row)
  keepFile(call, row)
  return writtenAnswer(call, row, 200)
}

export function answerDelete(call: Call): WireAnswer {
  const { world, set, rules } = call
  if (set === null) throw new VendorRefusal('not_found', 'There is nothing to delete')
  const row = findTarget(call)
  refuse(call, row)
  const context = contextOf(call, row)
  const further = rules.remove?.(context)
  const answer = writtenAnswer(call, row, 200)
  world.remove(row)
  for (const key of Array.isArray(further) ? further : []) {
    const other = world.find(set, key)
    if (other !== undefined) world.remove(other)
  }
  if (row.parent !== null) world.touch(row.parent)
  const { result } = call.understood.route.action
  return result === null && rules.answer === undefined
    ? valueAnswer(rules.status ?? 204, undefined)
    : answer
}

/**
 * The file that came with a write, or with an earlier request of the same action, for who downloads it. A record that says
 * how large its file is says so of this one.
 */
function keepFile({ kept, understood: { params, route }, world }: Call, row: Row): void {
  const { action, operation, step } = route
  const sent = sentFiles(action).flatMap((name) => {
    const file = own(params, name)
    return typeof file === 'string' ? [Buffer.from(file, 'base64')] : []
  })
  const isLast = step === action.steps.at(-1)
  const file = sent.at(-1) ?? (isLast ? kept.take(operation) : null)
  if (file === null) return
  kept.keep(row, file)
  if (!isLast) kept.hold(operation, file)
  if (typeof row.fields['size'] === 'number') world.write(row, { ...row.fields, size: file.length })
}

/** The parameters that are files, or base64 text. */
function sentFiles(action: Action): readonly string[] {
  const texts = propertiesOf(action.params.schema).flatMap(([name, each]) =>
    each['format'] === 'byte' ? [name] : [],
  )
  return [...fileParams(action), ...texts]
}

function applyGiven(call: Call, row: Row): void {
  const { world, rules, understood } = call
  const members = propertiesOf(understood.route.entity.record).map(([name]) => name)
  const isMember = (name: string): boolean =>
    members.includes(name) || Object.hasOwn(row.fields, name)
  for (const name of bodyParams(call)) {
    const value = own(understood.params, name)
    if (value === undefined) continue
    if (isMember(name)) world.write(row, mergeObjects(row.fields, { [name]: value }))
    // Any other parameter that is no member of the record asks for something else (to notify, to expand).
    else if (isJsonObject(value) && isWholeRecord(call, name)) {
      const given = Object.entries(value).filter(([member]) => isMember(member))
      world.write(row, mergeObjects(row.fields, Object.fromEntries(given)))
    }
  }
  for (const { path, value } of rules.write) {
    const written = value(contextOf(call, row))
    if (written !== undefined) world.write(row, withMember(row.fields, path, written))
  }
  world.touch(row)
}

/**
 * Whether a parameter holds the record: it is the body, or has the name under which actions of the entity answer theirs
 * (`body: [ticket]`, `record: $.ticket`).
 */
function isWholeRecord({ understood }: Call, name: string): boolean {
  const { entity, step } = understood.route
  const data = dataOf(step.request.body)
  const [whole] = data?.kind === 'value' ? topLevelParam(data.expression) : []
  if (whole !== undefined) return whole === name
  return entity.actions.some(({ response: { kind, at } }) => {
    const last = at.steps.at(-1)
    return kind === 'record' && last?.kind === 'member' && last.name === name
  })
}

function bodyParams(call: Call): ReadonlySet<string> {
  return new Set(
    call.understood.readings
      .filter(({ root, from }) => root === 'params' && from === 'body')
      .map(({ path }) => path[0] ?? ''),
  )
}

/** What a write answers: by rule, by the schema of its result, or the record. */
function writtenAnswer(call: Call, row: Row | null, status: number): WireAnswer {
  const { rules, understood } = call
  const { action } = understood.route
  if (rules.silent !== undefined && isTrue(rules.silent(contextOf(call, row)))) {
    return valueAnswer(rules.status ?? 204, undefined)
  }
  if (rules.answer !== undefined) {
    const body = rules.answer(contextOf(call, row))
    return valueAnswer(rules.status ?? (body === undefined ? 204 : status), body)
  }
  const shown = row === null ? {} : showRow(call, row)
  if (action.result !== null) {
    return recordAnswer(call, rules.status ?? status, resultOf(call, action.result, shown))
  }
  return row === null
    ? valueAnswer(rules.status ?? 204, undefined)
    : recordAnswer(call, rules.status ?? status, shown)
}

/** The members of a result: those of the record where it has them, success otherwise, else made up. */
function resultOf(call: Call, schema: JsonObject, record: JsonObject): Json {
  const { definitions } = call.manifest
  const known = dereference(schema, definitions)
  return Object.fromEntries(
    propertiesOf(known).map(([name, property]) => {
      const present = own(record, name)
      if (present !== undefined) return [name, present]
      if (typeNamesOf(dereference(property, definitions)).includes('boolean')) return [name, true]
      const place = `result/${call.understood.route.operation}/${name}`
      return [name, makeUp(property, { world: call.world, place, name, position: 0, definitions })]
    }),
  )
}
