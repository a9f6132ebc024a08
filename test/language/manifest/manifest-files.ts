// The valid manifests that the tests of this folder start from.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { JsonObject } from '../../../src/language/json/json.ts'

/** Every valid manifest: the fixtures of this folder and the shipped connectors. */
export const VALID_FILES: readonly string[] = [
  'test/language/manifest/fixtures/example.yaml',
  'test/language/manifest/fixtures/every-key.yaml',
  'test/language/manifest/fixtures/advertising.yaml',
  'manifests/gong.yaml',
  'manifests/jira.yaml',
]

/** The text of a manifest. */
export function textOf(file: string): string {
  return readFileSync(file, 'utf8')
}

/** The plain value of a manifest, a fresh one each time. */
export function valueOf(file: string): JsonObject {
  return parse(textOf(file)) as JsonObject
}
