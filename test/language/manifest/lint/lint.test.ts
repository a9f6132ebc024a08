import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { loadManifest } from '../../../../src/language/manifest/load.ts'
import type { ManifestProblem } from '../../../../src/language/manifest/problem.ts'
import { BROKEN, type BrokenManifest } from './broken-manifests.ts'

const ACME = readFileSync(new URL('fixtures/acme.yaml', import.meta.url), 'utf8')

test('a manifest that uses every part of the language has no finding', () => {
  expect(lint(ACME)).toEqual([])
})

describe.each(Object.entries(BROKEN))('%s', (_, mistakes) => {
  test.for(mistakes.map((mistake) => ({ ...mistake, name: nameOf(mistake) })))(
    '$rule: $name',
    ({ rule, edits, hint }) => {
      const { text, want } = broken(edits)
      const problems = lint(text)
      expect(
        problems.map(({ rule, line, column, length }) => ({ rule, line, column, length })),
      ).toEqual([{ rule, ...want }])
      if (hint !== undefined) expect(problems[0]?.hint).toContain(hint)
    },
  )
})

function lint(text: string): readonly ManifestProblem[] {
  return loadManifest({ text, file: 'manifests/acme.yaml' }).problems
}

/** The broken text without the marks, and what they enclose. */
function broken(edits: BrokenManifest['edits']): {
  readonly text: string
  readonly want: { readonly line: number; readonly column: number; readonly length: number }
} {
  let marked = ACME
  for (const [from, to] of edits) {
    expect(marked.split(from), `"${from}" stands once in the manifest`).toHaveLength(2)
    marked = marked.replace(from, () => to)
  }
  const start = marked.indexOf('«')
  const before = marked.slice(0, start).split('\n')
  return {
    text: marked.replace(/[«»]/g, ''),
    want: {
      line: before.length,
      column: (before.at(-1) ?? '').length + 1,
      length: marked.indexOf('»') - start - 1,
    },
  }
}

function nameOf({ edits }: BrokenManifest): string {
  return (
    edits
      .map(([, to]) => to)
      .find((to) => to.includes('«'))
      ?.trim() ?? ''
  )
}
