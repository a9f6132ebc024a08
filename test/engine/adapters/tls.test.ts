import { getCACertificates, setDefaultCACertificates } from 'node:tls'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Certificate } from '../../faults/certificates.ts'
import { createCertificate } from '../../faults/certificates.ts'
import { createHttpVendor, sendJson } from '../../faults/http-vendor.ts'
import { watchResources } from '../../faults/resources.ts'

import { errorOf, openTransport, requestOf } from './requests.ts'

const DAY_MS = 86_400_000
const authority = createCertificate({ name: 'Test authority', isAuthority: true })
const hosts = ['localhost', '127.0.0.1']

const trustedBefore = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trustedBefore, authority.cert]))
afterAll(() => setDefaultCACertificates(trustedBefore))

/** One call to a vendor with this certificate. */
async function call(certificate: Certificate): Promise<unknown> {
  await using vendor = await createHttpVendor((_request, response) => sendJson(response, {}), {
    tls: certificate,
  })
  await using transport = openTransport()
  return await transport.send(requestOf(vendor.url, { headers: { authorization: 'Bearer a' } }))
}

test('G8 a certificate of a trusted authority for this host is accepted', async () => {
  await using _ = watchResources()
  const certificate = createCertificate({ name: 'vendor', hosts, issuer: authority.issuer })
  expect(await call(certificate)).toMatchObject({ status: 200 })
})

describe('G8 a certificate that proves nothing is upstream_unreachable, nothing was sent', () => {
  test.for([
    {
      name: 'signed by itself',
      certificate: createCertificate({ name: 'vendor', hosts }),
      reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    },
    {
      name: 'of an unknown authority',
      certificate: createCertificate({
        name: 'vendor',
        hosts,
        issuer: createCertificate({ name: 'Nobody', isAuthority: true }).issuer,
      }),
      reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    },
    {
      name: 'for another host',
      certificate: createCertificate({
        name: 'vendor',
        hosts: ['other.example', '10.0.0.1'],
        issuer: authority.issuer,
      }),
      reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    },
    {
      name: 'that has expired',
      certificate: createCertificate({
        name: 'vendor',
        hosts,
        issuer: authority.issuer,
        notBefore: new Date(Date.now() - 30 * DAY_MS),
        notAfter: new Date(Date.now() - DAY_MS),
      }),
      reason: 'CERT_HAS_EXPIRED',
    },
    {
      name: 'that is not valid yet',
      certificate: createCertificate({
        name: 'vendor',
        hosts,
        issuer: authority.issuer,
        notBefore: new Date(Date.now() + DAY_MS),
        notAfter: new Date(Date.now() + 30 * DAY_MS),
      }),
      reason: 'CERT_NOT_YET_VALID',
    },
  ])('G8 $name', async ({ certificate, reason }) => {
    await using _ = watchResources()
    const want = {
      code: 'upstream_unreachable',
      retryable: true,
      details: { phase: 'connect', sent: false, reason },
    }
    expect(await errorOf(call(certificate))).toMatchObject(want)
    // Not even the environment switches the check off.
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      expect(await errorOf(call(certificate))).toMatchObject(want)
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    }
  })

  test('G8 a vendor without TLS on the https port', async () => {
    await using vendor = await createHttpVendor((_request, response) => sendJson(response, {}))
    await using transport = openTransport()
    expect(
      await errorOf(transport.send(requestOf(vendor.url.replace('http:', 'https:')))),
    ).toMatchObject({
      code: 'upstream_unreachable',
      details: { phase: 'connect', sent: false },
    })
    expect(vendor.requests).toEqual([])
  })
})
