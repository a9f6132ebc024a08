// What is known of one form of request body: how it is resolved, rendered, and read back by a vendor.
import type { FileSource } from '../../expression/file-source.ts'
import type { Refusals } from '../../expression/refusals.ts'
import type { Scope, Template, Text } from '../../expression/syntax.ts'
import type { Json } from '../../json/json.ts'
import type { Entry } from '../manifest.ts'
import type { Resolved } from '../source.ts'

/** What the words of a request resolve to. */
export type RequestWords = Required<Resolved['request']>

/** The form of body of one word. `Run` is what runs. */
export interface BodyForm<W extends keyof RequestWords, Run extends { readonly kind: string }> {
  readonly kind: Run['kind']
  /** What is sent, for messages, and what a Content-Type may say of it; null: the author says the type. */
  readonly sent: { readonly as: string; readonly fits: RegExp } | null
  /** Method and path of a request that leaves them out: a method and a blank, to the base URL itself. */
  readonly http?: string
  /** The tool that is called: then the answer is that of a tool, in JSON-RPC. */
  readonly tool?: (body: Run) => string
  readonly bodyOf: (resolved: RequestWords[W]) => Run
  /**
   * As what the members of its data arrive, for a document that describes them: JSON values, or texts; null: no document
   * describes them.
   */
  readonly arrivesAs: 'json' | 'text' | null
  /** Its names and values, where a name may lead into an object (`address[city]`); null: it has none. */
  readonly entries?: (body: Run) => readonly Entry[]
  /** The data in it as one template; null: it is no data. */
  readonly data: (body: Run) => Template | null
  readonly compile: (body: Run, compileEntries: CompileEntries) => RenderBody
  /** Reads a body that arrived, and reports what the manifest cannot have put there. */
  readonly read: (body: Run, sent: SentBody) => void
}

export interface Body {
  /** Pieces: files that are read while they are sent, in turn with what stands between them. */
  readonly content: string | Uint8Array | readonly BodyPiece[]
  readonly type: string
}
export type BodyPiece = Uint8Array | FileSource

/** Renders a body; null when there is none. */
export type RenderBody = (scope: Scope, refusals: Refusals) => Body | null

/** Renders `a=1&b=2` of entries. */
export type CompileEntries = (
  entries: readonly Entry[],
) => (scope: Scope, refusals: Refusals) => string

/** A body that arrived. What is not of the wanted content type or form is a problem, and undefined. */
export interface SentBody {
  json(): Json | undefined
  form(entries: readonly Entry[]): void
  parts(type: string): readonly SentPart[] | undefined
  text(type: string): string | undefined
  bytes(): { readonly body: Buffer; readonly type: string }
  /** Reads a value against what stands in its place. `field` names it in problems; `style`: it arrived as text. */
  template(template: Template, value: Json, field: string, style?: 'repeat'): void
  /** Takes a finished text apart; false when it cannot have come from `text`. */
  finished(text: Text, value: string, field: string): boolean
  /** A fixed value was found in its place. */
  constant(): void
  problem(field: string, message: string): void
}
export interface SentPart {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `name` and `filename` of the content-disposition; null when there is none. */
  readonly name: string | null
  readonly filename: string | null
  readonly body: Buffer
}
