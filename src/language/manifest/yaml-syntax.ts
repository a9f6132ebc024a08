// What a manifest may not hold although YAML knows it, and the limits of reading: found before any value is built.
import type { CST, ErrorCode, ParsedNode, Range } from 'yaml'
import { yamlReader } from '../../late-modules.ts'

export interface TextFinding {
  readonly start: number
  readonly end: number
  readonly rule: string
  readonly message: string
  readonly hint: string | null
}

/** The tree of the only document, null when it is empty; and what is wrong with the text. */
export interface ParsedYaml {
  readonly contents: ParsedNode | null
  /** Whether the whole text could be read, so that the tree is worth looking into. */
  readonly complete: boolean
  readonly findings: readonly TextFinding[]
}

/** Maps and lists, the root included. */
export const MAX_DEPTH = 40
// A token costs up to 5 µs; a manifest of 1 MiB that was written by hand has fewer.
const MAX_TOKENS = 400_000
// One mistake can give an error for every character behind it.
const MAX_ERRORS = 50

/** Parses one YAML 1.2 document of the core schema, strictly. Throws on no text. */
export function parseYaml(text: string): ParsedYaml {
  const findings: TextFinding[] = []
  const tokens = readTokens(text, findings)
  if (tokens === null) return { contents: null, complete: false, findings }
  checkTokens(tokens, text, findings)

  const { contents, errors } = compose(tokens, text)
  // A template without quotes breaks the syntax around it; then it is the mistake, not what follows from it.
  const unquoted = findings.some((finding) => finding.rule === UNQUOTED.rule)
  const broken = errors.find((error) => error.breaks)
  findings.push(...errors.filter((error) => !error.breaks).map((error) => error.finding))
  if (broken !== undefined && !unquoted) {
    // What follows a bracket that nothing closes is read as a part of it: the library points far behind.
    const open = unclosed(tokens)
    findings.push(
      open !== null && broken.runsOn && open.start < broken.finding.start ? open : broken.finding,
    )
  }
  return { contents, complete: broken === undefined, findings }
}

/** The tokens of the file, or null when it is too large, too deep, or more than one document. */
function readTokens(text: string, findings: TextFinding[]): readonly CST.Token[] | null {
  const { Lexer, Parser } = yamlReader()
  const parser = new Parser()
  const lexemes = new Lexer().lex(text)
  const tokens: CST.Token[] = []
  const refuse = (start: number, refusal: Refusal): null => {
    findings.push({ start, end: start + 1, ...refusal })
    return null
  }
  let [count, documents, errors] = [0, 0, 0]
  for (let next = lexemes.next(); ; next = lexemes.next()) {
    if (++count > MAX_TOKENS) return refuse(parser.offset, TOO_LARGE)
    for (const token of next.done === true ? parser.end() : parser.next(next.value)) {
      if (token.type === 'error' && ++errors > MAX_ERRORS) continue
      tokens.push(token)
      if (token.type === 'document' && ++documents > 1) return refuse(token.offset, SECOND)
    }
    if (next.done === true) return tokens
    // The stack also holds the document and the scalar at hand. The exact depth is checked on the finished tree.
    if (parser.stack.length > MAX_DEPTH + 2)
      return refuse(parser.offset, { rule: 'yaml/depth', message: TOO_DEEP, hint: null })
  }
}

export const TOO_DEEP: string = `maps and lists are nested deeper than ${MAX_DEPTH} levels`

type Refusal = Pick<TextFinding, 'rule' | 'message' | 'hint'>

const REFUSED_TOKENS: Readonly<Record<string, Refusal>> = {
  anchor: {
    rule: 'yaml/anchor',
    message: 'anchors are not allowed',
    hint: 'reuse by shapes (schemas), defaults (rules) or maps (constants)',
  },
  alias: {
    rule: 'yaml/anchor',
    message: 'aliases are not allowed',
    hint: 'reuse by shapes (schemas), defaults (rules) or maps (constants); put quotes around a text that begins with *',
  },
  tag: {
    rule: 'yaml/tag',
    message: 'tags are not allowed',
    hint: 'leave the tag out; put quotes around a value to make it text',
  },
  directive: {
    rule: 'yaml/directive',
    message: 'directives are not allowed',
    hint: 'leave the line out; put quotes around a text that begins with %',
  },
}

const TOO_LARGE: Refusal = {
  rule: 'yaml/size',
  message: 'the file has more parts than a manifest may have',
  hint: null,
}

const SECOND: Refusal = {
  rule: 'yaml/second-document',
  message: 'a manifest is one document; a second one begins here',
  hint: 'give every connector a file of its own',
}

const UNQUOTED: Refusal = {
  rule: 'yaml/unquoted-expression',
  message: 'without quotes YAML reads {{ }} as a map',
  hint: 'put quotes around the expression: "{{ … }}"',
}

