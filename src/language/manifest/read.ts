// Bytes → ManifestDocument. The first phase of loading: everything the language refuses of YAML is refused here.
import { LineIndex, ManifestDocument } from './document.ts'
import { inFileOrder, type ManifestProblem } from './problem.ts'
import { parseYaml, type TextFinding } from './yaml-syntax.ts'
import { buildValue } from './yaml-value.ts'

export interface ReadResult {
  /** Null when there are problems. */
  readonly document: ManifestDocument | null
  /** The same, or what could be read in spite of problems, for finding more of them; null: too little of it. */
  readonly legible: ManifestDocument | null
  readonly problems: readonly ManifestProblem[]
}

const MAX_BYTES = 1024 * 1024

/**
 * Reads a manifest: strict UTF-8 of at most 1 MiB, one YAML 1.2 document (JSON included), 40 levels deep.
 *
 * A byte order mark at the start is skipped. Throws nothing: what is refused comes back as problems with
 * rules `yaml/…`, in file order. Source: docs/manifest-language.md, "The file".
 */
export function readDocument(source: Uint8Array | string, file: string): ReadResult {
  const size = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength
  if (size > MAX_BYTES) {
    const message = `the file has ${size.toLocaleString('en')} bytes; a manifest has at most 1 MiB`
    return refuseFile(file, '', 0, { rule: 'yaml/size', message })
  }
  const decoded = decode(source)
  if (typeof decoded !== 'string') {
    return refuseFile(file, decoded.before, decoded.before.length, {
      rule: 'yaml/encoding',
      message: 'these bytes are not UTF-8',
      hint: 'save the file as UTF-8',
    })
  }
  return readText(decoded, file)
}

function readText(text: string, file: string): ReadResult {
  const lines = new LineIndex(text)
  const parsed = parseYaml(text)
  const findings = [...forbiddenIn(text), ...parsed.findings]
  const built = parsed.complete ? buildValue(parsed.contents, text, findings) : null
  const problems = findings.map(({ start, end, ...said }) => {
    const span = lines.span(start, end)
    return { file, ...span, path: '', severity: 'error' as const, ...said }
  })
  const legible = built === null ? null : new ManifestDocument({ file, text, lines }, built)
  const document = problems.length > 0 ? null : legible
  return { document, legible, problems: inFileOrder(problems) }
}

/** The first ones: of a file that is no text there are many. */
const MAX_CHARACTERS = 20

function forbiddenIn(text: string): readonly TextFinding[] {
  const found = text.matchAll(FORBIDDEN_CHARACTERS).take(MAX_CHARACTERS)
  return [...found].map(({ 0: character, index }) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''
    return {
      start: index,
      end: index + 1,
      rule: 'yaml/character',
      message: `the character U+${code} is not allowed`,
      hint: 'write it as an escape in double quotes',
    }
  })
}

// YAML allows none of these unescaped; the library lets them pass.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN_CHARACTERS = /(?![\t\n\r\u0085])\p{Cc}|[\ufeff\ufffe\uffff]|\p{Surrogate}/gu

/** The text, or what could be read before the first byte that is not UTF-8. */
function decode(source: Uint8Array | string): string | { readonly before: string } {
  if (typeof source === 'string') return source.startsWith('\ufeff') ? source.slice(1) : source
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source)
  } catch {
    // What is not UTF-8 is read as U+FFFD, and would be written otherwise than it came.
    const written = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(source))
    const end = source.findIndex((byte, index) => byte !== written[index])
    // `stream` holds back a last character that is not complete.
    return { before: new TextDecoder().decode(source.subarray(0, end), { stream: true }) }
  }
}

function refuseFile(
  file: string,
  text: string,
  offset: number,
  refusal: { readonly rule: string; readonly message: string; readonly hint?: string },
): ReadResult {
  const span = new LineIndex(text).span(offset, offset + 1)
  const { rule, message, hint = null } = refusal
  return {
    document: null,
    legible: null,
    problems: [{ file, ...span, path: '', severity: 'error', rule, message, hint }],
  }
}
