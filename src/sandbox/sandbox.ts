// A sandbox: one manifest run backwards, as a vendor on a port of this machine. What it does: docs/sandbox.md.
import { loadAtOnce } from '../late-modules.ts'
import type { JsonObject } from '../language/json/json.ts'
import { matchAccess } from '../language/manifest/access/all-access.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import type { VendorParts } from './answer/vendor-call.ts'
import { exampleParams } from './answer/example-params.ts'
import { Listings } from './answer/listings.ts'
import type { Consent } from './auth/consent-page.ts'
import {
  demoClient,
  demoConfig,
  demoCredentials,
  tokenBeginnings,
} from './auth/demo-credentials.ts'
import { grantedScopes, type ScopeRules, scopesIn } from './auth/scopes.ts'
import { type KeptSubscription, SubscriptionBook } from './auth/subscriptions.ts'
import { TokenBook } from './auth/token-book.ts'
import { createChance } from './data/chance.ts'
import type { Demo } from './data/demo-types.ts'
import { emptyDemo } from './data/read-demo.ts'
import { DEFAULT_SEED, openWorld, startOf } from './open-world.ts'
import { type Fault, FaultPlan } from './faults.ts'
import { FileLinks } from './files/file-links.ts'
import { KeptFiles } from './files/kept-files.ts'
import { UploadSessions } from './files/upload-sessions.ts'
import { listen, type RecordedRequest } from './http-server.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { type SandboxWebhook, sendWebhook, type WebhookAnswer } from './wire/send-webhook.ts'
import { Vendor } from './vendor.ts'

export interface SandboxOptions {
  /** What all demo data follows from. The same seed gives the same data; default 1. */
  readonly seed?: number | string
  /** When the sandbox begins, in milliseconds since 1970 or as ISO text; default: what the demo data says. */
  readonly now?: number | string
  /** Default: any free port. */
  readonly port?: number
  /** Whether the manifest's rate limits are enforced; default false. */
  readonly rateLimits?: boolean
  /**
   * What becomes of consents: `ask` shows browsers a page with Allow and Deny and agrees with everybody else, `allow` and
   * `deny` answer everybody at once. An address with `sandbox_consent=allow` or `=deny` decides for itself. Default: ask.
   */
  readonly consent?: Consent
  /**
   * OAuth scopes that no token gets: what needs one of them is refused, as the vendor does. Default: tokens get all that
   * is asked for.
   */
  readonly withhold?: readonly string[]
  /**
   * How many records a set of the demo data, or an entity without demo data, has in all: `{ issues: 100_000 }`. At most
   * a million each; records of a parent are spread evenly. Default: what the demo data says.
   */
  readonly sizes?: Readonly<Record<string, number>>
  /** Size of every file, at most 1 GiB; default: what the demo data says. */
  readonly fileBytes?: number
}

/** Credentials and settings as plain data: those of a connector whose types are not known. */
export interface DemoSettings {
  readonly credentials: JsonObject
  readonly config: JsonObject
}

/** What a client needs to use the sandbox instead of the vendor. */
export interface SandboxConnection<S extends TypedSettings = UnnamedSettings> {
  readonly credentials: S['credentials']
  readonly config: S['config']
  readonly serverUrl: string
  readonly allowHosts: readonly string[]
}

/** Of any connector: a caller who names none passes them on as they are. */
export interface UnnamedSettings {
  // oxlint-disable-next-line typescript/no-explicit-any -- both ways assignable: the types of every connector fit
  readonly credentials: any
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly config: any
}

export interface TypedSettings {
  readonly credentials: object
  readonly config: object
}

