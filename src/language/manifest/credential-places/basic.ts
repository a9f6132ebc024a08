// `basic`: HTTP Basic. Source: RFC 7617, with UTF-8.
import { printScalar } from '../../expression/text-value.ts'
import { ValueError } from '../../expression/value-error.ts'
import type { Json } from '../../json/json.ts'
import type { CredentialPlace } from './place.ts'

/** An absent password is the empty one; without a user name nothing is sent. */
export const basic: CredentialPlace<'basic'> = {
  carried: (resolved) =>
    resolved === null
      ? []
      : [
          {
            in: 'header',
            name: 'authorization',
            values: [
              { template: resolved.username, put: userName },
              { template: resolved.password, put: printScalar },
            ],
            write: ([user, password]) =>
              user === undefined ? undefined : basicHeader(user, password ?? ''),
            read: readBasic,
          },
        ],
}

function userName(value: Json): string {
  const text = printScalar(value)
  // RFC 7617 section 2: what follows the first colon would become part of the password.
  if (text.includes(':')) throw new ValueError('a user name must not hold a colon')
  return text
}

/** The value of a Basic Authorization header. */
export function basicHeader(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** User name and password of an Authorization header; undefined when it is none of that kind. */
export function readBasic(header: string): readonly [string, string] | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}
