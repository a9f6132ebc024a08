// X.509 certificates made on the spot. Node can read them but not make them, so the few bytes are written here.
// Source: RFC 5280, section 4.1 (structure), X.690 (DER).
import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export interface Certificate {
  /** Certificate and private key in PEM form. */
  readonly cert: string
  readonly key: string
  /** For certificates that this one signs. */
  readonly issuer: Issuer
}

export interface Issuer {
  readonly name: string
  readonly privateKey: KeyObject
}

export interface CertificateOptions {
  /** Common name. */
  readonly name: string
  /** DNS names and IPv4 addresses it is valid for. */
  readonly hosts?: readonly string[]
  readonly notBefore?: Date
  readonly notAfter?: Date
  /** Absent: it signs itself. */
  readonly issuer?: Issuer
  /** May sign others. */
  readonly isAuthority?: boolean
}

const DAY_MS = 86_400_000

/** A certificate for a new P-256 key, valid from yesterday until tomorrow unless told otherwise. */
export function createCertificate(options: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = options.issuer ?? { name: options.name, privateKey }
  const now = Date.now()

  const body = sequence(
    explicit(0, integer(2)),
    integer(Math.floor(now / 1000)),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    sequence(
      time(options.notBefore ?? new Date(now - DAY_MS)),
      time(options.notAfter ?? new Date(now + DAY_MS)),
    ),
    commonName(options.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(options))),
  )
  const signature = sign('sha256', body, issuer.privateKey)
  const certificate = sequence(body, ECDSA_WITH_SHA256, bitString(signature))

  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: { name: options.name, privateKey },
  }
}

function extensions(options: CertificateOptions): Buffer[] {
  const list: Buffer[] = []
  if (options.isAuthority === true) {
    list.push(sequence(oid(2, 5, 29, 19), boolean(true), octets(sequence(boolean(true)))))
  }
  if (options.hosts !== undefined) {
    list.push(sequence(oid(2, 5, 29, 17), octets(sequence(...options.hosts.map(generalName)))))
  }
  return list
}

function generalName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host)
  return isAddress
    ? der(0x87, Buffer.from(host.split('.').map(Number)))
    : der(0x82, Buffer.from(host))
}

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value])
}

function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.from([length])
  if (length < 256) return Buffer.from([0x81, length])
  return Buffer.from([0x82, length >> 8, length & 0xff])
}

const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content)
const explicit = (tag: number, content: Uint8Array): Buffer => der(0xa0 + tag, content)
const octets = (content: Uint8Array): Buffer => der(0x04, content)
const bitString = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content)
const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]))

function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  // A leading one bit would make the number negative.
  const isHigh = (bytes[0] ?? 0) >= 0x80
  return der(0x02, isHigh ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

const ECDSA_WITH_SHA256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2))

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(name)))))
}

/** GeneralizedTime, whole seconds, UTC. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(0, 14)
  return der(0x18, Buffer.from(`${digits}Z`))
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
