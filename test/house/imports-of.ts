// What a source file asks for, read from its syntax tree: imports, re-exports, types of imports, modules that are loaded
// late and threads that are started by their place.
import { parseSync, Visitor } from 'rolldown/utils'

/** One place where a file names another module. */
export interface Import {
  /**
   * As written: `../json/parse.ts`, `undici`, `node:fs`. An expression inside a template is `*`: `./*.ts`. Null where only
   * the running program knows it.
   */
  readonly from: string | null
  /** Counted from 1. */
  readonly line: number
  /**
   * Whether nothing of it is there at run time: `import type`, `export type`, `typeof import('…')`. Not so
   * `import { type A }`: what is left of it without types still loads the module.
   */
  readonly typeOnly: boolean
  /** Whether it is loaded when the running program comes there, and not with the file. */
  readonly isLate: boolean
}

/** The part of a syntax tree that is read here; the parser's own types name every kind of node. */
interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/** In the order of the text. Throws where the file cannot be parsed. */
export function importsOf(file: string, text: string): readonly Import[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`)
  const found: (Omit<Import, 'line'> & { readonly start: number })[] = []
  const add = (source: unknown, typeOnly: boolean, isLate = false): void => {
    const node = source as Node | null | undefined
    if (node) found.push({ from: textOf(node), start: node.start, typeOnly, isLate })
  }
  /** Names of what `createRequire` has made. */
  const requires = new Set(['require'])
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source, false, true),
    TSImportType: (node) => add(node.source, true),
    TSExternalModuleReference: (node) => add(node.expression, false),
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && callee(init) === 'createRequire') requires.add(id.name)
    },
    CallExpression: (node) => {
      const name = callee(node) ?? ''
      if (requires.has(name) || LOADERS.has(name) || callee(node.callee) === 'createRequire')
        add(node.arguments[0], false, true)
    },
    NewExpression: (node) => {
      const [place, base] = node.arguments
      if (nameOf(node.callee) === 'URL' && nameOf(base) === 'import.meta.url')
        add(place, false, true)
    },
    MemberExpression: (node) => {
      if (PLACES.has(nameOf(node) ?? ''))
        found.push({ from: null, start: node.start, typeOnly: false, isLate: true })
    },
  }).visit(program)
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, ...rest }) => ({ ...rest, line: lineAt(text, start) }))
}

const LOADERS: ReadonlySet<string> = new Set([
  'process.getBuiltinModule',
  'import.meta.resolve',
  'require.resolve',
])

/** From these a program makes paths as text, which nothing resolves before it runs; `new URL('…', import.meta.url)` does. */
const PLACES: ReadonlySet<string> = new Set([
  'import.meta.dirname',
  'import.meta.filename',
  'import.meta.glob',
])

/** The text of a string, or of a template with `*` for its expressions; null for anything else. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral') return null
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string | null } }[]
  const text = quasis.map(({ value: { cooked } }) => cooked ?? '').join('*')
  return text.startsWith('*') ? null : text
}

/** What a call calls, as dotted names; null for what is no call or calls the outcome of an expression. */
function callee(value: unknown): string | null {
  const node = value as Node | null | undefined
  return node?.type === 'CallExpression' ? nameOf(node['callee']) : null
}

/** `a`, `a.b`, `import.meta.url`; null for anything else. */
function nameOf(value: unknown): string | null {
  const node = value as Node | null | undefined
  if (node?.type === 'Identifier') return node['name'] as string
  if (node?.type === 'MetaProperty') return 'import.meta'
  if (node?.type !== 'MemberExpression' || node['computed'] === true) return null
  const object = nameOf(node['object'])
  return object === null ? null : `${object}.${nameOf(node['property']) ?? ''}`
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
