// One suite for every manifest of the project: what a sandbox must do, whatever the connector.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileReader } from '../../src/engine/response/read-page.ts'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import { loadDemo } from '../../src/sandbox/open-sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createVendorClient, findAction } from './vendor-client.ts'
import type { VendorClient } from './vendor-client.ts'

const folder = fileURLToPath(new URL('../../manifests/', import.meta.url))
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
const loaded: { file: string; path: string; manifest: Manifest }[] = []
for (const file of files) {
  const path = `${folder}${file}`
  loaded.push({ file, path, manifest: requireManifest(await loadManifestFile(path)) })
}

function operationsOf(manifest: Manifest): string[] {
  return manifest.entities.flatMap((entity) =>
    entity.actions.map((action) => `${entity.name}.${action.name}`),
  )
}

describe.for(loaded)('$file', ({ path, manifest }) => {
  let vendor: Sandbox
  let client: VendorClient
  beforeAll(async () => {
    vendor = await createSandbox(manifest, await loadDemo(path, manifest), { seed: 3 })
    client = createVendorClient(manifest, vendor)
  })
  afterAll(() => vendor.close())

  test.for(operationsOf(manifest))('%s answers its example', async (operation) => {
    const replies = await client.call(operation, vendor.example(operation))
    expect(replies.filter(({ status }) => status >= 300)).toEqual([])
    expect(replies.length).toBeGreaterThan(0)
    const recorded = vendor.requests(operation)
    expect(recorded.length).toBeGreaterThanOrEqual(replies.length)
  })

  const listings = operationsOf(manifest).filter(
    (operation) => findAction(manifest, operation).response.kind === 'list',
  )
  test.for(listings)('%s is read to its end, each record once', async (operation) => {
    const action = findAction(manifest, operation)
    const read = compileReader(action)
    const { size } = action.pagination.type === 'none' ? { size: null } : action.pagination
    const small = size?.length === 1 ? { [size[0] ?? '']: 7 } : {}
    const seen: string[] = []
    let params: JsonObject | null = { ...vendor.example(operation), ...small }
    for (let pages = 0; params !== null; pages++) {
      expect(pages).toBeLessThan(60)
      const replies = await client.call(operation, params)
      const reply = replies.at(-1)
      expect(reply?.status).toBe(200)
      const answer = {
        status: 200,
        headers: {},
        body: reply?.body,
        url: reply?.url ?? '',
        ...reply,
      }
      // The steps that ran are the last ones: conditions only leave out the first.
      const ran = action.steps.slice(-replies.length).map(({ name }) => name)
      const steps = Object.fromEntries(
        ran.map((name, index) => [name, { body: replies[index]?.body ?? null }]),
      )
      const page = read(answer, { params, maps: manifest.maps, steps })
      seen.push(...(page.records ?? []).map((record) => JSON.stringify(record)))
      params = page.next === null ? null : { ...params, ...page.next }
    }
    expect(seen.length).toBeGreaterThan(0)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('requests without credentials are refused, and with wrong ones', async () => {
    // Some vendors answer every failure with 400; the demo data says so.
    const refusal = (await loadDemo(path, manifest))?.errors['unauthorized']?.status ?? 401
    for (const operation of operationsOf(manifest)) {
      if (findAction(manifest, operation).steps.some(({ request }) => request.auth === 'none'))
        continue
      const params = vendor.example(operation)
      const [nobody] = await client.callWith(null, operation, params)
      const wrong = { headers: { authorization: 'Bearer wrong' }, query: [] }
      const [stranger] = await client.callWith(wrong, operation, params)
      expect([operation, nobody?.status, stranger?.status]).toEqual([operation, refusal, refusal])
    }
  })

  test('an address that no action knows is 404, another method 405', async () => {
    expect((await client.send('GET', '/no/such/place')).status).toBe(404)
    const recorded = vendor.requests().find(({ operations }) => operations[0] !== 'unknown')
    const path = recorded?.target.split('?')[0] ?? ''
    expect((await client.send('PATCH', path)).status).toBe(405)
  })

  test('what no template can send is refused', async () => {
    const refusal = (await loadDemo(path, manifest))?.errors['invalid']?.status ?? 400
    for (const operation of operationsOf(manifest)) {
      const [reply] = await client.call(operation, vendor.example(operation))
      const recorded = vendor.requests(operation).at(-1)
      if (reply === undefined || recorded === undefined || reply.status >= 300) continue
      const mark = recorded.target.includes('?') ? '&' : '?'
      // Forms are sent by the suites of requests.
      if (recorded.body !== '' && !recorded.body.startsWith('{')) continue
      const body = recorded.body === '' ? undefined : JSON.parse(recorded.body)
      const extra = await client.send(recorded.method, `${recorded.target}${mark}no_such=1`, body)
      expect([operation, extra.status]).toEqual([operation, refusal])
      expect(extra.body).not.toEqual(reply.body)
    }
  })

  test('the same seed gives the same data, another seed other data', async () => {
    const demo = await loadDemo(path, manifest)
    const entity = manifest.entities.find(({ record }) => record !== null)?.name ?? ''
    const records: string[] = []
    for (const seed of [5, 5, 6]) {
      await using other = await createSandbox(manifest, demo, { seed })
      records.push(JSON.stringify(other.records(entity)).replaceAll(other.url, ''))
    }
    expect(records[0]).toBe(records[1])
    expect(records[0]).not.toBe(records[2])
  })
})
