// What hosts read of the declarations: the statements that the entries lead to, and nothing of what stands next to them in
// the same files. A compiler reads every file that an import names; of a class that no host can name it need not.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { parseSync } from 'rolldown/utils'

/** A node of the syntax tree, as far as this program looks at it. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** A name of another file. `*`: the whole module as a namespace. */
interface Elsewhere {
  readonly from: string
  readonly name: string
}

interface Statement {
  /** With the comment in front of it. */
  readonly text: string
  /** What it mentions: names, and types of other files by `import('…')`. */
  readonly names: ReadonlySet<string>
  readonly imported: readonly Elsewhere[]
}

interface File {
  readonly statements: readonly Statement[]
  readonly declared: ReadonlyMap<string, readonly Statement[]>
  readonly imports: ReadonlyMap<string, Elsewhere>
  /** What it exports by the name of it in there; of its own or of another file. */
  readonly exports: ReadonlyMap<string, string | Elsewhere>
  readonly stars: readonly string[]
}

/** The statements and imported names of each file that stay. */
type Kept = ReadonlyMap<string, ReadonlySet<Statement | string>>

/**
 * Leaves of the declarations below `folder` what the entries lead to. An entry keeps all that it exports; of other files
 * those statements stay that something which stays mentions.
 *
 * What `first` leads to, which every host reads, stands apart: where the other entries need more of such a file, that is
 * in a file of its own, `name.rest.d.ts`.
 */
export function pruneDeclarations(
  folder: string,
  { first, others }: { readonly first: readonly string[]; readonly others: readonly string[] },
): void {
  const files = new Map<string, File>()
  const fileAt = (path: string): File => {
    const found = files.get(path) ?? readDeclarations(readFileSync(path, 'utf8'))
    files.set(path, found)
    return found
  }
  const base = keptOf(fileAt, first)
  const all = keptOf(fileAt, [...first, ...others])
  const isSplit = (path: string): boolean =>
    base.has(path) && [...(all.get(path) ?? [])].some((each) => base.get(path)?.has(each) !== true)
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, name)
    const kept = all.get(path)
    if (kept === undefined) {
      rmSync(path)
      continue
    }
    const file = fileAt(path)
    const own = base.get(path)
    writeFileSync(path, own === undefined ? textOf(file, kept, rest) : textOf(file, own, plain))
    if (own !== undefined && isSplit(path))
      writeFileSync(path.replace(/\.d\.ts$/, '.rest.d.ts'), restOf(path, file, { own, kept }, rest))

    function rest(from: string): string {
      return isSplit(declarationsOf(path, from))
        ? plain(from).replace(/\.js$/, '.rest.js')
        : plain(from)
    }
  }
}

/** Names of other files end as JavaScript does, which every compiler finds. */
function plain(from: string): string {
  return from.startsWith('.') ? from.replace(/\.ts$/, '.js') : from
}

/** What the other entries need of a file, with all that it exports to the first. */
function restOf(
  path: string,
  file: File,
  { own, kept }: Readonly<Record<'own' | 'kept', ReadonlySet<Statement | string>>>,
  at: (from: string) => string,
): string {
  const more = new Set([...kept].filter((each) => typeof each === 'string' || !own.has(each)))
  const mentioned = new Set(
    [...more].flatMap((each) => (typeof each === 'string' ? [] : [...each.names])),
  )
  const shared: string[] = []
  for (const name of mentioned)
    for (const statement of file.declared.get(name) ?? []) {
      if (!own.has(statement)) continue
      if (file.exports.has(name)) shared.push(name)
      else if (/\bclass\b|\bunique symbol\b/.test(statement.text))
        throw new Error(`${path}: ${name} is one thing in two files; export it`)
      // Two equal types are one type.
      else more.add(statement)
    }
  const name = `./${basename(path).replace(/\.d\.ts$/, '.js')}`
  const names = [...new Set(shared)].toSorted()
  const imported = names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${name}'\n`
  return `export * from '${name}'\n${imported}${textOf(file, more, at)}`
}

