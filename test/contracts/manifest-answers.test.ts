// What callers of every manifest get, compared with cases written by hand. The form of the cases: README.md.
import { describe, expect, test } from 'vitest'
import { isConnectorError } from '../../src/errors.ts'
import { Download } from '../../src/client/download.ts'
import { manifestTypes, readAnswers, readRequests } from './case-file.ts'
import { readShippedManifest, runOperation } from './run-operation.ts'
import { scriptUpstream } from './scripted-upstream.ts'

describe.for(manifestTypes())('answers of %s', (type) => {
  const manifest = readShippedManifest(type)
  const { connections } = readRequests(type)
  const [first] = Object.keys(connections)
  const { operations } = readAnswers(type)

  test('every action that is not marked untested has golden answers, and no others exist', () => {
    const actions = manifest.entities.flatMap(({ name, actions }) =>
      actions
        .filter((action) => action.untested === null)
        .map((action) => `${name}.${action.name}`),
    )
    expect(Object.keys(operations).toSorted()).toEqual(actions.toSorted())
  })

  const cases = Object.entries(operations).flatMap(([operation, cases]) =>
    cases.map((one) => ({ ...one, operation, title: `${operation}: ${one.name}` })),
  )

  test.for(cases)('$title', async (one) => {
    const connection = connections[one.connection ?? first ?? '']
    if (connection === undefined) throw new Error(`no connection ${one.connection}`)
    const upstream = scriptUpstream(one.answers)
    const outcome: unknown = await runOperation(
      manifest,
      one.operation,
      one.params,
      connection,
      upstream,
    ).catch((reason: unknown) => reason)
    if (one.error !== undefined) {
      const { says = [], pointers, ...members } = one.error
      if (!isConnectorError(outcome))
        throw outcome instanceof Error ? outcome : new Error('no error')
      expect(outcome).toMatchObject(members)
      for (const text of says) expect(outcome.message).toContain(text)
      if (pointers !== undefined)
        expect(outcome.errors.map(({ pointer }) => pointer).filter(Boolean)).toEqual(pointers)
    } else {
      if (outcome instanceof Error) throw outcome
      if (outcome instanceof Download) {
        const text = Buffer.from(await outcome.toBytes({ maxBytes: 1000 })).toString('utf8')
        expect({ ...outcome.toJSON(), text }).toMatchObject(one.download ?? {})
      } else {
        expect(outcome).toEqual({ data: one.data, meta: one.meta })
      }
    }
    expect(upstream.left()).toBe(0)
  })
})
