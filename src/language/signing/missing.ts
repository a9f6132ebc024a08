// What a signature is made of and that is not there: named, and nothing is sent.
import { ConnectorError } from '../../errors.ts'

/** The error for names (`credentials.secret`) that hold nothing. `what`: what cannot be made. */
export function missingFor(what: string, names: readonly string[]): ConnectorError {
  const message = `${what} needs ${names.join(', ')}, and nothing is there; nothing was sent`
  const details = { missing: names }
  const roots = new Set(names.map((name) => name.split('.')[0]))
  if (names.some((name) => /^request\.body(_hash)?$/.test(name)))
    return new ConnectorError(
      'params_invalid',
      `${message}: the body is a file that is read while it is sent. Give the file as bytes in memory or base64 text; a manifest says what is signed instead by {{ default request.body_hash '…' }}`,
      { details },
    )
  if (roots.has('request'))
    return new ConnectorError(
      'internal_error',
      `${message}. The manifest may write {{ default … '' }} for what not every request has`,
      { details },
    )
  if (roots.size === 1 && roots.has('config'))
    return new ConnectorError('config_invalid', message, { details })
  const errors = names.map((name) => ({
    pointer: `/${name.replaceAll('.', '/')}`,
    code: 'required',
    detail: `${what} needs it`,
  }))
  return new ConnectorError('credentials_invalid', message, { details, errors })
}
