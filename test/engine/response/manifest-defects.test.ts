// What the lint refuses and a compiled manifest may still hold: an error with a code, never a raw TypeError.
import { describe, expect, test } from 'vitest'
import { compileStores } from '../../../src/engine/credentials/stored-values.ts'
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import { compilePath } from '../../../src/language/expression/pick.ts'
import type { Path } from '../../../src/language/expression/syntax.ts'
import type { Action } from '../../../src/language/manifest/manifest.ts'
import { compileReader } from '../../../src/engine/response/read-page.ts'
import { actionOf, manifestOf } from '../../language/manifest/resolved.ts'

const DEFECT: unknown = expect.objectContaining({ code: 'internal_error', outcome: 'not_applied' })

describe('a defect of the manifest has a code', () => {
  const listing = actionOf('list', {
    request: { http: 'GET /things' },
    response: { records: '$.x' },
    pagination: { type: 'none', reason: 'All at once.' },
  })
  const reading = (response: Partial<Action['response']>) => () =>
    compileReader({ ...listing, response: { ...listing.response, ...response } })

  test.for([
    {
      name: 'lists in lists of a page',
      run: reading({ at: parsePath('$.x[*][*]'), page: parsePath('$.x') }),
    },
    { name: 'records beside their page', run: reading({ page: parsePath('$.y') }) },
    {
      name: 'pages in a list',
      run: reading({ at: parsePath('$.p[*].x'), page: parsePath('$.p[*]') }),
    },
    { name: 'a record that is dropped', run: reading({ drop: [parsePath('$')] }) },
    {
      name: 'a cast of a header',
      run: reading({ casts: [{ at: { ...parsePath('$[0]') }, always: true }] }),
    },
    {
      name: 'a root without a name',
      run: () => compilePath({ root: 'headers', steps: [], source: '$headers' } satisfies Path),
    },
    {
      name: 'a session that is kept from a header',
      run: () => {
        const manifest = manifestOf()
        const [method] = manifest.auth
        if (method === undefined) throw new Error('there is one method')
        return compileStores(manifest, method, [
          { root: 'session', name: 'token', at: parsePath('$headers.x-token') },
        ])
      },
    },
  ])('$name', ({ run }) => expect(run).toThrow(DEFECT))
})
