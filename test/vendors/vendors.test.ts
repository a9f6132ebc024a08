// Every connector with a file of facts, against a vendor made of that file and not of the manifest.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Download } from '../../src/client/download.ts'
import { isConnectorError } from '../../src/errors.ts'
import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { nativeJson } from '../../src/language/json/native-json.ts'
import { gives } from '../../src/language/manifest/actions.ts'
import type { Action } from '../../src/language/manifest/manifest.ts'
import { checkAgainst } from '../../src/tools/authoring/against/check-against.ts'
import { notesIn } from '../../src/tools/authoring/against/facts.ts'
import { judge } from '../../src/tools/authoring/against/finding.ts'
import { readOpenApi } from '../../src/tools/authoring/openapi/document.ts'
import { readShippedManifest } from '../contracts/run-operation.ts'
import { type Vendor, VENDORS } from './all-vendors.ts'
import { EXTENTS, type Extent, sampleParams } from './sample-params.ts'
import { VendorDocument } from './vendor-document.ts'
import { type RunningVendor, runVendor, type Script } from './vendor.ts'

const FACTS = 'test/vendors/facts'

test('every file of facts has its vendor', () => {
  const files = readdirSync(FACTS).map((file) => file.replace(/\.json$/, ''))
  expect(files.toSorted()).toEqual(VENDORS.map(({ type }) => type).toSorted())
})