/** A running vendor. Dispose of it, or call `close`. */
export interface Sandbox<S extends TypedSettings = UnnamedSettings> extends AsyncDisposable {
  readonly type: string
  /** `http://127.0.0.1:1234`. Hosts of the manifest are replaced by it, paths stay. */
  readonly url: string
  /** The OAuth client that the vendor knows. */
  readonly client: { readonly id: string; readonly secret: string }
  /** Demo credentials and settings, of the first authentication method or the named one. */
  options(method?: string): SandboxConnection<S>
  /** The last 10,000 requests that arrived, in order; with an operation, only what may belong to it. */
  requests(operation?: string): readonly RecordedRequest[]
  /** What the vendor keeps of an entity now. */
  records(entity: string): readonly JsonObject[]
  /** Parameters with which an operation succeeds on this sandbox, as it is now. */
  example(operation: string): JsonObject
  /** Lets requests of an operation fail; see docs/sandbox.md for operations that are no action. */
  fail(operation: string, fault: Fault): void
  /** Moves the sandbox's clock. */
  advance(ms: number): void
  /**
   * Sends a webhook as the vendor does: signed, or with its secret, as the manifest says. Without `url` to the one that has
   * subscribed; throws TypeError where that is not exactly one.
   */
  webhook(webhook: SandboxWebhook): Promise<WebhookAnswer>
  /** Who has subscribed to webhooks, and has not ended it. */
  subscriptions(): readonly KeptSubscription[]
  /** Ends all access tokens and sessions, as if their time were over. Refresh tokens go on. */
  expireTokens(): void
  close(): Promise<void>
}

const MAX_FILE_BYTES = 1024 ** 3
/** How far the clock moves with each request that may write: written times differ, and repeat from run to run. */
const TICK_MS = 1000
/** A sandbox may run for days; what arrived longest ago is forgotten. */
const MAX_RECORDED = 10_000

/**
 * Starts a vendor for a manifest on 127.0.0.1. Without demo data its records are made up from the manifest's schemas.
 * Throws TypeError for sizes and scopes of what there is not, and what listening on a port throws.
 */
export async function createSandbox(
  manifest: Manifest,
  demo: Demo | null = null,
  options: SandboxOptions = {},
): Promise<Sandbox<DemoSettings>> {
  loadAtOnce()
  const running = new RunningSandbox(manifest, demo ?? emptyDemo(manifest), options)
  return await running.listen(options.port ?? 0)
}

class RunningSandbox {
  readonly #parts: VendorParts
  readonly #vendor: Vendor
  readonly #faults = new FaultPlan()
  readonly #recorded: { request: RecordedRequest }[] = []
  #nowMs: number
  #origin = ''

