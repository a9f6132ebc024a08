// One hash for one meaning: of the resolved manifest, whatever the file looks like.
import { createHash } from 'node:crypto'

import type { Manifest } from './manifest.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import type { JsonObject } from '../json/json.ts'

/** `sha256-` and 64 hex digits over the canonical JSON (keys sorted by UTF-16 units, no blanks) of a manifest without its hash. */
export function hashManifest(manifest: Omit<Manifest, 'hash'>): string {
  // A resolved manifest is plain JSON.
  const { hash: _, ...rest } = manifest as Manifest
  return `sha256-${createHash('sha256')
    .update(canonicalJson(rest as unknown as JsonObject))
    .digest('hex')}`
}
