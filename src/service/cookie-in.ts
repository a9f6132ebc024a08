// Cookies of a request.
import { ConnectorError } from '../errors.ts'

/** The value of a cookie in a `Cookie` header; undefined where there is none. Throws `request_malformed` when it is sent twice. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
  if (values.length > 1)
    throw new ConnectorError('request_malformed', `the cookie ${name} is sent twice`)
  return values[0]
}
