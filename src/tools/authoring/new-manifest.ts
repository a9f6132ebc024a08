// The first manifest of a connector, as `tenon init` writes it.
import { Document } from 'yaml'
import { manifestTemplate } from './manifest-template.ts'
import { type AuthStub, stubOf } from './openapi/draft-auth.ts'

/** A manifest with one working action, with the place of its schema. */
export function newManifest(type: string, schema: string, auth: AuthStub | null = null): string {
  const text = auth === null ? manifestTemplate(type) : manifestTemplate(type, method(auth))
  return `# yaml-language-server: $schema=${schema}\n${text}`
}

/** The method that `--auth` names, with what the vendor's page says of it and no document does. */
function method(auth: AuthStub): string {
  const block = { auth: { main: stubOf(auth) } }
  const text = new Document(block, { aliasDuplicateObjects: false }).toString({ lineWidth: 120 })
  return auth === 'oauth2' ? `${OAUTH2}${text}` : text
}

const OAUTH2 = `# Of the vendor's page: both addresses; client_auth (basic or body); body (form or json); rotates_refresh_token: true where
# a refresh token works once; authorize.scopes for a scope that no action needs, such as offline_access.
# Scopes of the API stand at the actions that need them: scopes: [customers:read]
`
