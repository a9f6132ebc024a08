// What all parts of resolving share: parsing templates, paths and names, remembering where each stands, and collecting
// what is wrong with them. A part that cannot be read leaves a placeholder behind; the load ends before it is used.
import { ExpressionSyntaxError, parseExpression, parseText } from '../expression/parse-text.ts'
import { parsePath, parseRecordPath } from '../expression/parse-path.ts'
import { compilePattern } from '../expression/pattern.ts'
import type { Expression, ParamPath, Path, Text } from '../expression/syntax.ts'
import type { DocumentPath, InnerSpan, ManifestDocument } from './document.ts'
import { formatPath, problemAt } from './document.ts'
import type { Owner, PlacedParam, PlacedPath, PlacedText, TextPlace } from './draft.ts'
import { expressionsOf } from './draft.ts'
import type { ManifestProblem } from './problem.ts'

/** Where a value stands and whose it is. */
export interface Site {
  readonly at: DocumentPath
  readonly owner: Owner
  /** The key itself holds the value. Default: no. */
  readonly part?: 'key' | 'value'
}

export interface TextSite extends Site {
  readonly place: TextPlace
}

export interface UseSite extends Site {
  /** The keys that lead to it inside its block, `response.records`. */
  readonly use: string
}

export interface Resolver {
  readonly document: ManifestDocument
  /** Text with expressions; `blocks` admits `{{#if}}` and `{{#each}}`. */
  text(source: string, site: TextSite, options?: { readonly blocks?: boolean }): Text
  /** Exactly one expression. */
  expression(source: string, site: TextSite): Expression
  path(source: string, site: UseSite): Path
  /** A path where a bare name is short for `$.name`. */
  recordPath(source: string, site: UseSite): Path
  /** A parameter: the whole name when it is declared, else dots go into objects. */
  param(source: string, site: UseSite, declared: ReadonlySet<string>): ParamPath
  /** Checks that a regular expression can be run. */
  pattern(source: string, site: Site): void
  report(site: Site, rule: string, message: string, hint?: string | null, inner?: InnerSpan): void
  /** What was found so far, in file order where it stands. */
  readonly problems: readonly ManifestProblem[]
  readonly texts: readonly PlacedText[]
  readonly paths: readonly PlacedPath[]
  readonly params: readonly PlacedParam[]
}

export function createResolver(document: ManifestDocument): Resolver {
  const problems: ManifestProblem[] = []
  const reported = new Set<string>()
  const texts: PlacedText[] = []
  const paths: PlacedPath[] = []
  const params: PlacedParam[] = []

  const report: Resolver['report'] = (site, rule, message, hint = null, inner) => {
    // A shape is read once for every input that uses it.
    const key = `${formatPath(site.at)} ${rule} ${message}`
    if (reported.has(key)) return
    reported.add(key)
    const part = site.part ?? 'value'
    const finding = { at: site.at, rule, message, hint, part }
    problems.push(problemAt(document, inner === undefined ? finding : { ...finding, inner }))
  }

  const attempt = <T>(site: Site, rule: string, parse: () => T, placeholder: T): T => {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error
      const { message, hint, offset, length } = error
      report(site, rule, message, hint, { offset, length })
      return placeholder
    }
  }

  const remembered = new Set<string>()
  const remember = (source: string, site: TextSite, text: Text): void => {
    const { at, owner, place, part = 'value' } = site
    const key = `${formatPath(at)} ${part}`
    if (expressionsOf(text).length === 0 || remembered.has(key)) return
    remembered.add(key)
    texts.push({ at, part, owner, place, source, text })
  }

  const pattern: Resolver['pattern'] = (source, site) => {
    try {
      compilePattern(source)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const hint = 'look-around and back-references do not exist: patterns run in linear time'
      report(site, 'schema/pattern', message, hint)
    }
  }

  const readPath = (source: string, site: UseSite, parse: (source: string) => Path): Path => {
    const path = attempt(site, 'path/syntax', () => parse(source), NO_PATH)
    const { at, owner, use, part = 'value' } = site
    paths.push({ at, part, owner, use, path })
    for (const step of path.steps) {
      if (step.kind !== 'computed') continue
      texts.push({ at, part, owner, place: 'path.index', source, text: [step.index] })
    }
    return path
  }

  return {
    document,
    text(source, site, options) {
      const text = attempt(site, 'expression/syntax', () => parseText(source, options), [''])
      remember(source, site, text)
      return text
    },
    expression(source, site) {
      const parse = (): Expression => parseExpression(source)
      const expression = attempt(site, 'expression/syntax', parse, NO_EXPRESSION)
      remember(source, site, [expression])
      return expression
    },
    path: (source, site) => readPath(source, site, parsePath),
    recordPath: (source, site) => readPath(source, site, parseRecordPath),
    param(source, site, declared) {
      const param = declared.has(source) ? [source] : source.split('.')
      const { at, owner, use, part = 'value' } = site
      params.push({ at, part, owner, use, source, param })
      return param
    },
    pattern,
    report,
    problems,
    texts,
    paths,
    params,
  }
}

const NO_EXPRESSION: Expression = { kind: 'literal', value: null }
const NO_PATH: Path = { root: 'body', steps: [], source: '$' }
