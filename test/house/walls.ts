// The walls between the rooms of src/: what the files import, held against the table of rights in rooms.ts.
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { ENTRY_FILES } from '../../scripts/entries.ts'
import { importsOf } from './imports-of.ts'

/** What one room may import. A right that begins with `type ` covers `import type` only. */
export interface Room {
  /** Rooms that stand before it. */
  readonly rooms: readonly string[]
  /**
   * npm packages and modules of Node, each with all its entries (`node:fs` covers `node:fs/promises`), and files of this
   * repository outside src/, by their paths.
   */
  readonly packages: readonly string[]
  /** Does no I/O and reads no clock: it imports no module of IO_MODULES, types included. */
  readonly pure?: true
  /** Folders that share its rights, where other rooms lie within its folder. */
  readonly folders?: readonly string[]
}

/** One import that breaks a rule and may stay for now. */
export interface Exception {
  /** A file of src/, or a folder with all files below it when it ends in `/`. */
  readonly file: string
  /** What it imports: a path from the root of the repository, a package, or `?` where the code computes it. */
  readonly imports: string
  readonly reason: string
}

export interface House {
  /** In their order, from left to right. A folder `a` and a room `a/b`: `a` then has the files of the folder itself. */
  readonly rooms: Readonly<Record<string, Room>>
  readonly exceptions: readonly Exception[]
}

export interface SourceFile {
  /** From the root of the repository: `src/engine/plan/plan.ts`. */
  readonly file: string
  readonly text: string
}

/** One import, resolved. */
export interface Edge {
  readonly file: string
  readonly line: number
  readonly room: string
  readonly typeOnly: boolean
  readonly to:
    | { readonly kind: 'room'; readonly name: string; readonly path: string }
    | { readonly kind: 'package'; readonly name: string }
    | { readonly kind: 'computed' }
}

export type Rule = 'no room' | 'room' | 'package' | 'I/O' | 'computed' | 'cycle'

export interface Violation {
  readonly rule: Rule
  /** With file and line, what is wrong and the way out. */
  readonly message: string
}

/** Modules of Node that reach the outside world or a clock. */
export const IO_MODULES: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:cluster',
  'node:dgram',
  'node:dns',
  'node:fs',
  'node:http',
  'node:http2',
  'node:https',
  'node:inspector',
  'node:net',
  'node:os',
  'node:perf_hooks',
  'node:process',
  'node:readline',
  'node:repl',
  'node:sqlite',
  'node:timers',
  'node:tls',
  'node:tty',
  'node:worker_threads',
])

const TABLE = 'test/house/rooms.ts'

/** What the files import, but for what a file imports of its own room. */
export function edgesOf(files: readonly SourceFile[], { rooms }: House): readonly Edge[] {
  return files.flatMap(({ file, text }) => {
    const room = roomOf(file, rooms)
    return importsOf(file, text).flatMap(({ from, line, typeOnly }): Edge[] => {
      const to = resolve(file, from, rooms)
      const own = to === null || (to.kind === 'room' && to.name === room)
      return own ? [] : [{ file, line, room, typeOnly, to }]
    })
  })
}

/** Files that belong to no room of the table. */
export function filesWithoutRoom(
  files: readonly SourceFile[],
  { rooms }: House,
): readonly Violation[] {
  return files
    .map(({ file }) => ({ file, room: roomOf(file, rooms) }))
    .filter(({ room }) => rooms[room] === undefined)
    .map(({ file, room }) => unknownRoom(file, room))
}

/** What the imports break, but for the exceptions. */
export function violationsOf(edges: readonly Edge[], house: House): readonly Violation[] {
  const held = edges.filter(
    (edge) => !house.exceptions.some((exception) => covers(exception, edge)),
  )
  return [...held.flatMap((edge) => violationOf(edge, house.rooms) ?? []), ...cycles(held)]
}

/** Exceptions that no import needs. */
export function staleExceptions(
  edges: readonly Edge[],
  { rooms, exceptions }: House,
): readonly string[] {
  return exceptions
    .filter(
      (exception) =>
        !edges.some((edge) => covers(exception, edge) && violationOf(edge, rooms) !== null),
    )
    .map(
      ({ file, imports }) => `${file} no longer breaks a rule by ${imports}: delete the exception`,
    )
}

