// The suite that holds for every manifest, as cases for any test runner: each action against the sandbox.
import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../client/client.ts'
import { connect } from '../../client/connect.ts'
import type { Manifest as GivenManifest, Settings } from '../../client/connectors.ts'
import { Download } from '../../client/download.ts'
import type { DirectOptions } from '../../client/options.ts'
import { doubtfulEndOf } from '../../client/doubtful-end.ts'
import { manifestOf } from '../../client/packaged.ts'
import type { Page } from '../../client/page-call.ts'
import { isConnectorError } from '../../errors.ts'
import { type Giving, gives } from '../../language/manifest/actions.ts'
import { carriedBy } from '../../language/manifest/credential-places/places.ts'
import type { Action, AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import type { Demo } from '../data/demo-types.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { createHastyClock } from './hasty-clock.ts'

export interface ManifestCase {
  readonly name: string
  /** Throws when the case does not hold. */
  readonly run: () => Promise<void>
}

export interface ManifestCaseOptions {
  /** Demo data of the sandbox; without them records are made up from the schemas. */
  readonly demo?: Demo | null
  /** Folder of recordings: `<dir>/<type>/<entity>.<action>` is replayed where it is there. */
  readonly recordings?: string
  /** Told what holds and may still be wrong: a recorded listing that ended where there may be more. */
  readonly onWarning?: (warning: string) => void
}

/** A listing of a sandbox has an end. */
const MAX_PAGES = 60

/**
 * The cases of a manifest: each action answers, its listing ends and gives no record twice, a preview is what is then
 * sent, an unknown parameter is refused before anything is sent, the check passes, wrong credentials are refused, a failing vendor is an
 * error and never an empty answer, and a recording is replayed where there is one.
 */
export function manifestCases(
  given: GivenManifest<unknown, Settings>,
  options: ManifestCaseOptions = {},
): readonly ManifestCase[] {
  const manifest = manifestOf(given)
  const cases: ManifestCase[] = []
  const add = (name: string, test: (world: World) => Promise<void>): void => {
    cases.push({ name: `${manifest.type} ${name}`, run: () => inWorld(manifest, options, test) })
  }
  for (const entity of manifest.entities) {
    for (const action of entity.actions) {
      const name = `${entity.name}.${action.name}`
      add(`${name} answers`, (world) => answers(world, action))
      if (gives(action.name, 'list'))
        add(`${name} is read to its end`, (world) => readsToTheEnd(world, action))
      add(`${name} sends what its preview shows`, (world) => sendsWhatIsShown(world, action))
      add(`${name} refuses an unknown parameter`, (world) => refusesUnknown(world, action))
      add(`${name} fails when the vendor does`, (world) => failsWithTheVendor(world, action))
      const { recordings: dir, onWarning } = options
      if (dir !== undefined && existsSync(join(dir, manifest.type, `${name}.json`)))
        cases.push({
          name: `${manifest.type} ${name} as it was recorded`,
          run: () => replay(manifest, action, dir, onWarning),
        })
    }
  }
  if (manifest.check !== null) add('passes its check', passesItsCheck)
  // Without a secret nothing is wrong, and a method of certificates alone is not seen on plain http.
  if (manifest.auth.some(hasSecrets) && manifest.auth.every(isSeen))
    add('refuses wrong credentials', (world) => refusesStrangers(world, manifest))
  return cases
}

interface World {
  readonly vendor: Sandbox
  readonly client: Client
}

async function inWorld(
  manifest: Manifest,
  { demo = null }: ManifestCaseOptions,
  test: (world: World) => Promise<void>,
): Promise<void> {
  await using vendor = await createSandbox(manifest, demo)
  await using client = await connect(manifest, { ...vendor.options(), ...impatient() })
  await test({ vendor, client })
}

/** Options with which no case waits. */
function impatient(): Pick<DirectOptions, 'limits' | 'retries' | 'clock' | 'onCredentials'> {
  return { limits: null, retries: 0, clock: createHastyClock(), onCredentials: () => {} }
}

/** Runs an action with the parameters of its example, and `more`. */
async function run({ vendor, client }: World, action: Action, more = {}): Promise<unknown> {
  const params = { ...vendor.example(operationOf(action)), ...more }
  return await client.execute(action.entity, action.name as string, params)
}

function operationOf({ entity, name }: Action): string {
  return `${entity}.${name}`
}

async function passesItsCheck({ client }: World): Promise<void> {
  const { result, error } = await client.check()
  assert.equal(result, 'ok', `the check is ${result}: ${error?.message ?? ''}`)
}

async function answers(world: World, action: Action): Promise<void> {
  const answer = await run(world, action)
  if (answer instanceof Download) {
    assert.ok((await answer.toBytes({ maxBytes: 50_000_000 })).length > 0, 'the file has no bytes')
    return
  }
  const { data } = answer as { readonly data: unknown }
  assert.notEqual(data, undefined, 'there is no data')
  if (gives(action.name, 'list'))
    assert.ok((answer as Page).records.length > 0, 'the sandbox has no record for the example')
}

async function readsToTheEnd({ vendor, client }: World, action: Action): Promise<void> {
  const params = vendor.example(operationOf(action))
  const listing = client.execute(action.entity, action.name as Giving<'list'>, params)
  const seen = new Set<string>()
  let pages = 0
  for await (const page of listing.pages()) {
    assert.ok(++pages <= MAX_PAGES, `the listing has no end after ${MAX_PAGES} pages`)
    for (const record of page.records) {
      const text = JSON.stringify(record)
      assert.ok(!seen.has(text), `a record came twice: ${text.slice(0, 200)}`)
      seen.add(text)
    }
  }
}

async function sendsWhatIsShown(world: World, action: Action): Promise<void> {
  const { vendor, client } = world
  const params = vendor.example(operationOf(action))
  const { requests } = await client.preview(action.entity, action.name, params)
  const before = vendor.requests().length
  const answer = await run(world, action)
  if (answer instanceof Download) answer.cancel()
  const sent = vendor.requests().slice(before)[0]
  const [shown] = requests
  assert.ok(shown !== undefined && sent !== undefined, 'nothing was shown or sent')
  const url = new URL(shown.url)
  // Credentials in the query are masked in the preview.
  const [path] = sent.target.split('?')
  assert.equal(`${sent.method} ${path}`, `${shown.method} ${url.pathname}`)
}

async function refusesUnknown(world: World, action: Action): Promise<void> {
  await assert.rejects(run(world, action, { no_such_parameter: 1 }), (error) =>
    isConnectorError(error, 'params_invalid'),
  )
  const sent = world.vendor.requests(operationOf(action))
  assert.equal(sent.length, 0, 'something was sent')
}

async function failsWithTheVendor(world: World, action: Action): Promise<void> {
  world.vendor.fail('*', { mode: 'status', status: 503, times: 5 })
  await assert.rejects(
    run(world, action),
    (error) => isConnectorError(error) && error.code.startsWith('upstream_'),
  )
}

/** Secrets that a vendor on plain http sees. */
function hasSecrets(method: AuthMethod): boolean {
  return isSeen(method) && method.credentials.secrets.length > 0
}

function isSeen({ apply }: AuthMethod): boolean {
  const parts = carriedBy(apply)
  return parts.length === 0 || parts.some((part) => part.in !== 'connection')
}

async function refusesStrangers({ vendor }: World, manifest: Manifest): Promise<void> {
  const method = manifest.auth.find(hasSecrets)
  const action = manifest.entities
    .flatMap((entity) => entity.actions)
    .find(({ name }) => gives(name, 'list'))
  if (method === undefined || action === undefined) return
  const { credentials, ...options } = vendor.options(method.name)
  const secrets = new Set(method.credentials.secrets.map(([name]) => name))
  const wrong = Object.fromEntries(
    Object.entries(credentials as Record<string, unknown>).map(([name, value]) => [
      name,
      secrets.has(name) && typeof value === 'string' ? `${value}-wrong` : value,
    ]),
  )
  // Where tokens are renewed before the refusal, a clock without waits is over before the answer comes.
  const { clock: _hasty, ...patient } = impatient()
  await using client = await connect(manifest, {
    ...options,
    ...patient,
    credentials: wrong,
    authMethod: method.name,
  })
  await assert.rejects(
    run({ vendor, client }, action),
    (error) => isConnectorError(error) && error.origin === 'connector',
  )
}

async function replay(
  manifest: Manifest,
  action: Action,
  dir: string,
  onWarning: (warning: string) => void = () => {},
): Promise<void> {
  const { readRecorded } = await import('./recorded-operation.ts')
  const { recorder } = await import('./recorder.ts')
  const name = `${manifest.type}/${operationOf(action)}`
  const recorded = readRecorded(dir, name)
  await using tape = await recorder(name, { dir, mode: 'replay' })
  await using client = await connect(manifest, {
    credentials: recorded.credentials,
    config: recorded.config,
    limits: null,
    dispatcher: tape.dispatcher,
    onCredentials: () => {},
  })
  const answer: unknown = await client.execute(
    action.entity,
    action.name as string,
    recorded.params,
  )
  const doubt = doubtfulEndOf(operationOf(action), answer as Page)
  if (doubt !== null) onWarning(doubt)
  const { data } = answer as { readonly data: unknown }
  assert.deepEqual(JSON.parse(JSON.stringify(data)), recorded.data)
}
