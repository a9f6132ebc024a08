// Regular expressions of manifests: RE2, so that matching takes linear time whatever the pattern and the text.
import type { RE2JS } from 're2js'
import { linearPatterns } from '../../late-modules.ts'
import { linearRegExp } from './linear-pattern.ts'

/** A compiled regular expression. Texts of more than 4,096 UTF-16 units never match. */
export interface Pattern {
  test(text: string): boolean
  /** The first group of the first match, the whole match when the pattern has no group, undefined without a match. */
  firstGroup(text: string): string | undefined
}

// Linear is not free: 64 KiB take a third of a second with the worst patterns, 4 KiB some milliseconds.
const MAX_TEXT = 4096

/**
 * Compiles a pattern of RE2 syntax: no look-around, no back-references; it may match anywhere in the text.
 * Throws a SyntaxError that says what is wrong.
 *
 * The linear engine is loaded by the first pattern that needs it: loading it takes longer than connecting a client, and
 * most patterns can do no harm on the platform's own.
 */
export function compilePattern(source: string): Pattern {
  const platform = linearRegExp(source)
  if (platform === null) return compileLinear(source)
  if (hasPlainGroups(source)) return compilePlatform(platform)
  let linear: Pattern | undefined
  return {
    test: (text) => text.length <= MAX_TEXT && platform.test(text),
    firstGroup: (text) => (linear ??= compileLinear(source)).firstGroup(text),
  }
}

/** Whether a pattern is run by the linear engine: always, or where its first group is wanted. */
export function needsLinearEngine(source: string, use: 'test' | 'group'): boolean {
  return linearRegExp(source) === null || (use === 'group' && !hasPlainGroups(source))
}

/** Whether no group is repeated or optional: what such a one holds is not the same in both engines. */
function hasPlainGroups(source: string): boolean {
  return !/\)[*+?{]/.test(source)
}

function compilePlatform(platform: RegExp): Pattern {
  return {
    test: (text) => text.length <= MAX_TEXT && platform.test(text),
    firstGroup(text) {
      if (text.length > MAX_TEXT) return undefined
      const found = platform.exec(text)
      return found === null ? undefined : found.length > 1 ? found[1] : found[0]
    },
  }
}

function compileLinear(source: string): Pattern {
  const pattern = compile(linearPatterns().RE2JS, source)
  const group = pattern.groupCount() > 0 ? 1 : 0
  return {
    test(text) {
      return text.length <= MAX_TEXT && pattern.test(text)
    },
    firstGroup(text) {
      if (text.length > MAX_TEXT) return undefined
      const matcher = pattern.matcher(text)
      return matcher.find() ? (matcher.group(group) ?? undefined) : undefined
    },
  }
}

function compile(engine: typeof RE2JS, source: string): RE2JS {
  try {
    return engine.compile(source)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const reason = said.replace(/^error parsing regexp: /, '')
    throw new SyntaxError(`This pattern cannot be run: ${reason}`, { cause: error })
  }
}