  constructor(manifest: Manifest, demo: Demo, options: SandboxOptions) {
    const { sizes = {}, withhold = [], consent = 'ask', rateLimits = false } = options
    const seed = String(options.seed ?? DEFAULT_SEED)
    const now = (): number => this.#nowMs
    const origin = (): string => this.#origin
    const chance = createChance(seed)
    this.#nowMs = readStart(options.now) ?? startOf(demo)
    const { world, known } = openWorld(manifest, demo, { chance, seed, clock: now, sizes })
    const kept = new KeptFiles()
    const keptAt: KeptFiles['at'] = (place, contentType) => kept.at(place, contentType)
    const links = new FileLinks({ seed, now, origin, keptAt })
    const fileBytes =
      options.fileBytes === undefined ? null : Math.min(options.fileBytes, MAX_FILE_BYTES)
    world.makeLink = (file) => links.link({ ...file, size: fileBytes ?? file.size })
    const credentials = new Map(
      manifest.auth.map((method) => [method.name, demoCredentials(method, manifest, demo)]),
    )
    const limiter = createRateLimiter(manifest.limits.rates, () => performance.now())
    this.#parts = {
      manifest,
      demo,
      world,
      known,
      origin,
      fileBytes,
      links,
      consent,
      jobs: new Map(),
      kept,
      uploads: new UploadSessions({ world: () => world, origin }),
      listings: new Listings(),
      tokens: new TokenBook(chance, now, tokenBeginnings(manifest, credentials)),
      subscriptions: new SubscriptionBook(now),
      scopes: readScopeRules(manifest, withhold),
      credentials,
      client: demoClient(demo, manifest),
      limiter: rateLimits ? limiter : () => null,
    }
    this.#grantKnown()
    this.#vendor = new Vendor(this.#parts)
  }

  async listen(port: number): Promise<Sandbox<DemoSettings>> {
    const server = await listen({
      vendor: (request) => {
        if (!/^(GET|HEAD)$/.test(request.method)) this.#nowMs += TICK_MS
        return this.#vendor.intentOf(request)
      },
      faults: this.#faults,
      record: (request) => this.#record(request),
      port,
    })
    this.#origin = server.origin
    const { manifest, world, client, tokens, subscriptions } = this.#parts
    return {
      type: manifest.type,
      url: server.origin,
      client,
      options: (name) => this.#connection(name),
      requests: (operation) =>
        this.#recorded
          .map(({ request }) => request)
          .filter(({ operations }) => operation === undefined || operations.includes(operation)),
      records(entity) {
        if (!world.has(entity))
          throw new TypeError(`${manifest.type} keeps no records of "${entity}"`)
        return world.rows(entity).map((row) => world.show(row))
      },
      example: (operation) => exampleParams(operation, this.#parts),
      fail: (operation, fault) => this.#faults.add(operation, fault),
      advance: (ms) => {
        this.#nowMs += ms
        world.version++
      },
      webhook: async (webhook) => {
        const { credentials, config } = this.#connection(undefined)
        const subscribed = subscriptions.list()
        const one = subscribed.find(({ url }) => url === (webhook.url ?? url))
        const url = webhook.url ?? (subscribed.length === 1 ? one?.url : undefined)
        if (url === undefined)
          throw new TypeError(`give url: ${subscribed.length} have subscribed to webhooks`)
        const known = { maps: manifest.maps, config, client, credentials }
        return await sendWebhook(
          manifest,
          { ...webhook, url },
          {
            ...known,
            ...(webhook.credentials !== undefined && { credentials: webhook.credentials }),
            ...(one !== undefined && { subscription: one.values }),
          },
        )
      },
      subscriptions: () => subscriptions.list(),
      expireTokens: () => tokens.expireAccess(),
      close: () => server.close(),
      [Symbol.asyncDispose]: () => server.close(),
    }
  }

  /** The tokens of the demo credentials work from the start. */
  #grantKnown(): void {
    const { manifest, credentials, tokens, scopes } = this.#parts
    const grant = (name: string): void => {
      const { access_token: access, refresh_token: refresh } = credentials.get(name) ?? {}
      tokens.grant(name, grantedScopes(null, scopes), {
        ...(typeof access === 'string' ? { access } : {}),
        ...(typeof refresh === 'string' ? { refresh } : {}),
      })
    }
    for (const method of manifest.auth)
      matchAccess(method, {
        session: () => {},
        oauth2: () => grant(method.name),
        oauth1() {
          const { access_token: token, token_secret: secret } = credentials.get(method.name) ?? {}
          if (typeof token === 'string' && typeof secret === 'string')
            tokens.grantSigned(method.name, grantedScopes(null, scopes), { token, secret })
        },
      })
  }

  /** Keeps a request; what it gives takes the status of its answer. */
  #record(request: RecordedRequest): (status: number) => void {
    const entry = { request }
    this.#recorded.push(entry)
    if (this.#recorded.length > MAX_RECORDED) this.#recorded.shift()
    return (status) => {
      entry.request = { ...request, status }
    }
  }

  #connection(name: string | undefined): SandboxConnection<DemoSettings> {
    const { manifest, demo, credentials } = this.#parts
    const { auth, type } = manifest
    const method = auth.find((candidate) => name === undefined || candidate.name === name)
    if (method === undefined) {
      const names = auth.map((candidate) => candidate.name).join(', ')
      throw new TypeError(`${type} has no authentication method "${name}"; it has ${names}`)
    }
    return {
      credentials: credentials.get(method.name) ?? {},
      config: demoConfig(manifest, demo),
      serverUrl: this.#origin,
      allowHosts: ['127.0.0.1'],
    }
  }
}

function readScopeRules(manifest: Manifest, withhold: readonly string[]): ScopeRules {
  const known = scopesIn(manifest)
  const unknown = withhold.find((scope) => !known.includes(scope))
  if (unknown !== undefined) {
    const names = known.length === 0 ? 'none' : known.join(', ')
    throw new TypeError(`${manifest.type} has no scope "${unknown}"; it has ${names}`)
  }
  return { known, withheld: new Set(withhold) }
}

function readStart(now: SandboxOptions['now']): number | null {
  if (now === undefined) return null
  const ms = typeof now === 'number' ? now : Date.parse(now)
  if (Number.isNaN(ms)) throw new TypeError(`"${now}" is no time`)
  return ms
}
