// The address of a token endpoint: constant, or made of settings where customers have a token host of their own.
import { ConnectorError } from '../../errors.ts'
import type { Scope, Text } from '../../language/expression/syntax.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { createServerResolver, standIn } from '../request/base-url.ts'

/**
 * Compiles an OAuth address. One that is made of settings is checked like a base URL, against `server.hosts`.
 *
 * `serverUrl` replaces its origin. Throws what the server resolver throws: `config_invalid` with the missing names,
 * `destination_refused`.
 */
export function compileTokenUrl(
  url: Text,
  manifest: Manifest,
  serverUrl: string | null,
): (scope: Scope) => string {
  const literal = url.every((part) => typeof part === 'string') ? url.join('') : null
  if (literal !== null) {
    const { username, password } = new URL(literal)
    if (username !== '' || password !== '')
      return () => {
        throw new ConnectorError(
          'destination_refused',
          'an OAuth address of the manifest has user information before its host; nothing was sent',
        )
      }
    const address = moved(literal, serverUrl)
    return () => address
  }
  const server = { ...manifest.server, urls: [url] }
  const resolve = createServerResolver({ ...manifest, server }, null)
  // A base URL has no slash at its end; some token endpoints need theirs.
  const last = url.at(-1)
  const slash = typeof last === 'string' && last.endsWith('/') ? '/' : ''
  return (scope) => {
    const { origin, path } = resolve(scope)
    return moved(origin + path + slash, serverUrl)
  }
}

function moved(address: string, serverUrl: string | null): string {
  if (serverUrl === null) return address
  const { pathname, search } = new URL(address)
  const { origin, path } = standIn(serverUrl)
  return origin + path + pathname + search
}
