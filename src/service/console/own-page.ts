// Whether a request comes from the console's own page.
import { ConnectorError } from '../../errors.ts'

/** Sent by the console with every request. A page of another origin cannot add it without our leave, which nobody gets. */
const MARK = 'x-tenon-console'

/**
 * Throws `scope_denied` for a request that another page may have caused. The cookie alone proves nothing: every port
 * of one host is the same site to a browser.
 */
export function requireOwnPage(header: (name: string) => string | undefined): void {
  const site = header('sec-fetch-site')
  if (header(MARK) === '1' && (site === undefined || site === 'same-origin')) return
  throw new ConnectorError(
    'scope_denied',
    'only the console itself may use its session; programs send a token to /v1',
  )
}