/** Rights that no import needs, or needs as types only. */
export function looseRights(edges: readonly Edge[], house: House): readonly string[] {
  const used = new Map<string, 'type' | 'value'>()
  for (const edge of edges) {
    if (house.exceptions.some((exception) => covers(exception, edge))) continue
    const key = `${edge.room} → ${targetOf(edge)}`
    if (!edge.typeOnly) used.set(key, 'value')
    else if (!used.has(key)) used.set(key, 'type')
  }
  return Object.entries(house.rooms).flatMap(([room, { rooms, packages }]) =>
    [...rooms, ...packages].flatMap((right) => {
      const { name, typeOnly } = readRight(right)
      const use = used.get(`${room} → ${name}`)
      if (use === undefined) return [`${room} imports nothing of ${name}: delete the right`]
      if (use === 'type' && !typeOnly)
        return [`${room} imports only types of ${name}: write 'type ${name}'`]
      return []
    }),
  )
}

/** Rights to rooms that do not stand before the one that has them. */
export function rightsAgainstTheOrder({ rooms }: House): readonly string[] {
  const order = Object.keys(rooms)
  return Object.entries(rooms).flatMap(([room, rights]) =>
    rights.rooms
      .map((right) => readRight(right).name)
      .filter((name) => !order.slice(0, order.indexOf(room)).includes(name))
      .map((name) => `${room} has a right to ${name}, which does not stand before it`),
  )
}

/** The room of a file: the longest name in the table that is on its path. Of an unknown one, what it would be called. */
function roomOf(file: string, rooms: House['rooms']): string {
  const parts = file.split('/').slice(1)
  const names = Object.keys(rooms)
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('/')
    if (rooms[name] === undefined) continue
    // A folder that has rooms of its own gives its rights to no further folder but those it names.
    const split = names.some((each) => each.startsWith(`${name}/`))
    const below = parts[length] ?? ''
    const own = !split || parts.length === length + 1 || rooms[name].folders?.includes(below)
    return own === true ? name : `${name}/${below}`
  }
  // A wing whose rooms all lie below it.
  const [wing = '', below = ''] = parts
  const isSplit = parts.length > 2 && names.some((each) => each.startsWith(`${wing}/`))
  return isSplit ? `${wing}/${below}` : wing
}