function keptOf(fileAt: (path: string) => File, entries: readonly string[]): Kept {
  const kept = new Map<string, Set<Statement | string>>()
  const keptIn = (path: string): Set<Statement | string> => {
    const found = kept.get(path) ?? new Set()
    kept.set(path, found)
    return found
  }
  /** Keeps what a name of this file stands for. */
  function keepName(path: string, name: string): void {
    const { declared, imports } = fileAt(path)
    for (const statement of declared.get(name) ?? []) keepStatement(path, statement)
    const elsewhere = imports.get(name)
    if (elsewhere === undefined || keptIn(path).has(name)) return
    keptIn(path).add(name)
    keepElsewhere(path, elsewhere)
  }
  function keepStatement(path: string, statement: Statement): void {
    if (keptIn(path).has(statement)) return
    keptIn(path).add(statement)
    for (const name of statement.names) keepName(path, name)
    for (const elsewhere of statement.imported) keepElsewhere(path, elsewhere)
  }
  function keepElsewhere(path: string, { from, name }: Elsewhere): void {
    if (!from.startsWith('.')) return
    const other = declarationsOf(path, from)
    if (name === '*') keepAll(other)
    else keepExport(other, name)
  }
  function keepExport(path: string, name: string): void {
    const { exports, stars } = fileAt(path)
    const found = exports.get(name)
    if (typeof found === 'string') keepName(path, found)
    else if (found !== undefined && !keptIn(path).has(exported(name))) {
      keptIn(path).add(exported(name))
      keepElsewhere(path, found)
    } else if (found === undefined)
      for (const from of stars)
        if (hasExport(declarationsOf(path, from), name)) {
          keptIn(path).add(star(from))
          keepExport(declarationsOf(path, from), name)
        }
  }
  function hasExport(path: string, name: string): boolean {
    const { exports, stars } = fileAt(path)
    return exports.has(name) || stars.some((from) => hasExport(declarationsOf(path, from), name))
  }
  function keepAll(path: string): void {
    const { exports, stars } = fileAt(path)
    keptIn(path)
    for (const name of exports.keys()) keepExport(path, name)
    for (const from of stars) {
      keptIn(path).add(star(from))
      keepAll(declarationsOf(path, from))
    }
  }
  for (const entry of entries) keepAll(entry)
  return kept
}

/** How a name that is exported again is kept; names of types have no spaces. */
function exported(name: string): string {
  return `export ${name}`
}

/** How it is kept that a file exports all of another one. */
function star(from: string): string {
  return `star ${from}`
}

/** The file of declarations that an import means. */
function declarationsOf(path: string, from: string): string {
  return join(dirname(path), from.replace(/\.[jt]s$/, '.d.ts'))
}

