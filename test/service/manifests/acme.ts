// A connector that tests publish, in versions that differ in what callers notice.
export interface AcmeOptions {
  readonly version?: string
  readonly title?: string
  /** Of customers: what a record has besides its id. */
  readonly fields?: readonly string[]
  /** Settings that the connector has. */
  readonly config?: readonly string[]
}

export function acme({ version = '1.0.0', title = 'Acme', ...more }: AcmeOptions = {}): string {
  const { fields = [], config = [] } = more
  const properties = ['id', ...fields].map((name) => `${name}: { type: string }`)
  const settings = config.map((name) => `    ${name}: { type: string }\n`)
  return `
manifest: 1
connector: { type: acme, title: ${title}, version: ${version} }
server: { url: https://api.acme.example }
${settings.length === 0 ? '' : `config:\n  properties:\n${settings.join('')}`}auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.api_key }}" }
check: { entity: customers, action: list }
entities:
  customers:
    record: { properties: { ${properties.join(', ')} } }
    actions:
      list:
        summary: List customers
        request: { http: GET /customers${config.length === 0 ? '' : `, query: { of: "{{ config.${config[0]} }}" }`} }
        response: { records: $.items }
        pagination: { type: none, reason: there are few }
`
}
