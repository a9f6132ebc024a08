// What nobody may read: credentials after they were deleted, and the members that a manifest calls write-only.
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServiceLog } from '../../src/hosting/service-log.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { createCanaries } from '../faults/canary.ts'
import { filesBelow } from '../fixtures/files-below.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'
import { type AcmeVendor, startAcmeVendor } from '../chaos/acme-vendor.ts'
import { PREFIXES } from '../fixtures/credential-prefixes.ts'

const MANIFEST = join(import.meta.dirname, '../chaos/acme.yaml')
const COLLECTION = '/v1/integrations/connectors'

let world: RunningService
let vendor: AcmeVendor
let log = ''

beforeAll(async () => {
  vendor = await startAcmeVendor()
  const logger = createServiceLog('debug', { write: (line) => void (log += line) })
  world = await runService({ manifests: [MANIFEST], logger, logsContent: true })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

/** The sealed values and wrapped keys of the store, whatever they belong to. */
function sealedIn(folder: string, where: string): readonly Uint8Array[] {
  const database = new DatabaseSync(join(folder, 'state.sqlite'), { readOnly: true })
  try {
    return database
      .prepare(where)
      .all()
      .flatMap((row) => Object.values(row).filter((value) => value instanceof Uint8Array))
      .filter((bytes) => bytes.length > 16)
  } finally {
    database.close()
  }
}

function filesWith(folder: string, bytes: Uint8Array): readonly string[] {
  return filesBelow(folder)
    .filter((file) => file.bytes.includes(Buffer.from(bytes)))
    .map((file) => basename(file.path))
}

/** Sends a browser through a consent; gives the secret id, and the address that the vendor sent the browser back to. */
async function consent(type: string): Promise<{ readonly secret: string; readonly code: string }> {
  const initiated = await world.call('POST', `${COLLECTION}/oauth/initiate`, {
    external_user_id: 'user-1',
    connector_type: type,
    redirect_url: 'http://localhost:3000/connected',
  })
  const visit = (url: string, cookie = ''): Promise<Response> =>
    fetch(url, { redirect: 'manual', headers: { cookie } })
  const begun = await visit((initiated.body as { readonly consent_url: string }).consent_url)
  const agreed = await visit(begun.headers.get('location') ?? '')
  const callback = agreed.headers.get('location') ?? ''
  const back = await visit(callback, begun.headers.get('set-cookie')?.split(';')[0])
  return {
    secret: new URL(back.headers.get('location') ?? '').searchParams.get('secret_id') ?? '',
    code: new URL(callback).searchParams.get('code') ?? '',
  }
}

/** All that the logs say: lists, files, and each entry with what was said. */
async function loggedTexts(query = ''): Promise<string> {
  const page = await world.call('GET', `/v1/logs?limit=200${query}`)
  const { data } = page.body as { readonly data: readonly { readonly id: string }[] }
  const files = ['ndjson', 'csv'].map((form) => `/v1/logs/export?form=${form}${query}`)
  const texts = [page.text]
  for (const path of [...files, ...data.map(({ id }) => `/v1/logs/${id}`)])
    texts.push((await world.call('GET', path)).text)
  return texts.join('\n')
}

describe('K7 deleting an instance', () => {
  test('leaves no byte of its sealed credentials and of its data key in any file', async () => {
    const id = await world.connect('jira')
    const patched = await world.call('PATCH', `${COLLECTION}/${id}?check=false`, {
      credentials: world.vendor('jira').options().credentials as object,
    })
    expect(patched.status).toBe(200)
    const sealed = [
      ...sealedIn(world.folder, `select sealed from credential where instance_id = '${id}'`),
      ...sealedIn(world.folder, `select wrapped from data_key where owner_id = '${id}'`),
    ]
    expect(sealed).toHaveLength(2)
    expect(sealed.map((bytes) => filesWith(world.folder, bytes).length > 0)).toEqual([true, true])
    expect((await world.call('DELETE', `${COLLECTION}/${id}`)).status).toBe(204)
    expect(sealed.flatMap((bytes) => filesWith(world.folder, bytes))).toEqual([])
  })

  test('leaves nothing of the consent that it came from', async () => {
    const { secret } = await consent('gong')
    const sealed = sealedIn(world.folder, 'select sealed from oauth_secret where used_at is null')
    expect(sealed).toHaveLength(1)
    const made = await world.call('POST', COLLECTION, {
      external_user_id: 'user-1',
      connector_type: 'gong',
      name: 'by consent',
      server_side_oauth_secret_id: secret,
    })
    const { id } = made.body as { readonly id: string }
    expect((await world.call('DELETE', `${COLLECTION}/${id}`)).status).toBe(204)
    expect(sealed.flatMap((bytes) => filesWith(world.folder, bytes))).toEqual([])
  })
})

test('K1 codes, verifiers and tokens of consents and refreshes are in no file, log line or answer', async () => {
  const canaries = createCanaries()
  for (const type of ['gong', 'jira', 'facebook-marketing']) {
    const { secret, code } = await consent(type)
    canaries.watch(`secret_id of ${type}`, secret)
    canaries.watch(`code of ${type}`, code)
    const made = await world.call('POST', COLLECTION, {
      external_user_id: 'user-1',
      connector_type: type,
      name: 'by consent',
      server_side_oauth_secret_id: secret,
      ...(type === 'facebook-marketing' ? { replication_config: { account_ids: '1' } } : {}),
    })
    expect([type, made.status]).toEqual([type, 201])
    const { id } = made.body as { readonly id: string }
    world.vendor(type).expireTokens()
    await world.call('POST', `${COLLECTION}/${id}/check`, {})
    // Everything secret that the vendor was sent.
    for (const { headers, body, target } of world.vendor(type).requests()) {
      const bearer = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1]
      const sent = [new URLSearchParams(body), new URL(target, 'http://vendor').searchParams]
      for (const name of ['refresh_token', 'code_verifier', 'access_token', 'client_secret'])
        for (const value of sent.flatMap((each) => each.getAll(name)))
          canaries.watch(`${name} of ${type} ${canaries.count}`, value)
      if (bearer !== undefined) canaries.watch(`access token of ${type} ${canaries.count}`, bearer)
    }
    const shown = await Promise.all(
      [`/${id}`, '', `/${id}/describe`].map((path) => world.call('GET', COLLECTION + path)),
    )
    for (const { text } of [made, ...shown]) expect(canaries.findIn('answer', text)).toEqual([])
  }
  const logged = await loggedTexts()
  expect([logged.includes('"refresh"'), logged.includes('"consent"')]).toEqual([true, true])
  expect(canaries.findIn('logs', logged)).toEqual([])
  expect(canaries.count).toBeGreaterThan(15)
  expect(canaries.findInFolder(world.folder)).toEqual([])
  expect(log).toContain('initiateOAuth')
  expect(canaries.findIn('log', log)).toEqual([])
})

test('K8 no write-only field of any manifest comes back on any route', async () => {
  const tried: string[] = []
  const previews = new Map<number, number>()
  for (const manifest of world.service.catalogue.manifests) {
    for (const method of manifest.auth) {
      const canaries = createCanaries()
      const demo = world.vendor(manifest.type).options(method.name)
      const properties = method.credentials.schema['properties'] as Readonly<
        Record<string, { readonly writeOnly?: boolean; readonly pattern?: string }>
      >
      const secret = Object.fromEntries(
        Object.entries(properties).map(([name, { writeOnly, pattern = '' }]) => [
          name,
          writeOnly === true
            ? (PREFIXES[pattern] ?? '') + canaries.issue(name)
            : ((demo.credentials as JsonObject)[name] ?? 'not secret'),
        ]),
      )
      const config = demo.config as object
      const answers: CallAnswer[] = []
      const call: RunningService['call'] = async (...given) => {
        const answer = await world.call(...given)
        answers.push(answer)
        return answer
      }
      const body = {
        external_user_id: 'user-8',
        connector_type: manifest.type,
        name: 'write-only',
        auth_method: method.name,
        credentials: secret,
        config,
        ...(manifest.type === 'acme' ? { server_url: vendor.url } : {}),
      }
      const made = await call('POST', `${COLLECTION}?check=false`, body)
      expect([manifest.type, method.name, made.status, made.text]).toEqual([
        manifest.type,
        method.name,
        201,
        made.text,
      ])
      const { id } = made.body as { readonly id: string }
      const one = `${COLLECTION}/${id}`
      for (const key of Object.keys(made.body as object)) expect(key).not.toMatch(/credential/)
      for (const { name: entity, actions } of manifest.entities) {
        for (const { name: action } of actions) {
          const params = world.vendor(manifest.type).example(`${entity}.${action}`)
          const shown = await call('POST', `${one}/preview`, { entity, action, params })
          previews.set(shown.status, (previews.get(shown.status) ?? 0) + 1)
        }
      }
      // Refused by the vendor, in the words of the vendor.
      await call('POST', COLLECTION, body)
      await call('GET', one)
      await call('GET', COLLECTION)
      await call('GET', `${one}/describe`)
      await call('GET', `/v1/connectors/${manifest.type}`)
      await call('GET', `/v1/limits?connector_id=${id}`)
      await call('PATCH', `${one}?check=false`, { credentials: secret })
      await call('PATCH', one, { credentials: secret, name: 'changed' })
      await call('PATCH', one, { name: 'changed' })
      const [entity] = manifest.entities
      const action = entity?.actions[0]?.name ?? ''
      await call('POST', `/api/v1/connectors/sources/${id}/execute`, {
        entity: entity?.name,
        action,
        params: world.vendor(manifest.type).example(`${entity?.name}.${action}`),
      })
      // What a caller should never give, kept all the same: their own credentials among the parameters.
      await call('POST', `/api/v1/connectors/sources/${id}/execute`, {
        entity: entity?.name,
        action,
        params: { given_by_mistake: secret },
      })
      await call('POST', `${one}/check`, {})
      await call('GET', one)
      const logged = await loggedTexts(`&connector_id=${id}`)
      expect(canaries.findIn(`logs of ${manifest.type} ${method.name}`, logged)).toEqual([])
      expect(logged).toContain('given_by_mistake')
      await call('DELETE', one)
      const text = answers.map((answer) => JSON.stringify([...answer.headers]) + answer.text)
      expect(canaries.findIn(`${manifest.type} ${method.name}`, text.join('\n'))).toEqual([])
      tried.push(...Object.keys(secret).map((name) => `${manifest.type}.${method.name}.${name}`))
    }
  }
  // Where a setting is still to be learned, a preview says so.
  expect(new Set(previews.keys())).toEqual(new Set([200, 400]))
  expect(previews.get(200)).toBeGreaterThan(80)
  expect(tried.length).toBeGreaterThan(15)
})
