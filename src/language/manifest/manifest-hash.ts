// One hash for one meaning: of the resolved manifest, whatever the file looks like.
import { createHash } from 'node:crypto'

import type { Manifest } from './manifest.ts'

/** `sha256-` and 64 hex digits over the canonical JSON (keys sorted by UTF-16 units, no blanks) of a manifest without its hash. */
export function hashManifest(manifest: Omit<Manifest, 'hash'>): string {
  const { hash: _, ...rest } = manifest as Manifest
  return `sha256-${createHash('sha256').update(canonicalJson(rest)).digest('hex')}`
}

/** JSON text in which equal values are equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
