// OAuth clients that the service has registered for itself: one for each organisation and authorization server, kept sealed.
import { isConnectorError } from '../../errors.ts'
import { codeConsentOf } from '../../language/manifest/access/consent.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import {
  compileRegistration,
  type RegisteredClient,
  type Registration,
} from '../../engine/credentials/registration.ts'
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import { auditOf, SERVICE } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { organizationKeyOwner } from '../store/owner.ts'
import { hashSecret } from '../tokens/token-text.ts'

type Ports = Pick<ServiceBase, 'store' | 'vault' | 'clock' | 'transport' | 'serverUrlOf'>

/** Who asks for the client, and where its users come back to. */
export interface ClientRequest {
  readonly organizationId: string
  readonly redirectUri: string
  readonly config: JsonObject
}

/** A client that does not end is registered again after so long. */
const LIFE_MS = 3650 * 86_400_000
/** One that ends is not begun with shortly before. */
const MARGIN_MS = 3_600_000
/** Rows whose data key is gone stay behind until they expire. */
const MAX_ROWS = 100

export class RegisteredClients {
  readonly #ports: Ports
  /** What is known, or being registered. */
  readonly #clients = new Map<string, Promise<RegisteredClient>>()

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /**
   * The client of an organisation, registered by the first of any number of callers; null: the method registers none.
   * Of processes that register at the same moment all use the client that was stored first. Throws what the registration
   * throws; the next caller tries again.
   */
  async clientOf(
    manifest: Manifest,
    method: AuthMethod,
    request: ClientRequest,
  ): Promise<OAuthClient | null> {
    const rules = codeConsentOf(method)
    if (rules === null) return null
    const { transport, serverUrlOf, clock } = this.#ports
    const ports = { transport, serverUrl: serverUrlOf(manifest.type) }
    const registration = compileRegistration(manifest, method, rules, ports)
    if (registration === null) return null
    const { organizationId, redirectUri, config } = request
    const place = [organizationId, manifest.type, registration.url(config), redirectUri]
    const key = JSON.stringify(place)
    for (let pending; (pending = this.#clients.get(key)) !== undefined;) {
      const known = await pending
      if (isGood(known, clock.now())) return known
      if (this.#clients.get(key) === pending) this.#clients.delete(key)
    }
    const flight = this.#find(manifest.type, request, registration, key)
    // Callers that come meanwhile wait for this one.
    this.#clients.set(key, flight)
    return await flight.catch((error: unknown) => {
      this.#clients.delete(key)
      throw error
    })
  }

  async #find(
    type: string,
    request: ClientRequest,
    registration: Registration,
    key: string,
  ): Promise<RegisteredClient> {
    const { clock } = this.#ports
    const kept = await this.#read(type, request, key)
    if (kept.client !== null && isGood(kept.client, clock.now())) return kept.client
    const client = await registration.register(request.config, request.redirectUri)
    try {
      await this.#keep(type, request, { hash: hashOf(key, kept.next), client })
      return client
    } catch (error) {
      const { client: first } = await this.#read(type, request, key)
      if (first === null) throw error
      return first
    }
  }

  /** The newest that can be opened, and the number of the next one. */
  async #read(
    type: string,
    { organizationId }: ClientRequest,
    key: string,
  ): Promise<{ readonly client: RegisteredClient | null; readonly next: number }> {
    const { store, vault } = this.#ports
    let client: RegisteredClient | null = null
    let next = 0
    for (; next < MAX_ROWS; next++) {
      const hash = hashOf(key, next)
      const row = await store.oauthSecrets.read({ organizationId, externalUserId: '' }, type, hash)
      if (row === null) break
      const owner = organizationKeyOwner(organizationId)
      client = await vault.openText(owner, columnOf(hash), 1, row.sealed).then(
        (text) => JSON.parse(text) as RegisteredClient,
        (error: unknown) => {
          // A key that cannot be had now is no reason to register another client.
          if (isConnectorError(error, 'store_unavailable')) throw error
          // Its data key was renewed and is gone.
          return null
        },
      )
    }
    return { client, next }
  }

  async #keep(
    type: string,
    { organizationId }: ClientRequest,
    { hash, client }: { readonly hash: string; readonly client: RegisteredClient },
  ): Promise<void> {
    const { store, vault, clock } = this.#ports
    const owner = organizationKeyOwner(organizationId)
    await store.oauthSecrets.insert(
      {
        secretHash: hash,
        organizationId,
        externalUserId: '',
        connectorType: type,
        sealed: await vault.seal(owner, columnOf(hash), 1, JSON.stringify(client)),
        grantedScopes: null,
        config: null,
        expiresAt: client.expiresAt ?? clock.now() + LIFE_MS,
      },
      auditOf({ organizationId, clientId: SERVICE }, null, 'oauth.register', { target: type }),
    )
  }
}

function isGood({ expiresAt }: RegisteredClient, now: number): boolean {
  return expiresAt === null || expiresAt - MARGIN_MS > now
}

/** No text of a secret has this hash: those are random. */
function hashOf(key: string, number: number): string {
  return hashSecret(`registered client ${number} of ${key}`)
}

function columnOf(hash: string): string {
  return `oauth_client:${hash}`
}
