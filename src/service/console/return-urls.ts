// Where a consent that the console started comes back to.

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'] as const

/**
 * The console's page for returning users, at our origin. A service on loopback is opened under any of its names, and
 * the page must be where the session's cookie is.
 */
export function consoleReturnUrls(publicUrl: string): readonly string[] {
  const url = URL.parse(`${publicUrl}/console/connected`)
  if (url === null) return []
  if (url.protocol !== 'http:' || !LOOPBACK.some((name) => name === url.hostname)) return [url.href]
  return LOOPBACK.map((name) => {
    url.hostname = name
    return url.href
  })
}
