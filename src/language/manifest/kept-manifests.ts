// Manifests that were loaded before, kept in a folder under the digest of their text: what passed every check is not checked
// again, and its entities are read when somebody asks for them. A file here is as trustworthy as the program itself, so the
// folder is one that only its user can write.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { nodeCrypto } from '../../late-modules.ts'
import { ConnectorError } from '../../errors.ts'
import type { LoadResult } from './compiled.ts'
import { deepFreeze } from './freeze.ts'
import type { Manifest } from './manifest.ts'
import type { ManifestProblem } from './problem.ts'

export interface KeptManifestsOptions {
  /** Made where it is missing. */
  readonly folder: string
  /** What tells this program from others, whose manifests are not taken over. */
  readonly engine: () => string
}

/** What a manifest is read from. */
export interface ManifestFile {
  readonly path: string
  readonly text: Buffer
}

/** The members that make up nearly all of a manifest, read when somebody asks for them. */
const LATE = ['entities', 'definitions'] as const

type Late = Pick<Manifest, (typeof LATE)[number]>

/** The first line of a file; what is late follows. */
interface Head {
  /** In the order of its members; null where a member is late. */
  readonly manifest: Omit<Manifest, keyof Late>
  readonly problems: readonly ManifestProblem[]
  readonly late: { readonly bytes: number; readonly digest: string }
}

/** Nearly every first line is shorter. */
const HEAD_BYTES = 64 * 1024
const DAY_MS = 86_400_000
/** What was not asked for so long goes when something new is kept. */
const KEPT_DAYS = 30

let wanted: KeptManifestsOptions | null = null
let opened: KeptManifests | null = null

/**
 * From now on this program keeps the manifests that it loads from files, and takes those that it kept before. For programs
 * that are started often, or with many manifests.
 */
export function keepManifests(options: KeptManifestsOptions): void {
  wanted = options
  opened = null
}

/** Null: nothing is kept. */
export function keptManifests(): KeptManifests | null {
  if (wanted === null) return null
  return (opened ??= new KeptManifests(wanted))
}

export class KeptManifests {
  readonly #folder: string
  readonly #engine: string
  #isTidy = false

  constructor({ folder, engine }: KeptManifestsOptions) {
    this.#folder = folder
    this.#engine = engine()
  }

  /**
   * What a file was loaded as before, by this program; null: it was not, or what was kept is damaged. `load` loads it once
   * more, where what is late is gone by the time that somebody asks for it.
   */
  find(file: ManifestFile, load: (file: ManifestFile) => LoadResult): LoadResult | null {
    const kept = this.#pathOf(file)
    const head = readHead(kept)
    if (head === null) return null
    touch(kept)
    const digest = digestOf(file.text)
    const late = (): Late => readLate(kept, head) ?? loadAgain(file.path, digest, load)
    const problems = head.value.problems.map((problem) => ({ ...problem, file: file.path }))
    return { manifest: withLate(head.value.manifest as Manifest, late), problems }
  }

  /** Keeps what was loaded. False: it cannot be kept here. */
  keep(file: ManifestFile, { manifest, problems }: LoadResult): boolean {
    if (manifest === null) return false
    const { entities, definitions } = manifest
    const late = Buffer.from(JSON.stringify({ entities, definitions }))
    const head = JSON.stringify({
      manifest: { ...manifest, entities: null, definitions: null },
      problems,
      late: { bytes: late.length, digest: digestOf(late) },
    })
    const path = this.#pathOf(file)
    const unfinished = `${path}.${process.pid}`
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      const first = Buffer.from(`${digestOf(Buffer.from(head))} ${head}\n`)
      writeFileSync(unfinished, Buffer.concat([first, late]), { mode: 0o600 })
      renameSync(unfinished, path)
      this.#tidy()
      return true
    } catch {
      // Nowhere to keep it, or no room: it is loaded again the next time.
      removeIfThere(unfinished)
      return false
    }
  }

  /** The lint compares the name of a file with the type in it. */
  #pathOf({ path, text }: ManifestFile): string {
    const of = [this.#engine, basename(path), digestOf(text)]
    return join(this.#folder, `${digestOf(Buffer.from(of.join('\n')))}.manifest`)
  }

  #tidy(): void {
    if (this.#isTidy) return
    this.#isTidy = true
    const before = Date.now() - KEPT_DAYS * DAY_MS
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name)
      if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before)
        rmSync(path, { force: true })
    }
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It is not there, or lies where nothing can be removed.
  }
}

function digestOf(bytes: Buffer): string {
  return nodeCrypto().createHash('sha256').update(bytes).digest('hex')
}

/** The first line, and where the rest begins; null: there is none that is whole. */
function readHead(path: string): { readonly value: Head; readonly end: number } | null {
  try {
    const found = readStart(path, HEAD_BYTES)
    const bytes = found.includes(10) ? found : readFileSync(path)
    const end = bytes.indexOf(10)
    const text = bytes.subarray(65, end)
    if (end < 0 || digestOf(text) !== bytes.toString('latin1', 0, 64)) return null
    // The digest says that it is what was written.
    return { value: JSON.parse(text.toString()) as Head, end: end + 1 }
  } catch {
    // Nothing was kept, or it cannot be read.
    return null
  }
}

function readStart(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.allocUnsafe(bytes)
    return start.subarray(0, readSync(file, start, 0, bytes, 0))
  } finally {
    closeSync(file)
  }
}

function readLate(path: string, { value, end }: { value: Head; end: number }): Late | null {
  try {
    const bytes = readFileSync(path).subarray(end)
    if (bytes.length !== value.late.bytes || digestOf(bytes) !== value.late.digest) return null
    // The digest says that it is what was written.
    return JSON.parse(bytes.toString()) as Late
  } catch {
    // It was removed meanwhile.
    return null
  }
}

/** Throws `manifest_invalid` where the file is another one by now. */
function loadAgain(path: string, digest: string, load: (file: ManifestFile) => LoadResult): Late {
  const text = readFileSync(path)
  const { manifest } = digestOf(text) === digest ? load({ path, text }) : { manifest: null }
  if (manifest !== null) return manifest
  throw new ConnectorError(
    'manifest_invalid',
    `${path} was changed after this process had read it, and what was kept of it is gone; start the process again`,
    { details: { file: path } },
  )
}

/** The manifest whose late members are read by the first who asks for one; frozen like any other. */
function withLate(early: Manifest, read: () => Late): Manifest {
  let known: Late | undefined
  const late = (): Late => (known ??= deepFreeze(read()))
  for (const member of Object.values(early)) deepFreeze(member)
  for (const name of LATE)
    Object.defineProperty(early, name, { enumerable: true, get: () => late()[name] })
  return Object.freeze(early)
}

/** Once a day, so that it is not taken for something that nobody asks for. */
function touch(path: string): void {
  try {
    const now = new Date()
    if (now.getTime() - statSync(path).mtimeMs > DAY_MS) utimesSync(path, now, now)
  } catch {
    // Then it goes earlier, and is loaded again.
  }
}
