// The cookie that stands for a session.
import { ConnectorError } from '../../errors.ts'
import { SESSION_MAX_MS } from './sessions.ts'

export interface SessionCookie {
  /** The session in a `Cookie` header; undefined where there is none. Throws `request_malformed` when it is sent twice. */
  read(header: string | undefined): string | undefined
  /** The value of `Set-Cookie`. */
  write(text: string): string
  clear(): string
}

/** The cookie of a service at `publicUrl`. With http, which loopback alone has, cookies ignore ports: its name has ours. */
export function sessionCookie(publicUrl: string): SessionCookie {
  const url = URL.parse(publicUrl)
  const isSecure = url?.protocol === 'https:'
  const name = isSecure ? '__Host-tenon-console' : `tenon-console-${url?.port ?? ''}`
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    read(header = '') {
      const values = header
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(`${name}=`))
        .map((part) => part.slice(name.length + 1))
      if (values.length > 1)
        throw new ConnectorError('request_malformed', `the cookie ${name} is sent twice`)
      return values[0]
    },
    write: (text) => `${name}=${text}; Max-Age=${SESSION_MAX_MS / 1000}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
  }
}
