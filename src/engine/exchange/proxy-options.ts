// A proxy as it is set.

export interface ProxyOptions {
  /** `http://proxy.example.com:3128`, or `https://` for TLS up to the proxy; with user and password where it wants them. */
  readonly url: string
  /**
   * Hosts that are called directly, as in `NO_PROXY`: `example.com` with all names below it, `.example.com` for those
   * alone, `host:port`, addresses and ranges; `*` for all.
   */
  readonly except?: readonly string[]
  /**
   * Whether names that this machine cannot resolve are left to the proxy. Without it a request leaves only where all
   * addresses that this machine finds may be called.
   */
  readonly resolves?: boolean
}

/** What is wrong with the address of a proxy, as the end of a sentence; null: nothing. */
export function proxyProblem(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    return 'must be the address of a proxy, such as http://user:password@proxy.example.com:3128'
  if (url.pathname !== '/' || url.search + url.hash !== '')
    return 'must be the address of a proxy without path, query and fragment'
  if (decodePart(url.username) === null || decodePart(url.password) === null)
    return 'has a % in user or password that begins no character; write %25'
  return null
}

/** User or password as the proxy is told it; null where it cannot be read. */
export function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
