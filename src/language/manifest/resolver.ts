// What all parts of resolving share: parsing templates, paths and names, remembering where each stands, and collecting
// what is wrong with them. A part that cannot be read leaves a placeholder behind; the load ends before it is used.
import { parsePath, parseRecordPath } from '../expression/parse-path.ts'
import {
  ExpressionSyntaxError,
  type InnerSpan,
  parseExpression,
  parseText,
} from '../expression/parse-text.ts'
import { compilePattern } from '../expression/pattern.ts'
import type { Expression, ParamPath, Path, Text } from '../expression/syntax.ts'
import type { DocumentPath, ManifestDocument } from './document.ts'
import { formatPath, problemAt } from './document.ts'
import type { Owner, PlacedParam, PlacedPath, PlacedText, TextPlace } from './draft.ts'
import type { Entry, Style } from './manifest.ts'
import type { ManifestProblem } from './problem.ts'
import type { ManifestSource } from './source.ts'

/** What holds for every request of a manifest. */
interface RequestDefaults {
  /** How lists are written in queries and forms where an entry does not say. */
  readonly style: Style
  /** Of the server and of `defaults.request`. */
  readonly headers: readonly Entry[]
  readonly timeoutMs: number
}

/** One manifest that is being resolved: what was found so far. */
export class Resolver {
  readonly document: ManifestDocument
  readonly source: ManifestSource
  readonly problems: ManifestProblem[] = []
  readonly texts: PlacedText[] = []
  readonly paths: PlacedPath[] = []
  readonly params: PlacedParam[] = []
  /** Those of the manifest once its `server` and `defaults` are resolved. */
  requests: RequestDefaults = { style: 'repeat', headers: [], timeoutMs: 30_000 }
  readonly #reported = new Set<string>()
  readonly #placed = new Set<string>()

  constructor(document: ManifestDocument, source: ManifestSource) {
    this.document = document
    this.source = source
  }

  /** The place of these keys. `owner`: whose it is beyond its area. `declared`: the names of its parameters. */
  site(
    area: Owner['area'],
    at: DocumentPath,
    owner: Partial<Owner> = {},
    declared: ReadonlySet<string> = new Set(),
  ): Site {
    const none = { entity: null, action: null, step: null, method: null }
    return new Site({ resolver: this, owner: { area, ...none, ...owner }, declared }, at)
  }

  report(finding: Parameters<typeof problemAt>[1]): void {
    // A shape is read once for every input that uses it.
    const at = formatPath(this.document.written(finding.at))
    const key = `${at} ${finding.rule} ${finding.message}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.problems.push(problemAt(this.document, finding))
  }

  place(placed: PlacedText): void {
    const key = `${formatPath(placed.at)} ${placed.part}`
    if (placed.text.every((part) => typeof part === 'string') || this.#placed.has(key)) return
    this.#placed.add(key)
    this.texts.push(placed)
  }
}

/** What holds for all places of one part of a manifest. */
interface Part {
  readonly resolver: Resolver
  readonly owner: Owner
  readonly declared: ReadonlySet<string>
}

/** Where a value stands and whose it is; it reads what is written there. */
export class Site {
  readonly #of: Part
  readonly at: DocumentPath
  /** Whether the value or the key itself is meant. */
  readonly part: 'key' | 'value'

  constructor(of: Part, at: DocumentPath, part: 'key' | 'value' = 'value') {
    this.#of = of
    this.at = at
    this.part = part
  }

  get resolver(): Resolver {
    return this.#of.resolver
  }

  /** The names of the parameters of the action. */
  get declared(): ReadonlySet<string> {
    return this.#of.declared
  }

  in(...keys: DocumentPath): Site {
    return new Site(this.#of, [...this.at, ...keys])
  }

  get key(): Site {
    return new Site(this.#of, this.at, 'key')
  }

  /** The same place as that of a step. */
  ofStep(step: number): Site {
    return new Site({ ...this.#of, owner: { ...this.#of.owner, step } }, this.at)
  }

  report(rule: string, message: string, hint: string | null = null, inner?: InnerSpan): void {
    const finding = { at: this.at, part: this.part, rule, message, hint }
    this.resolver.report(inner === undefined ? finding : { ...finding, inner })
  }

  /** Text with expressions; `blocks` admits `{{#if}}` and `{{#each}}`. */
  text(source: string, place: TextPlace, options?: { readonly blocks?: boolean }): Text {
    const text = this.#read('expression/syntax', () => parseText(source, options), [''])
    this.resolver.place({ ...this.#place, place, source, text })
    return text
  }

  expression(source: string, place: TextPlace): Expression {
    const none: Expression = { kind: 'literal', value: null }
    const expression = this.#read('expression/syntax', () => parseExpression(source), none)
    this.resolver.place({ ...this.#place, place, source, text: [expression] })
    return expression
  }

  /** A path. `use`: the keys that lead to it inside its block, `response.records`. */
  path(source: string, use: string, parse: (source: string) => Path = parsePath): Path {
    const none: Path = { root: 'body', steps: [], source: '$' }
    const path = this.#read('path/syntax', () => parse(source), none)
    this.resolver.paths.push({ ...this.#place, use, path })
    for (const step of path.steps) {
      if (step.kind !== 'computed') continue
      const text = [step.index]
      this.resolver.texts.push({ ...this.#place, place: 'path.index', source, text })
    }
    return path
  }

  /** A path where a bare name is short for `$.name`. */
  recordPath(source: string, use: string): Path {
    return this.path(source, use, parseRecordPath)
  }

  /** A parameter: the whole name when it is declared, else dots go into objects. */
  param(source: string, use: string, declared: ReadonlySet<string> = this.#of.declared): ParamPath {
    const param = declared.has(source) ? [source] : source.split('.')
    this.resolver.params.push({ ...this.#place, use, source, param })
    return param
  }

  /** Checks that a regular expression can be run. */
  pattern(source: string): void {
    try {
      compilePattern(source)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const hint = /repetition operator/.test(message)
        ? 'a pattern is no wildcard: write .*text, or { contains: text }'
        : 'look-around and back-references do not exist: patterns run in linear time; a sign that is meant as it is has \\ in front'
      this.report('schema/pattern', message, hint)
    }
  }

  get #place(): Pick<PlacedText, 'at' | 'part' | 'owner'> {
    return { at: this.at, part: this.part, owner: this.#of.owner }
  }

  #read<T>(rule: string, parse: () => T, placeholder: T): T {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error
      const { message, hint, offset, length } = error
      this.report(rule, message, hint, { offset, length })
      return placeholder
    }
  }
}
