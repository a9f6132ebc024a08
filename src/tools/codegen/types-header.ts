// The first lines of a generated file: what it was made from. Cheap to load, so that unchanged manifests cost nothing.
import type { Manifest } from '../../language/manifest/manifest.ts'

/** Changes only when the same manifest gives other text: a new release of this package alone makes no file stale. */
export const TYPES_FORMAT = 4

export function typesHeader({ type, version, hash }: Manifest): string {
  return [
    `// Made by \`tenon types\` (format ${TYPES_FORMAT}) from ${type} ${version}. Do not edit.`,
    `// manifest ${hash}`,
    UNCHECKED,
  ].join('\n')
}

/** Generated code has its own style. */
export const UNCHECKED = '/* eslint-disable */ /* oxlint-disable */'

const MADE = new RegExp(
  String.raw`^// Made by \`tenon types\` \(format ${TYPES_FORMAT}\) from [^\n]*\n// manifest (sha256-[0-9a-f]{64})\n`,
)

/** The connector type that a generated file says it was made from; null for any other text. */
export function typeInTypes(source: string): string | null {
  return /^\/\/ Made by `tenon types` \(format \d+\) from (\S+) /.exec(source)?.[1] ?? null
}

/** The manifest hash that a generated file says it was made from; null for any other text. */
export function hashInTypes(source: string): string | null {
  return MADE.exec(source)?.[1] ?? null
}
