// Credentials of an instance as the store keeps them: one sealed text per generation.
import { isJsonObject } from '../../language/json/members.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import type { CredentialInput, CredentialRow, CredentialStore } from '../store/credentials.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../vault/vault.ts'

/** What is sealed. Its holder must not show it. */
export interface PlainCredentials {
  readonly credentials: JsonObject
  /** What a login gave; empty before it. */
  readonly session: JsonObject
  /** Milliseconds since 1970; null: unknown, only a 401 tells. */
  readonly expiresAt: number | null
  /** When a refresh or login gave them, in milliseconds since 1970; left out: they were given by hand. */
  readonly receivedAt?: number | null
  /** How long before `expiresAt` they are renewed, jitter included: all processes go by the same. */
  readonly marginMs?: number
}

export interface OpenCredentials extends Required<PlainCredentials> {
  readonly generation: number
  readonly refreshFingerprint: string | null
}

const COLUMN = 'credential'

/** Seals credentials for one instance and generation: nowhere else do they open. */
export async function sealCredentials(
  vault: Vault,
  place: { readonly id: string; readonly generation: number },
  plain: PlainCredentials,
): Promise<CredentialInput> {
  const { credentials, session, expiresAt, receivedAt = null, marginMs = 0 } = plain
  const text = JSON.stringify({ credentials, session, receivedAt, marginMs })
  return {
    sealed: await vault.seal(place.id, COLUMN, place.generation, text),
    expiresAt,
    accessFingerprint: await fingerprint(vault, place.id, own(credentials, 'access_token')),
    refreshFingerprint: await fingerprint(vault, place.id, own(credentials, 'refresh_token')),
  }
}

export async function openCredentials(
  vault: Vault,
  store: Store,
  id: string,
): Promise<OpenCredentials | null> {
  const row = await store.credentials.read(id)
  return row === null ? null : await openRow(vault, id, row)
}

/** What a row holds. Throws `internal_error` when it was tampered with. */
export async function openRow(
  vault: Vault,
  id: string,
  row: CredentialRow,
): Promise<OpenCredentials> {
  const text = await vault.openText(id, COLUMN, row.generation, row.sealed)
  // Written by sealCredentials, and authenticated.
  const value = parseJson(text) as JsonObject
  const receivedAt = own(value, 'receivedAt')
  const marginMs = own(value, 'marginMs')
  return {
    credentials: objectIn(own(value, 'credentials')),
    session: objectIn(own(value, 'session')),
    expiresAt: row.expiresAt,
    receivedAt: typeof receivedAt === 'number' ? receivedAt : null,
    marginMs: typeof marginMs === 'number' ? marginMs : 0,
    generation: row.generation,
    refreshFingerprint: row.refreshFingerprint,
  }
}

/** Seals the credentials of an instance under its newest data key, if `isOld` says so of what there is. */
export async function resealCredential(
  vault: Vault,
  credentials: CredentialStore,
  id: string,
  isOld: (sealed: Uint8Array) => boolean,
): Promise<'resealed' | 'fine' | 'changed'> {
  const row = await credentials.read(id)
  if (row === null || !isOld(row.sealed)) return 'fine'
  const { generation } = row
  const plain = await vault.open(id, COLUMN, generation, row.sealed)
  const sealed = await vault.seal(id, COLUMN, generation, plain)
  return (await credentials.reseal(id, generation, sealed)) ? 'resealed' : 'changed'
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Tells two tokens apart without keeping either. */
async function fingerprint(vault: Vault, id: string, token: unknown): Promise<string | null> {
  return typeof token === 'string' ? (await vault.fingerprints(id, token))[0] : null
}
