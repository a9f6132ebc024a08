import type { LookupAddress } from 'node:dns'

import { describe, expect, test } from 'vitest'

import type { Resolve } from '../../../src/engine/adapters/outgoing-guard.ts'
import { createOutgoingGuard } from '../../../src/engine/adapters/outgoing-guard.ts'
import { isConnectorError } from '../../../src/errors.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'
import { fine } from '../../faults/faults.ts'

import { errorOf, openTransport, requestOf } from './requests.ts'

/** Every way of writing an address that is not a public one. */
const PRIVATE_LITERALS = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127。0。0。1',
  '１２７.0.0.1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.5',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:2::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
]

describe('G2 an address that is not public', () => {
  const guard = createOutgoingGuard()

  test.for(PRIVATE_LITERALS)('G2 https://%s is refused before anything is connected', (literal) => {
    expect(verdict(guard, `https://${literal}/`)).toBe('address')
  })

  test.for(['https://8.8.8.8', 'https://[2606:4700::1111]', 'https://[::ffff:8.8.8.8]'])(
    'G2 %s is let through',
    (url) => {
      expect(verdict(guard, url)).toBe('admitted')
    },
  )

  test.for([
    ['http://api.example.com', 'scheme'],
    ['ftp://api.example.com', 'scheme'],
    ['https://api.example.com:8443', 'port'],
    ['https://8.8.8.8:444', 'port'],
    ['https://user@api.example.com', 'userinfo'],
    ['https://user:secret@api.example.com', 'userinfo'],
    ['https://api.example.com:443', 'admitted'],
    ['https://api.example.com', 'admitted'],
  ])('G2 %s: %s', ([url, want]) => {
    expect(verdict(guard, url ?? '')).toBe(want)
  })
})

describe('G2 names', () => {
  test('G2 a name that answers a public address first and a private one later never reaches the private one', async () => {
    await using canary = await createTcpVendor(fine)
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['10.0.0.1', '::1']]
    let asked = 0
    const resolve = resolver(() => answers[Math.min(asked++, answers.length - 1)] ?? [])
    const guard = createOutgoingGuard({ resolve })

    const lookup = guard(new URL('https://rebinding.example'))
    expect(await addressesOf(lookup, 'rebinding.example')).toEqual(['93.184.216.34'])
    expect(await addressesOf(lookup, 'rebinding.example')).toBe('destination_refused')
    expect(await addressesOf(lookup, 'rebinding.example')).toBe('destination_refused')

    // The whole way, with a resolver that says loopback for everything.
    await using transport = openTransport({
      allowHosts: [],
      resolve: resolver(() => ['127.0.0.1']),
    })
    const error = await errorOf(transport.send(requestOf('https://rebinding.example/')))
    expect(error).toMatchObject({
      code: 'destination_refused',
      details: { host: 'rebinding.example', reason: 'address', phase: 'connect', sent: false },
    })
    expect(canary.connections).toBe(0)
  })

  test('G2 of several addresses only the public ones are handed on, in their order', async () => {
    const resolve = resolver(() => ['10.0.0.1', '93.184.216.34', 'fe80::1%eth0', '2606:4700::1111'])
    const lookup = createOutgoingGuard({ resolve })(new URL('https://mixed.example'))
    expect(await addressesOf(lookup, 'mixed.example')).toEqual(['93.184.216.34', '2606:4700::1111'])
  })

  test('G2 no literal in any notation reaches a listener on this machine', async () => {
    await using canary = await createTcpVendor(fine)
    await using transport = openTransport({ allowHosts: [] })
    for (const literal of PRIVATE_LITERALS) {
      const urls = [`http://${literal}:${canary.port}/`, `https://${literal}:${canary.port}/`]
      for (const url of urls) {
        expect(await errorOf(transport.send(requestOf(url)))).toMatchObject({
          code: 'destination_refused',
        })
      }
    }
    expect(canary.connections).toBe(0)
  })

  test('G2 a name without an address keeps its own failure', async () => {
    const resolve: Resolve = (hostname, _options, callback) => {
      callback(Object.assign(new Error(`no ${hostname}`), { code: 'ENOTFOUND' }), [])
    }
    await using transport = openTransport({ allowHosts: [], resolve })
    expect(await errorOf(transport.send(requestOf('https://nowhere.example/')))).toMatchObject({
      code: 'upstream_unreachable',
      details: { host: 'nowhere.example', reason: 'ENOTFOUND', phase: 'connect', sent: false },
    })
  })
})

describe('G2 URLs that readers understand differently are refused', () => {
  test.for([
    'https://good.example\\@127.0.0.1/',
    'https://good.example\\.evil.example/',
    'https://a b/',
    'https://',
    'https:///path',
    'good.example/path',
    '//good.example/path',
    'file:///etc/passwd',
    'https://good.example:99999/',
  ])('G2 %s', async (url) => {
    await using transport = openTransport({ allowHosts: [] })
    expect(await errorOf(transport.send(requestOf(url)))).toMatchObject({
      code: 'destination_refused',
      details: { sent: false },
    })
  })
})

