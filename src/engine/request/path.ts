// The path of a request: segment by segment, so that no value can leave its own.
import { percentEncode, spansSegments } from '../../language/expression/encode.ts'
import { compileExpression } from '../../language/expression/evaluate.ts'
import type { Scope, Text } from '../../language/expression/syntax.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import { attempt, type Refusals } from '../../language/expression/refusals.ts'
import { printScalar } from '../../language/expression/text-value.ts'

/**
 * Compiles a path, without its leading slash; segments that cannot be rendered are noted in the refusals. The number of
 * segments is that of the template, unless it says `segments`: a value is percent-encoded, and refused when it is absent, null, empty, holds
 * control characters, or makes its segment `.` or `..`, which URL parsers fold even when encoded.
 */
export function compileRequestPath(
  segments: readonly Text[],
): (scope: Scope, refusals: Refusals) => string {
  const compiled = segments.map((segment) => ({ segment, render: compileSegment(segment) }))
  return (scope, refusals) => {
    let path = ''
    for (const { segment, render } of compiled) {
      const text =
        typeof render === 'string'
          ? render
          : (attempt(refusals, segment, () => render(scope)) ?? '')
      path = path === '' ? text : `${path}/${text}`
    }
    return path
  }
}

/** One segment of a path that holds no slash: its text where nothing of it varies, else what renders it. */
function compileSegment(segment: Text): string | ((scope: Scope) => string) {
  if (segment.every((part) => typeof part === 'string')) return segment.join('')
  const parts = segment.map((part) => {
    if (typeof part === 'string') return part
    if (part.kind === 'ifBlock' || part.kind === 'eachBlock')
      throw new TypeError('a path has no blocks')
    return { evaluate: compileExpression(part), spans: spansSegments(part) }
  })
  return (scope) => {
    let plain = ''
    let encoded = ''
    for (const part of parts) {
      const text = typeof part === 'string' ? part : pathValue(part.evaluate(scope))
      plain += text
      encoded += typeof part === 'string' || part.spans ? text : percentEncode(text)
    }
    if (plain === '.' || plain === '..')
      throw new ValueError('must not be a dot segment ("." or "..")')
    return encoded
  }
}

function pathValue(value: ReturnType<ReturnType<typeof compileExpression>>): string {
  if (value === undefined || value === null)
    throw new ValueError('stands in the path and must be given')
  const text = printScalar(value)
  if (text === '') throw new ValueError('stands in the path and must not be empty')
  if (/\p{Cc}/u.test(text))
    throw new ValueError('stands in the path and must not hold control characters')
  return text
}
