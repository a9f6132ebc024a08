// The compiled form of a manifest: the resolved manifest as JSON. Reading it needs neither YAML, Handlebars nor Ajv.
import { createHash } from 'node:crypto'

import { canonicalJson } from '../json/canonical-json.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { deepFreeze } from './freeze.ts'
import type { Manifest } from './manifest.ts'
import type { ManifestProblem } from './problem.ts'

/** The outcome of a load. */
export interface LoadResult {
  /** Null when one of the problems is an error. Frozen all the way down. */
  readonly manifest: Manifest | null
  /** In file order. Warnings leave a manifest usable. */
  readonly problems: readonly ManifestProblem[]
  /** Errors kept a phase from looking at all: once they are mended, more may be found. */
  readonly isPart?: true
}

/** The JSON text of a manifest, for packages that ship it: what `tenon compile` writes. */
export function compileManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest)}\n`
}

/** `sha256-` and 64 hex digits over the canonical JSON (keys sorted by UTF-16 units, no blanks) of a manifest without its hash. */
export function hashManifest(manifest: Omit<Manifest, 'hash'>): string {
  // A resolved manifest is plain JSON.
  const { hash: _, ...rest } = manifest as Manifest
  return `sha256-${createHash('sha256')
    .update(canonicalJson(rest as unknown as JsonObject))
    .digest('hex')}`
}

/** Whether a value is meant as the compiled form rather than as a written manifest. */
export function isCompiled(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'format') &&
    Object.hasOwn(value, 'hash') &&
    !Object.hasOwn(value, 'manifest')
  )
}

/**
 * Takes over a compiled manifest, if this engine knows its form and it was not changed since it was made.
 * Rules of the problems: `compiled/format`, `compiled/changed`. The value itself is frozen.
 */
export function loadCompiled(value: JsonObject, file: string): LoadResult {
  const refuse = (path: string, rule: string, message: string): LoadResult => {
    const hint = 'compile it again from its source'
    const place = { file, line: 1, column: 1, length: 1, path } as const
    return { manifest: null, problems: [{ ...place, severity: 'error', rule, message, hint }] }
  }
  if (value['format'] !== 1) {
    const found = JSON.stringify(value['format'])
    return refuse('format', 'compiled/format', `this engine reads format 1, not ${found}`)
  }
  const wrong = Object.entries(PARTS).find(([key, fits]) => !fits(value[key]))
  if (wrong !== undefined)
    return refuse(wrong[0], 'compiled/format', `"${wrong[0]}" is not in its form`)
  // Everything that makes a manifest valid was checked before it was compiled; the hash says that it is the same one.
  const manifest = value as unknown as Manifest
  if (manifest.hash !== hashManifest(manifest)) {
    return refuse('hash', 'compiled/changed', 'the manifest was changed after it was compiled')
  }
  return { manifest: deepFreeze(manifest), problems: [] }
}

type Fits = (part: Json | undefined) => boolean

const isText: Fits = (part) => typeof part === 'string'
const isList: Fits = (part) => Array.isArray(part)
const isMap: Fits = (part) => typeof part === 'object' && part !== null && !Array.isArray(part)

const PARTS: Readonly<Record<string, Fits>> = {
  hash: isText,
  type: isText,
  title: isText,
  version: isText,
  server: isMap,
  config: isMap,
  auth: isList,
  limits: isMap,
  maps: isMap,
  entities: isList,
  definitions: isMap,
}