describe('what allowHosts lets through', () => {
  test.for([
    { allow: ['localhost'], url: 'http://localhost:3000', want: 'admitted' },
    { allow: ['LOCALHOST'], url: 'http://localhost:3000', want: 'admitted' },
    { allow: ['localhost'], url: 'http://localhost.:3000', want: 'scheme' },
    { allow: ['localhost'], url: 'http://other.localhost', want: 'scheme' },
    { allow: ['localhost:3000'], url: 'http://localhost:3000', want: 'admitted' },
    { allow: ['localhost:3000'], url: 'http://localhost:3001', want: 'scheme' },
    { allow: ['localhost:80'], url: 'http://localhost', want: 'admitted' },
    { allow: ['localhost:80'], url: 'https://localhost', want: 'admitted' },
    { allow: ['vendor.example:8443'], url: 'https://vendor.example:8443', want: 'admitted' },
    { allow: ['vendor.example:8443'], url: 'https://vendor.example:8444', want: 'port' },
    { allow: ['127.0.0.1'], url: 'http://127.0.0.1:3000', want: 'admitted' },
    { allow: ['127.0.0.1'], url: 'http://127.1:3000', want: 'admitted' },
    { allow: ['127.0.0.1'], url: 'http://[::ffff:127.0.0.1]:3000', want: 'admitted' },
    { allow: ['127.0.0.1'], url: 'http://127.0.0.2:3000', want: 'scheme' },
    { allow: ['127.0.0.1:3000'], url: 'http://127.0.0.1:3000', want: 'admitted' },
    { allow: ['127.0.0.1:3000'], url: 'http://127.0.0.1:3001', want: 'scheme' },
    { allow: ['::1'], url: 'http://[::1]:3000', want: 'admitted' },
    { allow: ['[::1]:3000'], url: 'http://[::1]:3000', want: 'admitted' },
    { allow: ['10.0.0.0/8'], url: 'http://10.1.2.3', want: 'admitted' },
    { allow: ['10.0.0.0/8'], url: 'https://10.1.2.3:8443', want: 'admitted' },
    { allow: ['10.0.0.0/8'], url: 'https://11.1.2.3', want: 'admitted' },
    { allow: ['10.0.0.0/8'], url: 'https://192.168.0.1', want: 'address' },
    { allow: ['fd00::/8'], url: 'https://[fd12::1]', want: 'admitted' },
    { allow: ['localhost'], url: 'http://user@localhost:3000', want: 'userinfo' },
  ])('$allow for $url: $want', ({ allow, url, want }) => {
    expect(verdict(createOutgoingGuard({ allowHosts: allow }), url)).toBe(want)
  })

  test('a listed name may resolve to anything', async () => {
    const guard = createOutgoingGuard({
      allowHosts: ['intranet'],
      resolve: resolver(() => ['10.0.0.1', '8.8.8.8']),
    })
    const lookup = guard(new URL('http://intranet:8080'))
    expect(await addressesOf(lookup, 'intranet')).toEqual(['10.0.0.1', '8.8.8.8'])
  })

  test('with a range, a name may resolve into it; without https into nothing else', async () => {
    const guard = createOutgoingGuard({
      allowHosts: ['10.0.0.0/8'],
      resolve: resolver(() => ['10.0.0.1', '192.168.0.1', '8.8.8.8']),
    })
    const plain = guard(new URL('http://intranet'))
    expect(await addressesOf(plain, 'intranet')).toEqual(['10.0.0.1'])
    const secure = guard(new URL('https://intranet'))
    expect(await addressesOf(secure, 'intranet')).toEqual(['10.0.0.1', '8.8.8.8'])
  })

  test.for(['', 'http://localhost', 'local host', 'user@host', 'a/b', '10.0.0.0/33', 'host:port'])(
    'the entry %j is a mistake of the caller',
    (entry) => {
      expect(() => createOutgoingGuard({ allowHosts: [entry] })).toThrow(TypeError)
    },
  )
})

type Guard = ReturnType<typeof createOutgoingGuard>

/** `admitted`, or the reason of the refusal. */
function verdict(guard: Guard, url: string): unknown {
  try {
    guard(new URL(url))
    return 'admitted'
  } catch (error) {
    if (!isConnectorError(error, 'destination_refused')) throw error
    return error.details['reason']
  }
}

function resolver(answer: (hostname: string) => readonly string[]): Resolve {
  return (hostname, _options, callback) => {
    const found: LookupAddress[] = answer(hostname).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    queueMicrotask(() => callback(null, found))
  }
}

/** The addresses a look-up hands out, or the code of its error. */
function addressesOf(lookup: ReturnType<Guard>, hostname: string): Promise<unknown> {
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error !== null) resolve(isConnectorError(error) ? error.code : error)
      else resolve((addresses as LookupAddress[]).map(({ address }) => address))
    })
  })
}