describe.for(VENDORS)('$type', (vendor) => {
  const { type } = vendor
  const manifest = readShippedManifest(type)
  const file = `${FACTS}/${type}.json`
  const document = new VendorDocument(file, vendor)
  const { differs } = notesIn(JSON.parse(readFileSync(file, 'utf8')) as Json)
  // The document does not have all of them.
  const actions = manifest.entities
    .flatMap((entity) => entity.actions)
    .filter((action) => differs[`unknown ${nameOf(action)}`] === undefined)

  test('says what its document says, but for what is accepted with a reason', () => {
    const text = readFileSync(file, 'utf8')
    const { findings } = checkAgainst(manifest, readOpenApi(text, file))
    const { open } = judge(findings, differs)
    expect(open.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('facts name their origin, and hold no sentence', () => {
    const { 'x-differs': _, ...facts } = JSON.parse(readFileSync(file, 'utf8')) as JsonObject
    expect(facts['x-origin']).toEqual({
      document: expect.stringMatching(/^https:/) as string,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    })
    const texts = JSON.stringify(facts).match(/"(?:[^"\\]|\\.)*"/g) ?? []
    expect(texts.filter((each) => each.split(' ').length > 7)).toEqual([])
  })

  test.for(
    actions.flatMap((action) =>
      EXTENTS.map((extent) => ({ action, extent, name: nameOf(action) })),
    ),
  )(
    '$name with $extent is a request that the document allows, and its answer is read without loss',
    async ({ action, extent }) => {
      const { client, asked, problems, answered } = await runVendor(vendor, { manifest, document })
      const params = await acceptedParams(vendor, action, extent)
      const answer: unknown = await client.execute(action.entity, action.name, params)
      if (answer instanceof Download) answer.cancel()
      expect(unaccepted(problems, action)).toEqual([])
      expect(asked.length).toBeGreaterThan(0)
      const last = answered.at(-1)
      if (answer instanceof Download || last === undefined || gives(action.name, 'nothing')) return
      const { data } = JSON.parse(JSON.stringify(answer)) as { readonly data: Json }
      expect(lossesOf(recordsIn(last, action), data)).toEqual([])
    },
  )

  const listings = actions.filter(
    ({ name, pagination }) => gives(name, 'list') && pagination.type !== 'none',
  )
  test.for(listings.map((action) => ({ action, name: nameOf(action) })))(
    '$name reads two pages',
    async ({ action }) => {
      const { client, problems, answered } = await runVendor(vendor, { manifest, document })
      const params = await acceptedParams(vendor, action, 'required')
      const records: unknown[] = []
      const listing = client.execute(action.entity, action.name as 'list', params)
      for await (const record of listing) records.push(record)
      expect(unaccepted(problems, action)).toEqual([])
      const sent = answered.flatMap((answer) => recordsIn(answer, action))
      // Steps before the listing have answers of their own.
      const pages = answered.filter((answer) => Array.isArray(recordsAt(answer, action)))
      const hasMore = differs[`unknown ${nameOf(action)} pagination.next`] === undefined
      expect(pages.length).toBe(hasMore ? 2 : 1)
      expect(records.length).toBe(sent.length)
    },
  )

  const [first] = listings
  if (first === undefined) return
  const once = (script: Script): Promise<RunningVendor> =>
    runVendor(vendor, { manifest, document }, script)

  test('waits when it has asked too often, and goes on', async () => {
    const { client, asked } = await once({ tooMany: 1 })
    await client.execute(first.entity, first.name, await acceptedParams(vendor, first, 'required'))
    expect(asked.length).toBe(2)
  })

  test.skipIf(vendor.token === null)('renews a token that has expired, and goes on', async () => {
    const running = await once({ expired: true })
    const { client, asked } = running
    await client.execute(first.entity, first.name, await acceptedParams(vendor, first, 'required'))
    expect({ asked: asked.length, tokens: running.tokens }).toEqual({ asked: 2, tokens: 1 })
  })

  test('tells an error in the words of the vendor', async () => {
    const { client } = await once({ fails: true })
    const params = await acceptedParams(vendor, first, 'required')
    const error: unknown = await client.execute(first.entity, first.name, params).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(isConnectorError(error, 'upstream_rejected')).toBe(true)
    expect((error as Error).message).toContain(vendor.error.says)
  })

  /** Without what a person knows to be otherwise than in the document. */
  function unaccepted(problems: readonly string[], action: Action): readonly string[] {
    return problems.filter((problem) => {
      const [kind = '', ...place] = problem.split(' ')
      const name = nameOf(action)
      const isKnown =
        differs[`${kind} ${name} ${place.join(' ')}`] ?? differs[`stale ${name} ${kind}`]
      return isKnown === undefined
    })
  }

  function nameOf({ entity, name }: Action): string {
    return `${entity}.${name}`
  }

  /** Parameters that the manifest takes: those that exclude each other are left out, those that are needed come in. */
  async function acceptedParams(of: Vendor, action: Action, extent: Extent): Promise<JsonObject> {
    const samples = of.samples ?? {}
    const all = {
      ...sampleParams(action, manifest, { extent, samples }),
      ...of.paramsOf?.[nameOf(action)],
    }
    const rest = sampleParams(action, manifest, { extent: 'everything', samples })
    const { client } = await runVendor(of, { manifest, document })
    let params: JsonObject = all
    for (let round = 0; round < 8; round++) {
      const error: unknown = await client.preview(action.entity, action.name, params).then(
        () => null,
        (reason: unknown) => reason,
      )
      if (!isConnectorError(error, 'params_invalid')) return params
      const names = error.errors.map(({ pointer }) => pointer.slice('/params/'.length).split('/'))
      params = amended(params, rest, names)
    }
    return params
  }
})

/** Takes out the last of the named parameters that is there, else puts in the first that is not. */
function amended(
  params: JsonObject,
  rest: JsonObject,
  names: readonly (readonly string[])[],
): JsonObject {
  const present = names.filter((path) => at(params, path) !== undefined)
  const path = present.at(-1) ?? names[0] ?? []
  const [top = '', ...below] = path
  const copy = structuredClone(params) as Record<string, Json>
  if (present.length > 0) {
    const owner = at(copy, path.slice(0, -1)) as Record<string, Json>
    Reflect.deleteProperty(owner, path.at(-1) ?? '')
    return copy
  }
  const value = rest[top]
  return below.length === 0 && value !== undefined ? { ...copy, [top]: value } : copy
}

function at(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (found, name) =>
      typeof found === 'object' && found !== null ? (found as JsonObject)[name] : undefined,
    value,
  )
}

/** What lies where the manifest has the records of an answer. */
function recordsAt(answer: Json, { response }: Action): Json | undefined {
  const names = response.at.steps.map((step) => (step.kind === 'member' ? step.name : '0'))
  return at(answer, names) ?? (Array.isArray(answer) ? answer : undefined)
}

/** The records of an answer. */
function recordsIn(answer: Json, action: Action): readonly Json[] {
  const found = recordsAt(answer, action)
  const { page, keyed } = action.response
  if (page !== null) return [answer]
  if (keyed !== undefined)
    return Object.keys(found as JsonObject).map((name) => ({ [keyed]: name }))
  return Array.isArray(found) ? (found as readonly Json[]) : found === undefined ? [] : [found]
}

/** What the vendor sent and the caller does not have. Numbers may come as text. */
function lossesOf(sent: readonly Json[], data: Json): readonly string[] {
  const got = Array.isArray(data) ? (data as readonly Json[]) : [data]
  return sent.flatMap((record, index) => losses(record, got[index], `[${index}]`))
}

function losses(sent: Json, got: Json | undefined, place: string): readonly string[] {
  if (Array.isArray(sent))
    return sent.flatMap((one, at) =>
      losses(one as Json, (got as Json[] | undefined)?.[at], `${place}[${at}]`),
    )
  if (typeof sent === 'object' && sent !== null && !nativeJson.isRawJSON(sent))
    return Object.entries(sent).flatMap(([name, one]) =>
      losses(one, (got as JsonObject | undefined)?.[name], `${place}.${name}`),
    )
  // A record that is no object is a member of what is made of it.
  const isMade = typeof got === 'object' && got !== null && /^\[\d+\]$/.test(place)
  if (isMade && Object.values(got).includes(sent)) return []
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text(sent) === text(got) ? [] : [`${place}: ${text(sent)} became ${text(got)}`]
}
