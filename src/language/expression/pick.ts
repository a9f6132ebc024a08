// `$` paths → functions that read an answer. Source of the notation: docs/manifest-language.md, "Answers".
import type { Json, JsonObject } from '../json/json.ts'
import { isList } from '../json/members.ts'
import { own } from '../json/own.ts'
import { compileExpression } from './evaluate.ts'
import { findLink } from './link-header.ts'
import { manifestDefect } from './value-error.ts'
import { isExactNumber } from '../json/exact-number.ts'
import type { Path, PathStep, Scope } from './syntax.ts'

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The decoded body; undefined when it is empty. */
  readonly body: Json | undefined
  /** The address that answered: relative links are resolved against it. */
  readonly url: string
  /** `$next`: what pagination found, or null. */
  readonly next?: Json
  /** `$parent`: the record of the parent entity during a sync. */
  readonly parent?: Json
}

export type Pick = (answer: Answer, scope?: Scope) => Json | undefined

/**
 * Compiles a path. One value, or undefined when there is none; with `[*]` a flat list of what there is, or undefined
 * when the value that `[*]` should run over is no list and no object. `scope` serves indexes made of expressions.
 */
export function compilePath(path: Path): Pick {
  const read = compileSteps(path.steps)
  switch (path.root) {
    case 'body':
      return (answer, scope = {}) => read(answer.body, scope)
    case 'next':
      return (answer, scope = {}) => read(answer.next, scope)
    case 'parent':
      return (answer, scope = {}) => read(answer.parent, scope)
    case 'headers':
      return compileHeader(path)
    case 'link':
      return compileLink(path)
    case 'callback':
    case 'cookies':
      throw manifestDefect(`${path.source} is no part of an answer`)
  }
}

/** Compiles a path that begins at a given value: a record, a body. Throws `internal_error` for another root than `$`. */
export function compileBodyPath(path: Path): (body: Json) => Json | undefined {
  if (path.root !== 'body')
    throw manifestDefect(`${path.source} does not begin at the value at hand`)
  const read = compileSteps(path.steps)
  return (body) => read(body, {})
}

type Read = (value: Json | undefined, scope: Scope) => Json | undefined

function compileSteps(steps: readonly PathStep[]): Read {
  const every = steps.findIndex((step) => step.kind === 'all')
  if (every < 0) return chain(steps.map(compileStep))
  const container = chain(steps.slice(0, every).map(compileStep))
  const collect = compileCollect(steps.slice(every + 1))
  return (value, scope) => {
    const elements = elementsOf(container(value, scope))
    if (elements === undefined) return undefined
    const found: Json[] = []
    for (const element of elements) collect(element, scope, found)
    return found
  }
}

function chain(reads: readonly Read[]): Read {
  const [first, second, ...more] = reads
  if (first === undefined) return (value) => value
  if (second === undefined) return first
  if (more.length === 0) return (value, scope) => second(first(value, scope), scope)
  return (value, scope) => {
    let inside = value
    for (const read of reads) {
      if (inside === undefined) return undefined
      inside = read(inside, scope)
    }
    return inside
  }
}

/** What follows a `[*]`, once per element: adds what it finds to the list. */
function compileCollect(
  steps: readonly PathStep[],
): (value: Json, scope: Scope, found: Json[]) => void {
  const every = steps.findIndex((step) => step.kind === 'all')
  if (every < 0) {
    const read = chain(steps.map(compileStep))
    return (value, scope, found) => {
      const inside = read(value, scope)
      if (inside !== undefined) found.push(inside)
    }
  }
  const container = chain(steps.slice(0, every).map(compileStep))
  const collect = compileCollect(steps.slice(every + 1))
  return (value, scope, found) => {
    for (const element of elementsOf(container(value, scope)) ?? []) collect(element, scope, found)
  }
}

function compileStep(step: PathStep): Read {
  switch (step.kind) {
    case 'member':
      return compileMember(step.name)
    case 'index':
      return (value) => at(value, step.index)
    case 'computed':
      return compileComputed(step)
    case 'all':
      throw new TypeError('[*] is no single step')
  }
}

function compileMember(name: string): Read {
  // Nothing but an object of JSON has a member of such a name: reading it is all there is to do.
  if (!(name in []) && !/^\d+$/.test(name) && name !== 'rawJSON')
    return (value) =>
      typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined
  return (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? own(value, name)
      : undefined
}

function compileComputed(step: Extract<PathStep, { kind: 'computed' }>): Read {
  const evaluate = compileExpression(step.index)
  return (value, scope) => {
    const index = evaluate(scope)
    if (typeof index === 'number') return at(value, index)
    return typeof index === 'string' ? own(value, index) : undefined
  }
}

function at(value: Json | undefined, index: number): Json | undefined {
  return value !== undefined && isList(value) && Number.isSafeInteger(index)
    ? value.at(index)
    : undefined
}

function elementsOf(value: Json | undefined): readonly Json[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isList(value)) return value
  return isExactNumber(value) ? undefined : Object.values(value)
}

function compileHeader(path: Path): Pick {
  const name = memberName(path, 0).toLowerCase()
  return (answer) => (Object.hasOwn(answer.headers, name) ? answer.headers[name] : undefined)
}

function compileLink(path: Path): Pick {
  const relation = memberName(path, 0)
  const attribute = path.steps.length > 1 ? memberName(path, 1).toLowerCase() : null
  return (answer) => {
    const header = Object.hasOwn(answer.headers, 'link') ? answer.headers['link'] : undefined
    const link = header === undefined ? undefined : findLink(header, relation)
    if (link === undefined) return undefined
    if (attribute !== null) return link.attributes.get(attribute)
    return URL.parse(link.target, answer.url)?.href
  }
}

function memberName(path: Path, place: number): string {
  const step = path.steps[place]
  if (step?.kind === 'member') return step.name
  throw manifestDefect(`${path.source} names nothing of its root`)
}
