// Golden requests and answers: the shape of the YAML files and how they are read. What the members mean: README.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../src/language/json/json.ts'

/** How a case connects, and the headers that its requests to the API carry. */
export interface Connection {
  readonly credentials: JsonObject
  readonly config?: JsonObject
  readonly headers: Readonly<Record<string, string>>
}

/** What the third party answers: a response, or a failure of the transport. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  readonly text?: string
  readonly fails?: 'connect' | 'reset' | 'timeout'
}

/** `METHOD URL`, alone or with what else belongs to the request. */
export type ExpectedRequest =
  | string
  | {
      readonly send: string
      readonly body?: Json
      readonly form?: Readonly<Record<string, string>>
      readonly headers?: Readonly<Record<string, string>>
      readonly redirects?: number
    }

interface Case {
  readonly name: string
  readonly connection?: string
  readonly params?: JsonObject
  readonly answers?: readonly ScriptedAnswer[]
}
export type RequestCase = Case &
  (
    | { readonly requests: readonly ExpectedRequest[]; readonly refused?: never }
    | { readonly refused: readonly string[]; readonly requests?: never }
  )
export interface ConnectingCase extends Case {
  readonly credentials: JsonObject
  readonly config?: JsonObject
  /** `entity.action`, or `check`. */
  readonly operation: string
  readonly answers: readonly ScriptedAnswer[]
  readonly requests: readonly ExpectedRequest[]
  /** Members of the credentials that the host is handed last. */
  readonly saved?: JsonObject
  /** The settings that it is handed beside them. */
  readonly settings?: JsonObject
  readonly error?: JsonObject
}
export interface RequestFile {
  readonly connections: Readonly<Record<string, Connection>>
  readonly connecting?: readonly ConnectingCase[]
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly answer?: Json
        readonly answers?: readonly ScriptedAnswer[]
        readonly cases: readonly RequestCase[]
      }
    >
  >
}

export interface ExpectedError {
  readonly code: string
  readonly [member: string]: unknown
  readonly pointers?: readonly string[]
  readonly steps?: readonly JsonObject[]
  readonly says?: readonly string[]
}
export interface AnswerCase extends Case {
  readonly answers: readonly ScriptedAnswer[]
  readonly data?: Json
  readonly meta?: JsonObject
  readonly download?: JsonObject & { readonly text: string }
  readonly error?: ExpectedError
}
export interface AnswerFile {
  readonly operations: Readonly<Record<string, readonly AnswerCase[]>>
}

/** The types of all manifests of the project. */
export function manifestTypes(): string[] {
  return readdirSync('manifests')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace('.yaml', ''))
}

/** A case file of a connector; a manifest without one has no cases, which the coverage tests then report. */
export function readRequests(type: string): RequestFile {
  return (read('requests', type) as RequestFile | null) ?? { connections: {}, operations: {} }
}

export function readAnswers(type: string): AnswerFile {
  return (read('answers', type) as AnswerFile | null) ?? { operations: {} }
}

function read(folder: string, type: string): unknown {
  const file = new URL(`${folder}/${type}.yaml`, import.meta.url)
  return existsSync(file) ? (parse(readFileSync(file, 'utf8')) as unknown) : null
}
