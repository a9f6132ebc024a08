// The template of a manifest: small, commented, and working at once. Pages that run in browsers have it, too.

export const TYPE_PATTERN: RegExp = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

const KEY = `auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true, description: Key of the API. } } }
    apply: { bearer: "{{ credentials.api_key }}" }
`

/** A manifest with one working action. It lints, and the sandbox answers it. `auth`: its block of methods. */
export function manifestTemplate(type: string, auth: string = KEY): string {
  const title = type
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
  return `manifest: 1 # version of the language
connector: { type: ${type}, title: ${title}, version: 0.1.0 }

# Where the vendor's API is. Hosts may hold settings: "https://{{ config.region }}.api.example.com", then list hosts.
server: { url: https://api.${type}.example/v1 }

# One entry per way to sign in. Secrets say writeOnly: true.
${auth}
# The call that proves that the credentials work.
check: { entity: customers, action: list, params: { limit: 1 } }

entities:
  customers:
    # What one record looks like. Further members pass through.
    record:
      properties:
        id: { type: string }
        name: { type: [string, "null"] }
        created_at: { type: string }
    actions:
      list:
        summary: List customers
        # What a caller may give; everything else is refused.
        params:
          properties:
            limit: { type: integer, minimum: 1, maximum: 100, description: Page size. }
            cursor: { type: string, description: The cursor that came with the page before. }
        # Where it goes: a name alone keeps its name on the wire, { wire_name: "{{ params.name }}" } renames.
        request: { http: GET /customers, query: [limit, cursor] }
        # Where the records lie in the answer, and where the next page begins.
        response: { records: $.data }
        pagination: { type: cursor, param: cursor, size: limit, next: $.next_cursor }
`
}
