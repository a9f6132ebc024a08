// What every manifest sends, compared with cases written by hand. The form of the cases: README.md.
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import type { DirectOptions } from '../../src/client/options.ts'
import { isConnectorError } from '../../src/errors.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import { type ConnectingCase, manifestTypes, readRequests } from './case-file.ts'
import { readShippedManifest, runOperation } from './run-operation.ts'
import {
  completeRequest,
  createPatientClock,
  type ScriptedUpstream,
  scriptUpstream,
} from './scripted-upstream.ts'

describe.for(manifestTypes())('requests of %s', (type) => {
  const manifest = readShippedManifest(type)
  const file = readRequests(type)
  const [first] = Object.keys(file.connections)

  test('every action that is not marked untested has golden requests, and no others exist', () => {
    const actions = manifest.entities.flatMap(({ name, actions }) =>
      actions
        .filter((action) => action.untested === null)
        .map((action) => `${name}.${action.name}`),
    )
    const covered = Object.entries(file.operations)
      .filter(([, { cases }]) => cases.some((one) => one.requests !== undefined))
      .map(([operation]) => operation)
    expect(covered.toSorted()).toEqual(actions.toSorted())
  })

  const cases = Object.entries(file.operations).flatMap(([operation, { answer, answers, cases }]) =>
    cases.map((one) => ({
      operation,
      answers: [],
      ...(answers === undefined ? { repeat: { body: answer ?? null } } : { answers }),
      ...one,
      title: `${operation}: ${one.name}`,
    })),
  )

  test.for(cases.filter((one) => one.requests !== undefined))('$title', async (one) => {
    const connection = file.connections[one.connection ?? first ?? '']
    if (connection === undefined) throw new Error(`no connection ${one.connection}`)
    const { headers, ...credentials } = connection
    const upstream = scriptUpstream(one.answers, 'repeat' in one ? one.repeat : undefined)
    await runOperation(manifest, one.operation, one.params, credentials, upstream)
    const expected = one.requests ?? []
    expect(upstream.requests).toEqual(expected.map((request) => completeRequest(request, headers)))
    expect(upstream.left()).toBe(0)
  })

  test.for(cases.filter((one) => one.refused !== undefined))('$title is refused', async (one) => {
    const connection = file.connections[one.connection ?? first ?? '']
    if (connection === undefined) throw new Error(`no connection ${one.connection}`)
    const upstream = scriptUpstream([])
    const error: unknown = await runOperation(
      manifest,
      one.operation,
      one.params,
      connection,
      upstream,
    ).catch((reason: unknown) => reason)
    if (!isConnectorError(error)) throw error
    expect({
      code: error.code,
      pointers: error.errors.map((problem) => problem.pointer).toSorted(),
    }).toEqual({ code: 'params_invalid', pointers: one.refused?.toSorted() })
    expect(upstream.requests).toEqual([])
  })

  test.for(file.connecting ?? [])('connecting: $name', async (one) => {
    const upstream = scriptUpstream(one.answers)
    const saved: { next: object; settings: object }[] = []
    const outcome: unknown = await connectAndRun(manifest, one, upstream, (next, { config }) => {
      saved.push({ next, settings: config })
    }).catch((reason: unknown) => reason)
    if (one.error !== undefined) expect(outcome).toMatchObject(one.error)
    else if (outcome instanceof Error) throw outcome
    expect(upstream.requests).toEqual(one.requests.map((request) => completeRequest(request, {})))
    if (one.saved !== undefined) expect(saved.at(-1)?.next).toMatchObject(one.saved)
    if (one.settings !== undefined) expect(saved.at(-1)?.settings).toEqual(one.settings)
  })
})

async function connectAndRun(
  manifest: Manifest,
  { credentials, config, operation }: ConnectingCase,
  upstream: ScriptedUpstream,
  onCredentials: NonNullable<DirectOptions['onCredentials']>,
): Promise<unknown> {
  await using client = await connect(manifest, {
    credentials,
    ...(config === undefined ? {} : { config }),
    transport: upstream.transport,
    clock: createPatientClock(),
    onCredentials,
  })
  if (operation === 'check') {
    const { result, error } = await client.check()
    return result === 'ok' ? null : error
  }
  const [entity = '', action = ''] = operation.split('.')
  return await client.execute(entity, action)
}
