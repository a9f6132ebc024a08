// Renders the templates of our chart without Helm: the few words of Go templates that they use, and an error for others.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'

type Value = unknown
interface Scope {
  readonly dot: Value
  readonly variables: Readonly<Record<string, Value>>
}
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly pipeline: string }
  | { readonly kind: 'block'; readonly word: string; readonly rest: string; readonly body: Node[] }

/** The objects of a chart, with values in place of those of values.yaml, under the name of a release. */
export function renderChart(
  folder: string,
  values: Readonly<Record<string, Value>> = {},
  release = 'tenon',
): readonly Readonly<Record<string, Value>>[] {
  const read = (name: string): Readonly<Record<string, Value>> =>
    parse(readFileSync(join(folder, name), 'utf8')) as Readonly<Record<string, Value>>
  const chart = read('Chart.yaml')
  const root = {
    Values: { ...read('values.yaml'), ...values },
    Release: { Name: release, Service: 'Helm' },
    Chart: { Name: chart['name'], AppVersion: chart['appVersion'] },
  }
  const names = readdirSync(join(folder, 'templates')).toSorted()
  const templates = names.map((name) =>
    parseTemplate(readFileSync(join(folder, 'templates', name), 'utf8')),
  )
  const defined = new Map<string, Node[]>()
  for (const nodes of templates) {
    for (const node of nodes) {
      if (node.kind === 'block' && node.word === 'define')
        defined.set(JSON.parse(node.rest) as string, node.body)
    }
  }
  const text = templates
    .map((nodes) => render(nodes, { dot: root, variables: { $: root } }, defined))
    .join('\n---\n')
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${document.errors[0]?.message}\n${text}`)
    // Every template gives an object, or nothing.
    const value = document.toJS() as Readonly<Record<string, Value>> | null
    return value === null ? [] : [value]
  })
}

const BLOCKS: ReadonlySet<string> = new Set(['if', 'with', 'range', 'define'])

function parseTemplate(text: string): Node[] {
  const stack: Node[][] = [[]]
  const open: { word: string; rest: string }[] = []
  let at = 0
  const add = (node: Node): void => void stack.at(-1)?.push(node)
  for (const match of text.matchAll(/(\s*)\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g)) {
    const [whole, space = '', trims, code = '', trimsAfter] = match
    if (match.index >= at)
      add({ kind: 'text', text: text.slice(at, match.index) + (trims === '-' ? '' : space) })
    at = match.index + whole.length
    if (trimsAfter === '-') at += (/^\s*/.exec(text.slice(at))?.[0] ?? '').length
    const [word = ''] = code.split(/\s/)
    if (BLOCKS.has(word)) {
      open.push({ word, rest: code.slice(word.length).trim() })
      stack.push([])
    } else if (code === 'end') {
      const body = stack.pop() ?? []
      const { word: opened = '', rest = '' } = open.pop() ?? {}
      add({ kind: 'block', word: opened, rest, body })
    } else add({ kind: 'value', pipeline: code })
  }
  add({ kind: 'text', text: text.slice(at) })
  if (open.length > 0) throw new Error(`${open.at(-1)?.word} has no end`)
  return stack[0] ?? []
}

function render(
  nodes: readonly Node[],
  scope: Scope,
  defined: ReadonlyMap<string, Node[]>,
): string {
  const value = (pipeline: string): Value => evaluate(pipeline, scope, defined)
  return nodes
    .map((node): string => {
      if (node.kind === 'text') return node.text
      if (node.kind === 'value') return String(value(node.pipeline))
      const { word, rest, body } = node
      if (word === 'define') return ''
      if (word === 'if') return isTrue(value(rest)) ? render(body, scope, defined) : ''
      if (word === 'with') {
        const dot = value(rest)
        return isTrue(dot) ? render(body, { ...scope, dot }, defined) : ''
      }
      const [, names = '', list = ''] = /^(.*):=(.*)$/.exec(rest) ?? []
      const [first = '', second] = names.split(',').map((name) => name.trim())
      const entries = Object.entries(value(list.trim()) as object).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      )
      return entries
        .map(([key, each]) => {
          const bound =
            second === undefined
              ? { [first]: each as Value }
              : { [first]: key, [second]: each as Value }
          return render(body, { dot: each, variables: { ...scope.variables, ...bound } }, defined)
        })
        .join('')
    })
    .join('')
}

function isTrue(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

type Words = Readonly<Record<string, (...given: Value[]) => Value>>

const WORDS: Words = {
  not: (value) => !isTrue(value),
  quote: (value) => JSON.stringify(String(value)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (count, text) => `\n${indent(Number(count), String(text))}`,
  sha256sum: (text) => createHash('sha256').update(String(text)).digest('hex'),
}

function indent(count: number, text: string): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(count) + line)
    .join('\n')
}

function evaluate(pipeline: string, scope: Scope, defined: ReadonlyMap<string, Node[]>): Value {
  let result: Value
  for (const [index, stage] of pipeline.split('|').entries()) {
    const [first = '', ...rest] = stage.trim().match(/"[^"]*"|\S+/g) ?? []
    const given = rest.map((word) => operand(word, scope))
    if (index > 0) given.push(result)
    if (first === 'include') {
      const body = defined.get(String(given[0]))
      if (body === undefined) throw new Error(`there is no template ${String(given[0])}`)
      result = render(body, { dot: given[1], variables: { $: given[1] } }, defined).trim()
    } else if (/^[a-z]/i.test(first)) {
      const word = WORDS[first]
      if (word === undefined) throw new Error(`this check does not know "${first}"`)
      result = word(...given)
    } else result = operand(first, scope)
  }
  return result
}

function operand(word: string, { dot, variables }: Scope): Value {
  if (word.startsWith('"')) return JSON.parse(word)
  if (/^\d+$/.test(word)) return Number(word)
  if (/^\$\w/.test(word)) return variables[word]
  if (word === '.') return dot
  let value: Value = word.startsWith('$.') ? variables['$'] : dot
  for (const name of word.replace(/^\$?\./, '').split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new Error(`${word} is not in the values`)
    value = (value as Readonly<Record<string, Value>>)[name]
  }
  return value
}
