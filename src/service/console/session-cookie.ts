// The cookie that stands for a session.
import { SESSION_MAX_MS } from './sessions.ts'
import { cookieIn } from '../cookie-in.ts'

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
    read: (header) => cookieIn(header, name),
    write: (text) => `${name}=${text}; Max-Age=${SESSION_MAX_MS / 1000}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
  }
}
