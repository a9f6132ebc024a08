// What a tool of an agent is, for MCP, the AI SDK, OpenAI and Anthropic alike, and what it needs of a client.
import type { ActionDescription, CallOptions, Client, EntityDescription } from '../client/client.ts'
import type { Download } from '../client/download.ts'
import type { JsonObject } from '../language/json/json.ts'
import { kindOf } from '../language/manifest/actions.ts'
import type { MissingInput } from './missing-input.ts'

/** Every client of `connect`, `connectHosted` and `serviceClient().connect`, typed or not. */
export interface AgentClient {
  describe(entity?: never): readonly EntityDescription[]
  execute(...args: never[]): unknown
}

/** Clients by the names that an agent knows them by: `{ jira, work: otherJira }`. */
export type AgentClients = Readonly<Record<string, AgentClient>>

/** The client as it is behind its types: each call says what it does by name. */
export function untyped(client: AgentClient): Client {
  // Typed clients narrow the names that `execute` takes; at run time they are all the same.
  return client as unknown as Client
}

/** What a host may tell its user before a tool runs. Source: Model Context Protocol, "ToolAnnotations". */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  /** May overwrite or remove what is there. */
  readonly destructiveHint: boolean
  /** A second call with the same input changes nothing more. */
  readonly idempotentHint: boolean
  /** Reaches systems outside of this process. */
  readonly openWorldHint: boolean
}

export function annotationsOf({ action, safe, idempotent }: ActionDescription): ToolAnnotations {
  return {
    readOnlyHint: safe,
    // What changes data overwrites or removes; a `create` only adds.
    destructiveHint: !safe && kindOf(action)?.effect !== 'adds',
    idempotentHint: idempotent,
    openWorldHint: true,
  }
}

/** Of descriptions, and of searches in the service's own copy: they reach nothing else. */
export const CLOSED_WORLD: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

export interface AgentTool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Of an object; self-contained, no `$ref`. */
  readonly inputSchema: JsonObject
  readonly annotations: ToolAnnotations
  /**
   * Runs it, with its input or what reads it. What goes wrong is an answer too, also in reading; it rejects only on
   * defects of this package.
   */
  readonly run: (input: JsonObject | (() => JsonObject), call?: CallOptions) => Promise<AgentAnswer>
}

/** What an agent gets: plain JSON, bounded in size. */
export interface AgentAnswer {
  readonly isError: boolean
  /** `{ data, … }`, or `{ error, how_to_mend }`. */
  readonly content: JsonObject
  /** What the input lacks, where nothing else is wrong with it and a person can type it. */
  readonly missing?: readonly MissingInput[]
}

/** What agents may do, and how much they are told at once. */
export interface AgentToolOptions {
  /**
   * `actions`: one tool per action. `three`: the tools `describe`, `execute` and `search`, whatever the number of
   * actions; for small contexts. Default: `actions`.
   */
  readonly mode?: 'actions' | 'three'
  /** Offer actions that change something. Default: false. */
  readonly allowWrites?: boolean
  /** These entities only: `issues`, or `jira.issues` for one client of several. */
  readonly entities?: readonly string[]
  /** These actions only: `get`, `issues.get` or `jira.issues.get`. */
  readonly actions?: readonly string[]
  /**
   * With `mode: 'actions'`, a `search` tool for each entity that can be searched. Only clients in hosted mode can
   * answer it. Default: false. (`mode: 'three'` has `search` always.)
   */
  readonly search?: boolean
  /** Size of one answer as JSON, in characters. Default: 40,000, about 10,000 tokens. */
  readonly maxAnswerChars?: number
  /**
   * Stores the file of a download and gives the name to tell the agent, such as a path. Without it agents get the
   * text of text files, and of others only type and size.
   */
  readonly saveFile?: (file: Download, source: FileSource) => Promise<string>
}

export interface FileSource {
  readonly client: string
  readonly entity: string
}

/** Characters of an answer, unless told otherwise. */
export const DEFAULT_ANSWER_CHARS = 40_000
