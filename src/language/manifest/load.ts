// Text, object or file → a manifest that can be trusted, or everything that is wrong with it.
import { readFile, stat } from 'node:fs/promises'
import { ConnectorError } from '../../errors.ts'
import { loadAtOnce } from '../../late-modules.ts'
import type { JsonObject } from '../json/json.ts'
import { isCompiled, loadCompiled, type LoadResult } from './compiled.ts'
import type { ManifestDocument } from './document.ts'
import type { ManifestDraft } from './draft.ts'
import { deepFreeze } from './freeze.ts'
import { furtherProblems, type Phases } from './further-problems.ts'
import { keptManifests, type ManifestFile } from './kept-manifests.ts'
import { lintManifest } from './lint/all-rules.ts'
import type { Manifest } from './manifest.ts'
import { inFileOrder, type ManifestProblem } from './problem.ts'
import { readDocument } from './read.ts'
import { resolveManifest } from './resolve.ts'
import { checkReferences } from './schema-references.ts'
import { checkSchema } from './schema-problems.ts'
import { expandShared } from './shared-params.ts'
import type { ManifestSource } from './source.ts'

export type { LoadResult }

/** Where a manifest comes from. `file` is the name in messages, and of a manifest the lint compares it with its type. */
export type ManifestInput =
  | { readonly file: string; readonly text: string | Uint8Array }
  /** A manifest or its compiled form as plain data. Positions are those of its JSON text with two blanks of indentation. */
  | { readonly file: string; readonly object: unknown }

/**
 * Loads a manifest: reading, JSON Schema, references, schemas and expressions, semantic lint, freezing.
 *
 * A phase that finds an error reports all that it finds, and with it what later phases find for sure; mistakes of YAML end
 * the load only where they leave too little to go on with. Never throws for anything a manifest holds. Source: docs/manifest-language.md, "Loading, lint, messages".
 */
export function loadManifest(input: ManifestInput): LoadResult {
  // A program that reads a manifest has the compiler of schemas and the linear engine at hand: it is checked by them.
  loadAtOnce()
  const { file } = input
  if ('object' in input) {
    if (isCompiled(input.object)) return loadCompiled(input.object, file)
    const text = toJson(input.object)
    if (text !== null) return loadText(text, file)
    const message = 'a manifest is plain data that JSON can hold'
    return { manifest: null, problems: [wholeFile(file, 'yaml/root', message)] }
  }
  const compiled = parseCompiled(input.text)
  return compiled === null ? loadText(input.text, file) : loadCompiled(compiled, file)
}

function loadText(text: string | Uint8Array, file: string): LoadResult {
  const { legible, problems } = readDocument(text, file)
  if (legible === null) return { manifest: null, problems, isPart: true }
  const result = loadDocument(legible)
  if (problems.length === 0) return result
  // What is wrong with the text is not told once more as what is wrong with the value read there.
  const others = result.problems.filter(
    (found) => !problems.some((problem) => overlaps(found, problem)),
  )
  return { ...result, manifest: null, problems: inFileOrder([...problems, ...others]) }
}

function overlaps(a: ManifestProblem, b: ManifestProblem): boolean {
  const isApart = a.column >= b.column + b.length || b.column >= a.column + a.length
  return a.line === b.line && !isApart
}

function loadDocument(written: ManifestDocument): LoadResult {
  const { stopped, draft, problems } = phasesOf(written)
  if (draft === null || stopped !== null) {
    const further = furtherProblems(written, problems, phasesOf)
    return { manifest: null, problems: inFileOrder([...problems, ...further]), isPart: true }
  }
  const isRefused = problems.some(({ severity }) => severity === 'error')
  return { manifest: isRefused ? null : deepFreeze(draft.manifest), problems }
}

