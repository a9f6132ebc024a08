// A master key in the transit engine of OpenBao or Vault: data keys are wrapped and unwrapped there, and it stays there.
import type { Transport, UpstreamResponse } from '../../../engine/exchange/transport.ts'
import { ConnectorError, isConnectorError } from '../../../errors.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import { tryParseJson } from '../../../language/json/parse-json.ts'
import type { JsonObject } from '../../../language/json/json.ts'
import { type KeyProvider, keysInvalid } from '../key-provider.ts'

export interface TransitKeyOptions {
  /** Of the entry in the settings: the key's version 3 is the master key `<id>:v3`. */
  readonly id: string
  /** Where the key is read, for example `https://bao.example.com:8200/v1/transit/keys/tenon`. */
  readonly address: string
  /** Asked before every request, so that a token may be replaced while the service runs. */
  readonly token: () => Promise<string>
  readonly transport: Transport
}

/** Shorter than a request waits for the answer of a key provider. */
const TIMEOUT_MS = 4_000

/** The addresses that a key can have: those of the engine at any mount, in any namespace. */
export const TRANSIT_ADDRESS: RegExp = /^https?:\/\/[^/?#@]+\/v1\/[^?#]+\/keys\/[^/?#]+$/

/**
 * Reads the key and its versions. Every version that decrypts is a master key of its own; the newest one wraps, also when
 * the key is rotated later, and `tenon keys rotate` wraps again what is under older ones.
 *
 * Throws `config_invalid` for a key that is not there, that the token may not read or that cannot encrypt, and
 * `store_unavailable` while the engine cannot be asked or is sealed.
 * Source: OpenBao, "Transit secrets engine (API)"; Vault's is the same in what is used here.
 */
export async function openTransitKey(options: TransitKeyOptions): Promise<KeyProvider> {
  const key = new TransitKey(options)
  await key.read()
  return key
}

class TransitKey implements KeyProvider {
  readonly #options: TransitKeyOptions
  #versions: readonly number[] = []

  constructor(options: TransitKeyOptions) {
    this.#options = options
  }

  get currentKeyId(): string {
    return this.#idOf(Math.max(...this.#versions))
  }

  get keyIds(): readonly string[] {
    return this.#versions.toReversed().map((version) => this.#idOf(version))
  }

  async read(): Promise<void> {
    const state = await this.#ask('keys', null)
    if (state['supports_encryption'] === false || state['supports_decryption'] === false)
      throw this.#refusal('it must be of a type that encrypts and decrypts')
    if (state['derived'] === true) throw this.#refusal('it must not be derived')
    const first = Number(state['min_decryption_version'] ?? 1)
    const { keys } = state
    const versions = isJsonObject(keys) ? Object.keys(keys).map(Number) : []
    this.#versions = versions.filter((version) => version >= first).toSorted((a, b) => a - b)
    if (this.#versions.length === 0) throw this.#refusal('the answer names no version of it')
  }

  async wrap(dataKey: Uint8Array): ReturnType<KeyProvider['wrap']> {
    const plaintext = Buffer.from(dataKey).toString('base64')
    const { ciphertext } = await this.#ask('encrypt', { plaintext })
    // `vault:v3:…` with both programs: the version is what unwraps it again.
    const text = typeof ciphertext === 'string' ? ciphertext : ''
    const version = Number(/^[^:]+:v(\d+):/.exec(text)?.[1])
    if (!Number.isSafeInteger(version)) throw this.#away('it answered with no ciphertext')
    if (!this.#versions.includes(version)) this.#versions = [...this.#versions, version]
    return { keyId: this.#idOf(version), wrapped: Buffer.from(text) }
  }

  async unwrap(keyId: string, wrapped: Uint8Array): Promise<Uint8Array> {
    const ciphertext = Buffer.from(wrapped).toString()
    const { plaintext } = await this.#ask('decrypt', { ciphertext }, keyId)
    if (typeof plaintext !== 'string') throw this.#away('it answered with no plaintext')
    return Buffer.from(plaintext, 'base64')
  }

  #idOf(version: number): string {
    return `${this.#options.id}:v${version}`
  }

  async #ask(
    operation: 'keys' | 'encrypt' | 'decrypt',
    body: Readonly<Record<string, string>> | null,
    keyId?: string,
  ): Promise<JsonObject> {
    const { address, token, transport } = this.#options
    let answer: UpstreamResponse
    try {
      answer = await transport.send({
        method: body === null ? 'GET' : 'POST',
        url: address.replace(/\/keys\/([^/]+)$/, `/${operation}/$1`),
        headers: {
          'x-vault-token': await token(),
          'x-vault-request': 'true',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body: body === null ? null : JSON.stringify(body),
        redirects: 0,
        timeoutMs: TIMEOUT_MS,
        secretHeaders: ['x-vault-token'],
        secretQuery: [],
      })
    } catch (cause) {
      if (isConnectorError(cause, 'config_invalid')) throw cause
      throw this.#away(cause instanceof Error ? cause.message : String(cause), cause)
    }
    if (answer.status === 200) return dataIn(answer)
    const said = errorsIn(answer)
    if (answer.status === 400 && keyId !== undefined)
      throw keysInvalid(
        `the data key was not wrapped under the master key "${keyId}", or the transit engine does not decrypt this version any more: ${said}`,
      )
    const why =
      answer.status === 403
        ? `the token may not use it (${said}); it needs read on keys/, and update on encrypt/ and decrypt/ of this key`
        : answer.status === 404
          ? `there is no such key (${said}); make it first`
          : null
    // Later on the settings were good once: a token that has ended is replaced in its file.
    if (why !== null && operation === 'keys') throw this.#refusal(why)
    throw this.#away(why ?? `it answered ${answer.status}: ${said}`)
  }

  #refusal(why: string): ConnectorError {
    const { id, address } = this.#options
    return keysInvalid(`TENON_MASTER_KEYS: the transit key "${id}" at ${address}: ${why}`)
  }

  #away(why: string, cause?: unknown): ConnectorError {
    const { id, address } = this.#options
    return new ConnectorError(
      'store_unavailable',
      `the transit key "${id}" at ${address} cannot be asked: ${why}`,
      { details: { reason: 'away' }, ...(cause === undefined ? {} : { cause }) },
    )
  }
}

function dataIn({ body }: UpstreamResponse): JsonObject {
  const data = jsonIn(body)['data']
  return isJsonObject(data) ? data : {}
}

/** What the engine says of a failure, shortened; it repeats nothing that it was given. */
function errorsIn({ status, body }: UpstreamResponse): string {
  const { errors } = jsonIn(body)
  const text = Array.isArray(errors) ? errors.map(String).join('; ').trim() : ''
  return text === '' ? `status ${status}` : text.slice(0, 300)
}

/** An answer that is no object, such as the page of a proxy, has no members. */
function jsonIn(body: Buffer): JsonObject {
  const value = tryParseJson(body.toString('utf8'))
  return isJsonObject(value) ? value : {}
}
