// What a preview shows is what is sent, but for the secrets: every golden request is previewed too.
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { manifestTypes, readRequests } from './case-file.ts'
import { readShippedManifest } from './run-operation.ts'
import { formIn, scriptUpstream } from './scripted-upstream.ts'

describe.for(manifestTypes())('previews of %s', (type) => {
  const manifest = readShippedManifest(type)
  const file = readRequests(type)
  const [first] = Object.keys(file.connections)
  const cases = Object.entries(file.operations).flatMap(([operation, { cases }]) =>
    cases
      .filter((one) => one.requests !== undefined)
      .map((one) => ({ ...one, operation, title: `${operation}: ${one.name}` })),
  )

  test.for(cases)('$title', async (one) => {
    const { headers: _, ...credentials } = file.connections[one.connection ?? first ?? ''] ?? {
      credentials: {},
      headers: {},
    }
    const upstream = scriptUpstream([])
    await using client = await connect(manifest, {
      ...credentials,
      transport: upstream.transport,
      onCredentials: () => {},
    })
    const [entity = '', action = ''] = one.operation.split('.')
    const { requests } = await client.preview(entity, action, one.params)
    const [expected] = one.requests ?? []
    const send = typeof expected === 'string' ? expected : expected?.send
    const whole = typeof expected === 'string' ? undefined : expected
    const shown = requests[0]?.body ?? undefined
    const body = whole?.form === undefined ? whole?.body : whole.form
    const given =
      whole?.form !== undefined && typeof shown === 'string'
        ? formIn(shown, requests[0]?.headers['content-type'] ?? '')
        : shown
    expect(`${requests[0]?.method} ${requests[0]?.url}`).toBe(send)
    expect(given).toEqual(body)
    expect(requests[0]?.headers['authorization']).toMatch(/^(Basic|Bearer) \*\*\*$/)
    for (const secret of Object.values(credentials.credentials as Record<string, string>).filter(
      (text) => text.length >= 6 && !text.includes('@'),
    )) {
      expect(JSON.stringify(requests)).not.toContain(secret)
    }
    expect(upstream.requests).toEqual([])
  })
})