function checkTokens(tokens: readonly CST.Token[], text: string, findings: TextFinding[]): void {
  const pending: (CST.Token | null | undefined)[] = [...tokens]
  while (pending.length > 0) {
    const token = pending.pop()
    if (token === null || token === undefined) continue
    const { type, offset: start } = token
    const refusal = Object.hasOwn(REFUSED_TOKENS, type) ? REFUSED_TOKENS[type] : undefined
    if (refusal !== undefined && 'source' in token)
      findings.push({ start, end: start + token.source.length, ...refusal })
    else if (type === 'flow-collection' && text.startsWith('{{', start)) {
      const close = text.indexOf('}}', start)
      findings.push({ start, end: (close < 0 ? start : close) + 2, ...UNQUOTED })
    } else pending.push(...partsOf(token))
  }
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** The innermost bracket that is not closed, or is closed by one of the other kind; null: all are closed. */
function unclosed(tokens: readonly CST.Token[]): TextFinding | null {
  let found: TextFinding | null = null
  const pending: (CST.Token | null | undefined)[] = [...tokens]
  while (pending.length > 0) {
    const token = pending.pop()
    if (token === null || token === undefined) continue
    if (token.type === 'flow-collection') {
      const { source: opening, offset: start } = token.start
      const closing = CLOSING[opening] ?? ''
      const other = token.end.find(({ type }) => /^flow-\w+-end$/.test(type))
      const isClosed = other !== undefined && 'source' in other && other.source === closing
      if (!isClosed && start >= (found?.start ?? 0))
        found = {
          start,
          end: start + 1,
          rule: 'yaml/syntax',
          message: `the ${opening} that is opened here is never closed`,
          hint: `put ${closing} where it ends`,
        }
    }
    pending.push(...partsOf(token))
  }
  return found
}

function partsOf(token: CST.Token): readonly (CST.Token | null | undefined)[] {
  if (token.type === 'document') return [...token.start, token.value, ...(token.end ?? [])]
  if (token.type === 'block-scalar') return token.props
  if (!('items' in token)) return []
  return token.items.flatMap((item) => [...item.start, item.key, ...(item.sep ?? []), item.value])
}

interface SyntaxError {
  readonly finding: TextFinding
  /** Whether what follows in the text may be an error only because of this one. */
  readonly breaks: boolean
  /** Whether the text may be an error only because a bracket before it is open; signs in a text without quotes are their own. */
  readonly runsOn: boolean
}

/** Errors and warnings of the YAML library that do not spoil what follows; tokens refused above are left out (null). */
const HARMLESS: Readonly<Partial<Record<ErrorCode, Refusal | null>>> = {
  TAB_AS_INDENT: { rule: 'yaml/tab', message: 'tabs cannot indent', hint: 'use spaces' },
  BAD_DQ_ESCAPE: {
    rule: 'yaml/syntax',
    message: 'this escape does not exist',
    hint: 'write \\\\ for a backslash, or use single quotes',
  },
  TAG_RESOLVE_FAILED: null,
  BAD_COLLECTION_TYPE: null,
  MULTIPLE_TAGS: null,
  MULTIPLE_ANCHORS: null,
  BAD_ALIAS: null,
  ALIAS_PROPS: null,
  BAD_PROP_ORDER: null,
  BAD_DIRECTIVE: null,
}

const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'put quotes around a text that holds ": "',
  BAD_SCALAR_START: 'put quotes around a text that begins with this character',
  BAD_INDENT:
    'keys of one block stand in one column: move this line to the column of the keys above, or below the key it belongs to',
  MULTILINE_IMPLICIT_KEY: 'a name and its colon stand on one line',
  UNEXPECTED_TOKEN: 'put quotes around a text that holds [ ] { } or begins with a sign',
  MISSING_CHAR: 'a quote, a bracket or a comma is missing before this place',
}

/** Composes the tree. Errors come in the order of the library: the first one that breaks is the cause of others. */
function compose(
  tokens: readonly CST.Token[],
  text: string,
): { contents: ParsedNode | null; errors: readonly SyntaxError[] } {
  const errors: SyntaxError[] = []
  const composer = new (yamlReader().Composer)({
    version: '1.2',
    schema: 'core',
    merge: false,
    strict: true,
    // The library compares every key with every other one; build-value.ts does it with a Map.
    uniqueKeys: false,
    prettyErrors: false,
  })
  // The handler is not part of the library's public interface. Without it every error is an object with a stack:
  // 1 MiB of commas takes half a minute.
  const report: ErrorHandler = (source, code, message) => {
    const harmless = Object.hasOwn(HARMLESS, code) ? HARMLESS[code] : undefined
    if (harmless === null) return
    const [start, end] = errorRange(source)
    const refusal = harmless ?? explain(code, message, start, text)
    errors.push({
      finding: { start, end, ...refusal },
      breaks: harmless === undefined,
      runsOn: code !== 'UNEXPECTED_TOKEN',
    })
    if (errors.length >= MAX_ERRORS) throw new TooManyErrors()
  }
  composer['onError'] = report
  let contents: ParsedNode | null = null
  try {
    for (const document of composer.compose(tokens, true, text.length)) {
      contents ??= document.contents
      // What the library found without the handler: closing brackets that nothing opened.
      for (const error of document.errors) report(error.pos, error.code, error.message)
    }
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error
  }
  return { contents, errors }
}

class TooManyErrors extends Error {}

type ErrorPlace =
  number | readonly [number, number] | Range | { readonly offset: number; readonly source?: string }
type ErrorHandler = (source: ErrorPlace, code: ErrorCode, message: string) => void

function errorRange(source: ErrorPlace): readonly [number, number] {
  if (typeof source === 'number') return [source, source + 1]
  if ('offset' in source) return [source.offset, source.offset + (source.source?.length ?? 1)]
  return [source[0], source[1]]
}

function explain(code: ErrorCode, message: string, offset: number, text: string): Refusal {
  if (text.startsWith('{{', offset)) return UNQUOTED
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? ''
  const hint =
    HINTS[code] ??
    (line.includes('{{')
      ? UNQUOTED.hint
      : 'compare this line with the ones above: columns, quotes and brackets')
  return { rule: 'yaml/syntax', message, hint }
}
