// YAML tree → plain value and the places of its parts. Refuses keys and numbers that mean different things elsewhere.
import type { ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { yamlReader } from '../../late-modules.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { setOwn } from '../json/own.ts'
import { kindName } from './value-problems.ts'
import type { Placed } from './document.ts'
import { MAX_DEPTH, type TextFinding, TOO_DEEP } from './yaml-syntax.ts'

export interface BuiltValue {
  readonly value: JsonObject
  readonly root: Placed
}

/** What stands for something that is not known, so that a value without it would be refused for what is not missing. */
const GAPS: ReadonlySet<string> = new Set(['yaml/anchor', 'yaml/depth'])

/**
 * The plain value of a document. With findings it is what was meant, as far as that can be told, so that more can be
 * found in it; null: too little of it.
 */
export function buildValue(
  contents: ParsedNode | null,
  text: string,
  findings: TextFinding[],
): BuiltValue | null {
  const { isMap } = yamlReader()
  const builder: Builder = {
    text,
    isMap: (node) => isMap(node),
    refuse(node, rule, message, hint = null) {
      const [start, end] = node.range ?? [0, 1]
      findings.push({ start, end, rule, message, hint })
      return null
    },
  }
  const built = contents === null ? null : build(contents, null, 1, builder)
  if (findings.some(({ rule }) => GAPS.has(rule))) return null
  if (built === null || built.placed.members === null) {
    if (findings.length > 0) return null
    const [start, end] = contents?.range ?? [0, 1]
    const hint = 'begin with "manifest: 1"'
    findings.push({ start, end, rule: 'yaml/root', message: 'a manifest is a map', hint })
    return null
  }
  return { value: built.value as JsonObject, root: built.placed } // the value of a map is an object
}

interface Builder {
  readonly text: string
  readonly isMap: (node: YAMLMap.Parsed | YAMLSeq.Parsed) => node is YAMLMap.Parsed
  refuse(node: ParsedNode, rule: string, message: string, hint?: string | null): null
}

type Key = Placed['key']

interface Built {
  readonly value: Json
  readonly placed: Placed
}

function build(node: ParsedNode, key: Key, depth: number, builder: Builder): Built {
  if ('items' in node) {
    if (depth > MAX_DEPTH)
      return { value: builder.refuse(node, 'yaml/depth', TOO_DEEP), placed: place(node, key) }
    return builder.isMap(node)
      ? buildMap(node, key, depth, builder)
      : buildList(node, key, depth, builder)
  }
  // Aliases were refused as tokens.
  const value = 'value' in node ? scalarValue(node, builder) : null
  return { value, placed: place(node, key) }
}

function place(node: ParsedNode, key: Key): Placed {
  const [start, end] = node.range
  const block = 'items' in node && node.flow !== true
  return { start, end, key, block, members: null, items: null }
}

function buildList(node: YAMLSeq.Parsed, key: Key, depth: number, builder: Builder): Built {
  const built = node.items.map((item) => build(item, null, depth + 1, builder))
  return {
    value: built.map((item) => item.value),
    placed: { ...place(node, key), items: built.map((item) => item.placed) },
  }
}

function buildMap(node: YAMLMap.Parsed, key: Key, depth: number, builder: Builder): Built {
  const value: Record<string, Json> = {}
  const members = new Map<string, Placed>()
  // `{{ x }}` was found among the tokens. It was meant as text.
  if (builder.text.startsWith('{{', node.range[0]))
    return { value: sourceOf(node, builder), placed: { ...place(node, key), block: false } }
  for (const pair of node.items) {
    const name = readKey(pair.key, members, builder)
    const keyPlace = { start: pair.key.range[0], end: pair.key.range[1] }
    const built =
      pair.value === null
        ? { value: null, placed: place(pair.key, keyPlace) }
        : build(pair.value, keyPlace, depth + 1, builder)
    if (name === null) continue
    setOwn(value, name, built.value)
    members.set(name, built.placed)
  }
  return { value, placed: { ...place(node, key), members } }
}

/** The name a key gives, or null when it is refused. */
function readKey(
  key: ParsedNode,
  seen: ReadonlyMap<string, Placed>,
  builder: Builder,
): string | null {
  if (!('value' in key))
    return builder.refuse(key, 'yaml/key', 'a key must be text, not a map or list')
  const name = key.value
  const source = sourceOf(key, builder)
  if (typeof name !== 'string') {
    if (source === '') return builder.refuse(key, 'yaml/key', 'a key is missing here')
    const kind = name === null ? 'null' : kindName(typeof name)
    const message = `the key ${source} is read as ${kind}`
    builder.refuse(key, 'yaml/key', message, `write "${source}"`)
    return seen.has(source) ? null : source
  }
  if (FORBIDDEN_KEYS.has(name))
    return builder.refuse(key, 'yaml/key', `the key ${name} is not allowed`)
  if (name === '<<' && key.type === 'PLAIN') {
    const hint = 'reuse by shapes (schemas), defaults (rules) or maps (constants)'
    return builder.refuse(key, 'yaml/anchor', 'merge keys are not allowed', hint)
  }
  if (!name.isWellFormed())
    return source.isWellFormed() ? builder.refuse(key, 'yaml/character', HALF_CHARACTER) : null
  const first = seen.get(name)
  if (first === undefined) return name
  const line = builder.text.slice(0, first.key?.start ?? 0).split(/\r\n|\r|\n/).length
  const message = `the key "${name}" stands here twice`
  return builder.refuse(key, 'yaml/duplicate-key', message, `first on line ${line}`)
}

// Names that reach the prototype of objects in code that is less careful than ours.
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const HALF_CHARACTER = 'half of a surrogate pair is no character'

function scalarValue(node: Scalar.Parsed, builder: Builder): Json {
  const { value } = node
  if (typeof value === 'string') {
    if (value.isWellFormed()) return value
    // One that stands there unescaped was found in the text.
    if (sourceOf(node, builder).isWellFormed())
      builder.refuse(node, 'yaml/character', HALF_CHARACTER)
    return value.toWellFormed()
  }
  if (typeof value === 'number') return checkNumber(node, value, builder)
  return typeof value === 'boolean' ? value : null
}

function checkNumber(node: Scalar.Parsed, value: number, builder: Builder): number {
  const source = sourceOf(node, builder)
  if (/^[-+]?0[xo]/.test(source)) {
    const message = `${source} is a number only to some YAML readers`
    builder.refuse(node, 'yaml/number', message, `write ${value}, or "${source}" for text`)
  } else if (!Number.isFinite(value)) {
    const message = `${source} is a number that JSON does not have`
    builder.refuse(node, 'yaml/number', message, `write "${source}" for text`)
    return 0
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = `${source} has more digits than a number can hold`
    builder.refuse(node, 'yaml/number', message, `write "${source}" for text`)
  }
  // -0 has no other JSON text than 0.
  return value === 0 ? 0 : value
}

function sourceOf(node: ParsedNode, builder: Builder): string {
  return builder.text.slice(node.range[0], node.range[1])
}
