// What lies next to a recording: the call that made it and what it answered, without any secret.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json, JsonObject } from '../../language/json/json.ts'

export interface RecordedOperation {
  readonly params: JsonObject
  /** Values in place of the secrets, with which the recording is replayed. */
  readonly credentials: JsonObject
  readonly config: JsonObject
  /** `data` of the answer. */
  readonly data: Json
}

function fileOf(dir: string, name: string): string {
  return join(dir, `${name}.json`)
}

/** Reads what `tenon try --record` wrote. Throws when there is none. */
export function readRecorded(dir: string, name: string): RecordedOperation {
  const file = fileOf(dir, name)
  if (!existsSync(file)) throw new Error(`there is no recording ${file}`)
  // Written by writeRecorded.
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedOperation
}

export function writeRecorded(dir: string, name: string, operation: RecordedOperation): string {
  const file = fileOf(dir, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(operation, null, 2)}\n`)
  return file
}
