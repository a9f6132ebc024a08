// The forms of request bodies by the words of a manifest: the one place that knows them. Nothing else asks for a form.
import type { Template } from '../../expression/syntax.ts'
import type { Entry } from '../manifest.ts'
import type { BodyForm, CompileEntries, RenderBody, RequestWords, SentBody } from './body-form.ts'
import { bytes } from './bytes.ts'
import { form } from './form.ts'
import { graphql } from './graphql.ts'
import { json } from './json.ts'
import { mcp } from './mcp.ts'
import { multipart } from './multipart.ts'
import { related } from './related.ts'
import { text } from './text.ts'

interface Forms {
  readonly body: typeof json
  readonly form: typeof form
  readonly multipart: typeof multipart
  readonly related: typeof related
  readonly graphql: typeof graphql
  readonly text: typeof text
  readonly bytes: typeof bytes
  readonly mcp: typeof mcp
}
type Word = keyof Forms

export const FORMS: Forms = { body: json, form, multipart, related, graphql, text, bytes, mcp }

/** The body of a request as it runs. */
export type BodyTemplate = { readonly kind: 'none' } | ReturnType<Forms[Word]['bodyOf']>

type AnyForm = BodyForm<Word, { readonly kind: string }>
// An entry takes what stands below its own word, which TypeScript cannot see through the index.
const ENTRIES = Object.entries(FORMS) as unknown as readonly (readonly [Word, AnyForm])[]
const BY_KIND = new Map(ENTRIES.map(([, entry]) => [entry.kind, entry]))

/** The words, in the order in which the first one that a request has decides. */
export const BODY_WORDS: readonly string[] = ENTRIES.map(([word]) => word)

/** The word of a request's body with its entry; null: it has no body. */
export function formIn(source: { readonly [W in Word]?: unknown }):
  readonly [Word, AnyForm] | null {
  return ENTRIES.find(([word]) => source[word] !== undefined) ?? null
}

/** Method and path of a request, as they are written or as its form of body has them. */
export function httpOf(
  source: { readonly http?: string } & { readonly [W in Word]?: unknown },
): string {
  return source.http ?? formIn(source)?.[1].http ?? ''
}

/** The tool that a body calls; null where it calls none. */
export function toolIn(body: BodyTemplate): string | null {
  return BY_KIND.get(body.kind)?.tool?.(body) ?? null
}

/** The body of a request whose words are resolved; it has at most one. */
export function bodyIn(words: Partial<Pick<RequestWords, Word>>): BodyTemplate {
  const [word, entry] = formIn(words) ?? []
  const resolved = word && words[word]
  return resolved === undefined || entry === undefined
    ? { kind: 'none' }
    : (entry.bodyOf(resolved) as BodyTemplate)
}

/** Compiles a body. */
export function compileBody(body: BodyTemplate, compileEntries: CompileEntries): RenderBody {
  return BY_KIND.get(body.kind)?.compile(body, compileEntries) ?? (() => null)
}

/** The data of a body as one template; null where it has none. */
export function dataOf(body: BodyTemplate): Template | null {
  return BY_KIND.get(body.kind)?.data(body) ?? null
}

/** What a document of the vendor can be compared with. */
export interface ComparedBody {
  readonly kind: string
  readonly word: string
  /** Null: no document describes its members. */
  readonly members: {
    readonly arriveAs: 'json' | 'text'
    /** Null: the data says all. */
    readonly entries: readonly Entry[] | null
    readonly data: Template
  } | null
}

/** Null: the request has no body. */
export function comparedBody(body: BodyTemplate): ComparedBody | null {
  const [word, entry] = ENTRIES.find(([, { kind }]) => kind === body.kind) ?? []
  if (word === undefined || entry === undefined) return null
  const { kind, arrivesAs, entries } = entry
  const data = entry.data(body)
  return {
    kind,
    word,
    members:
      arrivesAs === null || data === null
        ? null
        : { arriveAs: arrivesAs, entries: entries?.(body) ?? null, data },
  }
}

/** Reads a body that arrived against the body of a request template that has one. */
export function readBodyForm(body: BodyTemplate, sent: SentBody): void {
  BY_KIND.get(body.kind)?.read(body, sent)
}