/** Null for the place of the file itself, from where a program looks further. */
function resolve(file: string, from: string | null, rooms: House['rooms']): Edge['to'] | null {
  if (from === null) return { kind: 'computed' }
  const self = packageJson.name
  const path = from.startsWith('.')
    ? posix.join(posix.dirname(file), from.replace(/[?#].*$/, ''))
    : from === self || from.startsWith(`${self}/`)
      ? entryOf(from.slice(self.length))
      : null
  if (path === null) return { kind: 'package', name: packageOf(from) }
  if (file.startsWith(path.endsWith('/') ? path : `${path}/`) || path === './') return null
  return path.startsWith('src/')
    ? { kind: 'room', name: roomOf(path, rooms), path }
    : { kind: 'package', name: path }
}

/** The source of an entry of this package: `/testing` is `src/sandbox/testing/index.ts`. */
function entryOf(entry: string): string {
  const built = ENTRY_FILES[`.${entry}`] ?? `./dist${entry}/index.js`
  return built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
}

/** `@scope/name/entry` is `@scope/name`, `fs/promises` is `node:fs`. */
function packageOf(from: string): string {
  const [first = '', second = ''] = from.split('/')
  if (first.startsWith('@')) return `${first}/${second}`
  return isBuiltin(from) && !first.startsWith('node:') ? `node:${first}` : first
}

function readRight(right: string): { readonly name: string; readonly typeOnly: boolean } {
  const typeOnly = right.startsWith('type ')
  return { name: typeOnly ? right.slice('type '.length) : right, typeOnly }
}

function targetOf({ to }: Edge): string {
  return to.kind === 'computed' ? '?' : to.name
}

function covers({ file, imports }: Exception, edge: Edge): boolean {
  const target = edge.to.kind === 'room' ? edge.to.path : targetOf(edge)
  return (
    imports === target && (file.endsWith('/') ? edge.file.startsWith(file) : edge.file === file)
  )
}

function violationOf(edge: Edge, rooms: House['rooms']): Violation | null {
  const { file, line, room, typeOnly, to } = edge
  const at = `${file}:${line}`
  const rights = rooms[room]
  if (rights === undefined) return unknownRoom(at, room)
  if (to.kind === 'computed')
    return {
      rule: 'computed',
      message: `${at} loads a module whose name the code computes, so that no wall can hold it. Write the name as a string, or enter the file among the exceptions of ${TABLE} with a reason.`,
    }
  if (to.kind === 'package') {
    if (rights.pure === true && IO_MODULES.has(to.name))
      return {
        rule: 'I/O',
        message: `${at} imports ${to.name}, and ${room} does no I/O and reads no clock. Take the value as an argument, or ask for it through a port that src/engine/adapters implements.`,
      }
    const right = granted(rights.packages, to.name, typeOnly)
    if (right === 'yes') return null
    return {
      rule: 'package',
      message: `${at} imports ${to.name}, and ${room} ${right === 'types' ? `has a right to its types only. Write "import type", or move` : 'has no right to it. Move'} the code to a room that has (${holders(rooms, to.name)}), or give the right in ${TABLE}; a new dependency is a decision for ARCHITECTURE.md.`,
    }
  }
  if (rooms[to.name] === undefined) return unknownRoom(at, to.name)
  const right = granted(rights.rooms, to.name, typeOnly)
  if (right === 'yes') return null
  const order = Object.keys(rooms)
  const way =
    right === 'types'
      ? `${room} has a right to its types only. Write "import type", or take the value as an argument.`
      : order.indexOf(to.name) > order.indexOf(room)
        ? `${to.name} stands after ${room}, and no room imports a later one. Take it as an argument (a port that ${room} declares), or move what both need to a room before them.`
        : `${room} has no right to ${to.name}. Take it as an argument, move the code to a room that has the right, or give it in ${TABLE} with the agreement of a reviewer.`
  return { rule: 'room', message: `${at} imports ${to.path}: ${way}` }
}

function granted(
  rights: readonly string[],
  name: string,
  typeOnly: boolean,
): 'yes' | 'types' | 'no' {
  if (rights.includes(name)) return 'yes'
  if (!rights.includes(`type ${name}`)) return 'no'
  return typeOnly ? 'yes' : 'types'
}

function holders(rooms: House['rooms'], name: string): string {
  const having = Object.keys(rooms).filter((room) => rooms[room]?.packages.includes(name))
  return having.length === 0 ? 'none has' : having.join(', ')
}

function unknownRoom(at: string, room: string): Violation {
  return {
    rule: 'no room',
    message: `${at}: src/${room} is no room of the house and has no rights. Enter it in ${TABLE}, at its place in the order and with what it may import, and in the tree of ARCHITECTURE.md.`,
  }
}

/** Rooms that import each other in a cycle, types included: one violation for each import that closes one. */
function cycles(edges: readonly Edge[]): readonly Violation[] {
  const next = new Map<string, Map<string, Edge>>()
  for (const edge of edges) {
    if (edge.to.kind !== 'room') continue
    const known = next.get(edge.room) ?? new Map<string, Edge>()
    if (!known.has(edge.to.name)) known.set(edge.to.name, edge)
    next.set(edge.room, known)
  }
  const found: Violation[] = []
  const done = new Set<string>()
  const visit = (room: string, path: readonly string[]): void => {
    if (done.has(room)) return
    for (const [name, edge] of next.get(room) ?? []) {
      const start = [...path, room].indexOf(name)
      if (start === -1) visit(name, [...path, room])
      else
        found.push({
          rule: 'cycle',
          message: `${edge.file}:${edge.line} closes the cycle ${[...[...path, room].slice(start), name].join(' → ')}. Move what they share to a room before them, or turn one import into an argument.`,
        })
    }
    done.add(room)
  }
  for (const room of next.keys()) visit(room, [])
  return found
}
