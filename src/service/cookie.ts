// Cookies of our origin.
import { ConnectorError } from '../errors.ts'

/** A cookie of a service at `publicUrl`, which no script reads. Over https its name is bound to the host. */
export class Cookie {
  readonly #name: string
  readonly #attributes: string

  constructor(publicUrl: string, name: string, sameSite: 'Lax' | 'Strict') {
    const isSecure = publicUrl.startsWith('https:')
    this.#name = isSecure ? `__Host-${name}` : name
    this.#attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  }

  /** Its value in a `Cookie` header; undefined where there is none. Throws `request_malformed` when it is sent twice. */
  read(header = ''): string | undefined {
    const start = `${this.#name}=`
    const parts = header.split(';').map((part) => part.trim())
    const [value, second] = parts.filter((part) => part.startsWith(start))
    if (second !== undefined)
      throw new ConnectorError('request_malformed', `the cookie ${this.#name} is sent twice`)
    return value?.slice(start.length)
  }

  /** The value of `Set-Cookie`; after no seconds at all the browser has forgotten it. */
  write(value: string, seconds: number): string {
    return `${this.#name}=${value}; Max-Age=${seconds}; ${this.#attributes}`
  }
}
