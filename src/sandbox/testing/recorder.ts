// Recordings of a third party: made once, scrubbed, replayed in tests.
import type { Dispatcher } from 'undici'
import { JWT_SHAPE } from '../../language/manifest/token-shape.ts'
import { type Answer, type Asked, createAddressNotes } from './given-addresses.ts'
import type { UndiciAdapter } from './undici-adapter.ts'

export interface RecorderOptions {
  /** Folder of the recordings. */
  readonly dir: string
  /** Default: `record` when TENON_RECORD=1, else `replay`. */
  readonly mode?: 'record' | 'replay'
  /** Where values and secrets come from while recording; default: the environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A tape. Dispose of it: a recording is written then, unless a secret is still in it. */
export interface Recorder extends AsyncDisposable {
  /** For the option `dispatcher` of a client. */
  readonly dispatcher: Dispatcher
  /** A value that may stand in the recording; replaying, the name in lower case. */
  value(name: string): string
  /** A value that must not: it is replaced before anything is written. */
  secret(name: string): string
  /** Replaces this value, too, before anything is written: for secrets that do not come from the environment. */
  hide(value: string): void
  stop(): Promise<void>
}

const MASK = 'scrubbed'
/** Headers that carry credentials or identify a session. */
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$/i
/** Headers whose values are secrets, or may be; that they were there is kept. */
const MASKED_HEADERS =
  /(?:^|[_-])(?:signature(?:-\d+)?|token|secret|session(?:[_-]?id)?|auth(?:orization|entication)?|pass(?:word|wd|phrase)|credentials?|assertion|jwt|[a-z]*key)$/i
/** Members of JSON bodies that hold tokens. */
const SECRET_MEMBERS =
  /("(?:access_token|refresh_token|id_token|client_secret|password|api_key|token)"\s*:\s*")[^"]*(")/g

/**
 * Opens a tape. A request that the recording lacks is a failure, never a live call. What is stored holds no credential
 * headers, no cookies, no tokens in bodies, no value handed out by `secret`, and nothing of the addresses at which a third
 * party takes a file or gives one that would let somebody else do so.
 */
export async function recorder(
  name: string,
  {
    dir,
    mode = process.env['TENON_RECORD'] === '1' ? 'record' : 'replay',
    env = process.env,
  }: RecorderOptions,
): Promise<Recorder> {
  const secrets = new Set<string>()
  const scrub = (text: string): string => {
    const masked = [...secrets].flatMap(formsOf).toSorted((a, b) => b.length - a.length)
    const shown = text.replaceAll(JWT_SHAPE, MASK)
    return masked.reduce((left, form) => left.replaceAll(form, MASK), shown)
  }
  // Polly is an optional peer: only who records or replays needs it.
  const { Polly } = await import('@pollyjs/core')
  const { default: PersisterModule } = await import('@pollyjs/persister-fs')
  const { UndiciAdapter } = await import('./undici-adapter.ts')
  Polly.register(UndiciAdapter as never)
  Polly.register(
    ((PersisterModule as { readonly default?: unknown }).default ?? PersisterModule) as never,
  )
  const polly = new Polly(name, {
    mode,
    adapters: ['undici'],
    persister: 'fs',
    persisterOptions: { fs: { recordingsDir: dir } },
    recordIfMissing: false,
    // A refusal is an answer like any other.
    recordFailedRequests: true,
    // On Node Polly believes the browser is offline, and would log whole requests.
    logLevel: 'silent',
    flushRequestsOnStop: true,
    matchRequestsBy: comparedBy(scrub),
  } as never)
  const addresses = createAddressNotes((secret) => void secrets.add(secret))
  polly.server.any().on('response', (request: Asked, response: Answer) => {
    if (mode === 'record') addresses.answered(request, response)
  })
  polly.server.any().on('beforePersist', (_request: unknown, recording: Recorded) => {
    scrubRecording(recording, scrub)
    const left = [...secrets].find(
      (secret) => secret.length >= 6 && JSON.stringify(recording).includes(secret),
    )
    if (left !== undefined)
      throw new Error(`the recording "${name}" still holds a secret; nothing was saved`)
  })
  const adapters = (polly as unknown as { readonly adapters: ReadonlyMap<string, UndiciAdapter> })
    .adapters
  const adapter = adapters.get('undici')
  if (adapter === undefined) throw new TypeError('Polly did not connect the adapter')

  // Before Polly compares it with others by what is left of its address.
  if (mode === 'record') adapter.beforeRequest = addresses.sent

  const read = (variable: string): string => {
    if (mode === 'replay') return variable.toLowerCase()
    const found = env[variable]
    if (found === undefined || found === '')
      throw new Error(`recording needs the environment variable ${variable}`)
    return found
  }
  return {
    dispatcher: adapter.dispatcher,
    value: read,
    secret(variable) {
      const found = read(variable)
      secrets.add(found)
      return found
    },
    hide: (value) => void secrets.add(value),
    stop: () => polly.stop(),
    [Symbol.asyncDispose]: () => polly.stop(),
  }
}

/** The port of a test vendor changes from run to run; credentials are never part of what is compared. */
function comparedBy(scrub: (text: string) => string): object {
  return {
    headers: false,
    url: {
      protocol: false,
      hostname: false,
      port: false,
      pathname: scrub,
      query: (query: object) => JSON.parse(scrub(JSON.stringify(query))) as object,
    },
    body: (body: unknown) => scrub(typeof body === 'string' ? body : ''),
  }
}

interface Recorded {
  readonly request: {
    headers: Header[]
    /** HAR has them once more. */
    cookies?: unknown[]
    url: string
    queryString?: unknown
    postData?: { text?: string }
  }
  readonly response: {
    headers: Header[]
    cookies?: unknown[]
    /** HAR has the header `Location` once more. */
    redirectURL?: string
    content: { text?: string }
  }
}
interface Header {
  readonly name: string
  value: string
}

function scrubRecording({ request, response }: Recorded, scrub: (text: string) => string): void {
  for (const part of [request, response]) {
    part.cookies = []
    part.headers = part.headers
      .filter(({ name }) => !SECRET_HEADERS.test(name))
      .map(({ name, value }) => ({
        name,
        value: MASKED_HEADERS.test(name) ? MASK : scrub(value),
      }))
  }
  request.url = scrub(request.url)
  if (response.redirectURL !== undefined) response.redirectURL = scrub(response.redirectURL)
  const clean = (text: string): string => scrub(text).replaceAll(SECRET_MEMBERS, `$1${MASK}$2`)
  if (request.postData?.text !== undefined) request.postData.text = clean(request.postData.text)
  if (response.content.text !== undefined) response.content.text = clean(response.content.text)
}

function formsOf(secret: string): string[] {
  if (secret.length < 6) return []
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ]
}
