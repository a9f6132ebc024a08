import { expect, test } from 'vitest'

import { createHttpVendor, sendJson } from '../../faults/http-vendor.ts'
import { watchResources } from '../../faults/resources.ts'

import { openTransport, requestOf } from './requests.ts'

test('G7 two sets of credentials interleaved 2,000 times over shared connections never mix', async () => {
  await using _ = watchResources()
  await using vendor = await createHttpVendor(({ headers, url, body }, response) => {
    sendJson(
      response,
      { authorization: headers.authorization, cookie: headers.cookie ?? null, url, body },
      { headers: { 'set-cookie': `session=${headers.authorization}; Path=/` } },
    )
  })
  await using transport = openTransport()
  let mixed = 0
  const call = async (index: number): Promise<void> => {
    const tenant = index % 2 === 0 ? 'ada' : 'bob'
    const url = `/${tenant}/${index}?key=${tenant}`
    const response = await transport.send(
      requestOf(vendor.url + url, {
        method: index % 3 === 0 ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${tenant}-${index}` },
        body: index % 3 === 0 ? `${tenant} ${index}` : null,
      }),
    )
    const want = {
      authorization: `Bearer ${tenant}-${index}`,
      cookie: null,
      url,
      body: index % 3 === 0 ? `${tenant} ${index}` : '',
    }
    const isSame = response.body.toString() === JSON.stringify(want)
    if (!isSame || 'set-cookie' in response.headers) mixed++
  }
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < 2_000) await call(next++)
  }
  await Promise.all(Array.from({ length: 50 }, caller))
  expect({ mixed, received: vendor.requests.length }).toEqual({ mixed: 0, received: 2_000 })
  expect(vendor.connections).toBeLessThanOrEqual(32)
})

test('G7 a proxy named in the environment is not used', async () => {
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']
  await using vendor = await createHttpVendor((_request, response) => sendJson(response, {}))
  await using proxy = await createHttpVendor((_request, response) => sendJson(response, {}))
  const before = names.map((name) => [name, process.env[name]] as const)
  for (const name of names) process.env[name] = proxy.url
  try {
    await using transport = openTransport()
    await transport.send(requestOf(vendor.url))
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  expect([vendor.requests.length, proxy.connections]).toEqual([1, 0])
})
