// The master keys as the settings list them: some in the memory of this process, some in a transit engine.
import type { Transport } from '../../../engine/exchange/transport.ts'
import { type KeyProvider, keysInvalid } from '../key-provider.ts'
import { readMasterKeys } from './local-keys.ts'
import { openTransitKey, TRANSIT_ADDRESS } from './transit-key.ts'

export interface MasterKeyOptions {
  /** For the requests to the origin of an address; asked once for every entry with an address. */
  readonly transportTo: (origin: URL) => Transport
  /** Throws `config_invalid` where the settings give none. */
  readonly token: () => Promise<string>
}

/**
 * Opens the entries of `TENON_MASTER_KEYS`: the first one wraps, all unwrap. An entry is `id:base64`, or
 * `id:https://…/v1/transit/keys/name` for a key of a transit engine, each version of which is a master key `id:v3`.
 *
 * Throws `config_invalid` as `readMasterKeys` and `openTransitKey` do, and what the latter throws.
 */
export async function openMasterKeys(
  entries: readonly string[],
  options: MasterKeyOptions,
): Promise<KeyProvider> {
  const local = entries.filter((entry) => addressIn(entry) === null)
  const own = local.length === 0 ? null : readMasterKeys(local.join(','))
  if (own !== null && local.length === entries.length) return own
  const parts: Part[] = []
  for (const entry of entries) {
    const found = addressIn(entry)
    if (found === null) {
      if (own !== null && !parts.some(({ provider }) => provider === own))
        parts.push({ provider: own, owns: (keyId) => own.keyIds.includes(keyId) })
      continue
    }
    const { id, address } = found
    const prefix = `${id}:v`
    if (own?.keyIds.includes(id) === true || parts.some(({ owns }) => owns(`${prefix}1`)))
      throw keysInvalid(`TENON_MASTER_KEYS: the id "${id}" occurs twice`)
    const transport = options.transportTo(new URL(address))
    const provider = await openTransitKey({ id, address, transport, token: options.token })
    parts.push({ provider, owns: (keyId) => keyId.startsWith(prefix) })
  }
  return new SeveralProviders(parts)
}

/** A provider, and which master keys are its own, those included that came after it was opened. */
interface Part {
  readonly provider: KeyProvider
  readonly owns: (keyId: string) => boolean
}

class SeveralProviders implements KeyProvider {
  readonly #parts: readonly Part[]
  readonly #first: KeyProvider

  constructor(parts: readonly Part[]) {
    const [first] = parts
    if (first === undefined) throw keysInvalid('TENON_MASTER_KEYS holds no key')
    this.#parts = parts
    this.#first = first.provider
  }

  get currentKeyId(): string {
    return this.#first.currentKeyId
  }

  get keyIds(): readonly string[] {
    return this.#parts.flatMap(({ provider }) => provider.keyIds)
  }

  async wrap(dataKey: Uint8Array): ReturnType<KeyProvider['wrap']> {
    return await this.#first.wrap(dataKey)
  }

  async unwrap(keyId: string, wrapped: Uint8Array): Promise<Uint8Array> {
    const part = this.#parts.find(({ owns }) => owns(keyId))
    if (part === undefined) throw keysInvalid(`there is no master key "${keyId}"`)
    return await part.provider.unwrap(keyId, wrapped)
  }
}

const ENTRY = /^([A-Za-z0-9_.-]{1,64}):(https?:\/\/.*)$/

/** Null: the entry is not one with an address. Throws `config_invalid` for an address that no transit key has. */
function addressIn(entry: string): { readonly id: string; readonly address: string } | null {
  const [, id = '', address = ''] = ENTRY.exec(entry.trim()) ?? []
  if (address === '') return null
  const url = URL.parse(address)
  if (!TRANSIT_ADDRESS.test(address) || url === null)
    throw keysInvalid(
      `TENON_MASTER_KEYS: the address of "${id}" must look like https://bao.example.com:8200/v1/transit/keys/tenon`,
    )
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  if (url.protocol === 'http:' && !isLoopback)
    throw keysInvalid(
      `TENON_MASTER_KEYS: the address of "${id}" must be https, or http on a loopback host: data keys go over this connection`,
    )
  return { id, address }
}