/** The text of a file with what is kept of it; `at` gives the names of other files. */
function textOf(
  file: File,
  kept: ReadonlySet<Statement | string>,
  at: (from: string) => string,
): string {
  const lists = new Map<string, string[]>()
  const add = (word: string, from: string, name: string): void => {
    const line = `${word} '${at(from)}'`
    lists.set(line, [...(lists.get(line) ?? []), name])
  }
  const lines: string[] = []
  for (const [local, { from, name }] of file.imports) {
    if (!kept.has(local)) continue
    if (name === '*') lines.push(`import type * as ${local} from '${at(from)}'`)
    else add('import type { } from', from, name === local ? name : `${name} as ${local}`)
  }
  for (const [name, found] of file.exports)
    if (typeof found === 'string') {
      const isKept = file.declared.get(found)?.some((each) => kept.has(each)) === true
      if (found !== name && isKept) lines.push(`export { ${found} as ${name} }`)
    } else if (kept.has(exported(name)))
      add('export { } from', found.from, found.name === name ? name : `${found.name} as ${name}`)
  for (const [line, names] of lists) lines.push(line.replace('{ }', `{ ${names.join(', ')} }`))
  for (const from of file.stars) if (kept.has(star(from))) lines.push(`export * from '${at(from)}'`)
  for (const statement of file.statements)
    if (kept.has(statement))
      lines.push(
        statement.text.replaceAll(
          /\bimport\((["'])(\.[^"']+)\1\)/g,
          (_, quote: string, from: string) => `import(${quote}${at(from)}${quote})`,
        ),
      )
  // Without imports and exports a file would be no module.
  return `${[...lines, 'export {}'].join('\n')}\n`
}

function readDeclarations(text: string): File {
  const { program, errors } = parseSync('declarations.d.ts', text, { lang: 'dts' })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const statements: Statement[] = []
  const declared = new Map<string, Statement[]>()
  const imports = new Map<string, Elsewhere>()
  const exports = new Map<string, string | Elsewhere>()
  const stars: string[] = []
  let end = 0
  // The tree is plain data; its own types name every kind of node.
  for (const node of program.body as unknown as readonly Node[]) {
    const from = (node['source'] as { readonly value: string } | null | undefined)?.value
    if (node.type === 'ImportDeclaration') {
      for (const each of node['specifiers'] as readonly Node[])
        imports.set(nameOf(each['local']), { from: from ?? '', name: nameOf(each['imported']) })
    } else if (node.type === 'ExportAllDeclaration') stars.push(from ?? '')
    else if (node.type === 'ExportNamedDeclaration' && node['declaration'] == null) {
      for (const each of node['specifiers'] as readonly Node[]) {
        const name = nameOf(each['local'])
        exports.set(nameOf(each['exported']), from === undefined ? name : { from, name })
      }
    } else {
      const statement = statementOf(text.slice(end, node.end), node)
      statements.push(statement)
      const isExported = node.type === 'ExportNamedDeclaration'
      for (const name of namesDeclaredBy((isExported ? node['declaration'] : node) as Node)) {
        declared.set(name, [...(declared.get(name) ?? []), statement])
        if (isExported) exports.set(name, name)
      }
    }
    end = node.end
  }
  return { statements, declared, imports, exports, stars }
}

/** The name that a node is; a whole module has none. */
function nameOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { readonly name?: string; readonly value?: string }
  return name ?? value ?? '*'
}

function namesDeclaredBy(node: Node): readonly string[] {
  if (node.type === 'VariableDeclaration')
    return (node['declarations'] as readonly Node[]).map(({ id }) => nameOf(id))
  return [nameOf(node['id'])]
}

function statementOf(text: string, node: Node): Statement {
  const names = new Set<string>()
  const imported: Elsewhere[] = []
  const visit = (value: unknown, parent: Node | null, key: string): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, parent, key)
    else if (typeof value === 'object' && value !== null && 'type' in value) {
      const found = value as Node
      // Names of members are no names of types.
      if (found.type === 'Identifier' && !isMemberName(parent, key)) names.add(nameOf(found))
      if (found.type === 'TSImportType') {
        const { value: from } = found['source'] as { readonly value: string }
        imported.push({ from, name: nameOf(leftmost(found['qualifier'])) })
      }
      for (const [member, each] of Object.entries(found)) visit(each, found, member)
    }
  }
  visit(node, null, '')
  return {
    text: text.replace(/^\s*\n/, '').replace(/^\/\/# sourceMappingURL.*$/m, ''),
    names,
    imported,
  }
}

function isMemberName(parent: Node | null, key: string): boolean {
  if (parent === null || parent['computed'] === true) return false
  return (
    key === 'key' ||
    (key === 'property' && parent.type === 'MemberExpression') ||
    (key === 'right' && parent.type === 'TSQualifiedName')
  )
}

function leftmost(node: unknown): unknown {
  let found = node as { readonly left?: unknown } | null | undefined
  while (found?.left !== undefined) found = found.left as typeof found
  return found
}
