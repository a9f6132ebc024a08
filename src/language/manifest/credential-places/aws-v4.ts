// `aws_v4`: the signature of Amazon's services in Authorization. Source: AWS General Reference, "Signature Version 4 signing
// process".
import { percentEncode } from '../../expression/encode.ts'
import { printScalar } from '../../expression/text-value.ts'
import { hashText, readSigningKey, signBytes } from '../../signing/algorithms.ts'
import { missingFor } from '../../signing/missing.ts'
import { absentIn, partsOfUrl, type SignedMessage, sortPairs } from '../../signing/request-facts.ts'
import type { Apply, CarriedSignature, CredentialPlace, PlacedValue } from './place.ts'

type AwsV4 = NonNullable<Apply['aws_v4']>

export const awsV4: CredentialPlace<'aws_v4'> = {
  carried: (block) => (block === undefined ? [] : [carriedSignature(block)]),
}

const DATE = 'x-amz-date'
const TOKEN = 'x-amz-security-token'
const BODY_HASH = 'x-amz-content-sha256'

/** What proxies and the HTTP client may change, add or take away behind the signature. */
const UNSIGNED = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'baggage',
  'connection',
  'content-length',
  'expect',
  'te',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'user-agent',
  'x-amzn-trace-id',
])

function carriedSignature(block: AwsV4): CarriedSignature {
  const { accessKeyId, secretAccessKey, sessionToken, region, service } = block
  const needed = [accessKeyId, secretAccessKey, region, service]
  const value = (template: PlacedValue['template']): PlacedValue => ({ template, put: headerText })
  return {
    in: 'signature',
    names: ['authorization', DATE, TOKEN, ...(block.variant === 's3' ? [BODY_HASH] : [])],
    queryNames: [],
    values: [...needed, ...(sessionToken === null ? [] : [sessionToken])].map(value),
    placed: [],
    sign([id, secret, at, called, token], { now, scope, ...message }) {
      if (id === undefined || secret === undefined || at === undefined || called === undefined)
        throw missingFor('the signature', absentIn(needed, scope))
      const time = new Date(now).toISOString().replaceAll(/[:-]|\.\d+/g, '')
      const given = { id, secret, region: at, service: called, token, variant: block.variant }
      return signedAt(time, given, message)
    },
    accepts([id, secret, at, called, token], { scope: _scope, told: _told, ...arrived }) {
      const time = arrived.headers[DATE]
      const names = /SignedHeaders=([^,]+)/.exec(arrived.headers['authorization'] ?? '')?.[1]
      if (time === undefined || names === undefined) return false
      if (id === undefined || secret === undefined || at === undefined || called === undefined)
        return false
      const given = { id, secret, region: at, service: called, token, variant: block.variant }
      const kept = new Set(names.split(';'))
      const headers = Object.fromEntries(
        Object.entries(arrived.headers).filter(([name]) => kept.has(name)),
      )
      const again = signedAt(time, given, { ...arrived, headers })
      return again.headers['authorization'] === arrived.headers['authorization']
    },
  }
}

/** A value of a header or of the key. */
function headerText(value: Parameters<typeof printScalar>[0]): string {
  return printScalar(value).trim()
}

interface Given {
  readonly id: string
  readonly secret: string
  readonly region: string
  readonly service: string
  readonly token: string | undefined
  readonly variant: AwsV4['variant']
}

/** The request with its signature at a time as `20150830T123600Z`. */
function signedAt(time: string, given: Given, message: SignedMessage): SignedMessage {
  const bodyHash = bodyHashOf(given, message)
  const headers: Record<string, string> = {
    ...message.headers,
    [DATE]: time,
    ...(given.token !== undefined && { [TOKEN]: given.token }),
    ...(given.variant === 's3' && { [BODY_HASH]: bodyHash }),
  }
  const { host, path, query } = partsOfUrl(message.url)
  const signed = Object.entries({ host, ...headers })
    .filter(([name]) => !UNSIGNED.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    message.method,
    given.variant === 's3' ? path : canonicalPath(path),
    canonicalQuery(query),
    ...signed.map(([name, text]) => `${name}:${text.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${given.region}/${given.service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hashText('sha256', Buffer.from(canonical))]
  const signature = hmac(keyOf(time, given), toSign.join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${given.id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { ...message, headers: { ...headers, authorization } }
}

/** What S3 takes in place of the hash of a body. Source: Amazon S3 API Reference, "Signature Calculations". */
const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'

/** A body that streams has no hash before it is sent, which only S3 does without. */
function bodyHashOf({ variant }: Given, { body, headers }: SignedMessage): string {
  const isUnsigned = variant === 's3' && (body === null || headers[BODY_HASH] === UNSIGNED_PAYLOAD)
  if (isUnsigned) return UNSIGNED_PAYLOAD
  if (body === null) throw missingFor('the signature', ['request.body_hash'])
  return hashText('sha256', body)
}

/** The path without `.`, `..` and doubled slashes, each segment encoded once more than it travels. */
function canonicalPath(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(percentEncode(segment))
  }
  return `/${kept.join('/')}${path.endsWith('/') && kept.length > 0 ? '/' : ''}`
}

function canonicalQuery(query: string): string {
  const pairs = query.split('&').flatMap((pair) => {
    if (pair === '') return []
    const [name = '', ...values] = pair.split('=')
    return [`${recoded(name)}=${recoded(values.join('='))}`]
  })
  return sortPairs(pairs).join('&')
}

/** A part of a query, with everything encoded that is not unreserved (RFC 3986 section 2.3). */
function recoded(part: string): string {
  try {
    return percentEncode(decodeURIComponent(part))
  } catch {
    return percentEncode(part)
  }
}

function keyOf(time: string, { secret, region, service }: Given): Buffer {
  const steps = [time.slice(0, 8), region, service, 'aws4_request']
  return steps.reduce(hmac, Buffer.from(`AWS4${secret}`))
}

function hmac(key: Buffer, text: string): Buffer {
  const read = readSigningKey('hmac_sha256', key.toString('hex'), 'hex')
  return signBytes('hmac_sha256', read, Buffer.from(text))
}