function phasesOf(written: ManifestDocument): Phases & { readonly draft: ManifestDraft | null } {
  const formal = checkSchema(written)
  if (formal.length > 0) return { stopped: 'schema', draft: null, problems: formal }

  const expanded = expandShared(written, written.value as unknown as ManifestSource) // the schema says so
  const { document, source } = expanded
  const { problems } = expanded
  if (problems.length > 0) return { stopped: 'later', draft: null, problems }

  const dangling = checkReferences(document, source)
  if (dangling.length > 0) return { stopped: 'later', draft: null, problems: dangling }

  const resolved = resolveManifest(document, source)
  if (resolved.draft === null) return { stopped: 'later', draft: null, problems: resolved.problems }

  return { stopped: null, draft: resolved.draft, problems: lintManifest(resolved.draft) }
}

/**
 * Loads a file: a manifest in YAML or JSON, or its compiled form.
 * A file that cannot be read is a problem with the rule `file/unreadable`. One that holds what it held before gives the
 * same manifest again.
 */
export async function loadManifestFile(path: string): Promise<LoadResult> {
  const refuse = (message: string): LoadResult => ({
    manifest: null,
    problems: [wholeFile(path, 'file/unreadable', message)],
  })
  try {
    const found = await stat(path)
    if (!found.isFile()) return refuse('this is no file')
    if (found.size > MAX_FILE_BYTES)
      return refuse(`the file has ${found.size.toLocaleString('en')} bytes`)
    const text = await readFile(path)
    const known = loaded.get(path)
    if (known?.text.equals(text) === true) return known.result
    const result = loadOrFind({ path, text })
    keep(path, text, result)
    return result
  } catch (error) {
    if (!isSystemError(error)) throw error
    return refuse(`the file cannot be read: ${error.code}`)
  }
}

/** A manifest that is kept takes no memory for its entities until they are asked for. */
function loadOrFind(file: ManifestFile): LoadResult {
  const kept = keptManifests()
  if (kept === null) return loadNow(file)
  const found = kept.find(file, loadNow)
  if (found !== null) return found
  const result = loadNow(file)
  return (kept.keep(file, result) ? kept.find(file, loadNow) : null) ?? result
}

function loadNow({ path, text }: ManifestFile): LoadResult {
  return loadManifest({ file: path, text })
}

/** By path, the one loaded last at the end: clients, services and sandboxes of one process read the same few files. */
const loaded = new Map<string, { readonly text: Buffer; readonly result: LoadResult }>()
const FILES_KEPT = 16

function keep(path: string, text: Buffer, result: LoadResult): void {
  loaded.delete(path)
  if (result.manifest === null) return
  loaded.set(path, { text, result })
  const [oldest] = loaded.keys()
  if (loaded.size > FILES_KEPT && oldest !== undefined) loaded.delete(oldest)
}

/** The manifest of a load. Throws `manifest_invalid`, with every problem in `details.problems`, when there is none. */
export function requireManifest({ manifest, problems }: LoadResult): Manifest {
  if (manifest !== null) return manifest
  throw manifestError(problems)
}

/** What a manifest with these problems is refused with: `manifest_invalid`, all of them in `details.problems`. */
export function manifestError(problems: readonly ManifestProblem[]): ConnectorError {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const where = first === undefined ? '' : `${first.file}:${first.line}:${first.column} `
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const message = `${where}${first?.message ?? 'no manifest'}${more}`
  return new ConnectorError('manifest_invalid', message, { details: { problems } })
}

// A compiled manifest is some times as large as its source.
const MAX_FILE_BYTES = 16 * 1024 * 1024

function parseCompiled(text: string | Uint8Array): JsonObject | null {
  const start = text.slice(0, 100)
  const head = typeof start === 'string' ? start : Buffer.from(start).toString('latin1')
  if (!/^\s*\{\s*"format"\s*:/.test(head)) return null
  try {
    const value: unknown = JSON.parse(
      typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text),
    )
    return isCompiled(value) ? value : null
  } catch {
    // Not JSON: the YAML reader says what is wrong with it, and where.
    return null
  }
}

function toJson(object: unknown): string | null {
  try {
    return JSON.stringify(object, null, 2) ?? null
  } catch {
    // A circle, or a bigint.
    return null
  }
}

function wholeFile(file: string, rule: string, message: string): ManifestProblem {
  const place = { file, line: 1, column: 1, length: 1, path: '' } as const
  return { ...place, severity: 'error', rule, message, hint: null }
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string'
}
