// One call as somebody's own code: curl, TypeScript, the command line.
import { type Json, type JsonObject, writeJson } from '../../api/json-text.ts'

export interface CalledOperation {
  readonly origin: string
  readonly connectorId: string
  readonly connectorType: string
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
  readonly paged: boolean
  readonly sandbox: boolean
}

/** For a shell: the token is in `$TENON_TOKEN`. */
export function curlOf(call: CalledOperation): string {
  const body = writeJson({ entity: call.entity, action: call.action, params: call.params })
  const lines = [
    `curl ${call.origin}/api/v1/connectors/sources/${call.connectorId}/execute`,
    '-H "authorization: Bearer $TENON_TOKEN"',
    "-H 'content-type: application/json'",
    `-d ${quoted(body)}`,
    ...(call.action === 'download' ? [`-o ${call.entity}`] : []),
  ]
  return `${tokenHint(call.origin)}\n${lines.join(' \\\n  ')}`
}

function tokenHint(origin: string): string {
  return [
    '# A token of 15 minutes, for client id and secret:',
    `# curl ${origin}/api/v1/account/applications/token -H 'content-type: application/json' \\`,
    `#   -d '{"client_id":"…","client_secret":"…"}'`,
  ].join('\n')
}

/** A program with the typed client of the service. */
export function typescriptOf(call: CalledOperation): string {
  const client = nameOf(call.connectorType)
  const params = literalOf(call.params)
  const operation = `${client}${memberOf(call.entity)}${memberOf(call.action)}(${params})`
  return [
    "import { connectHosted } from 'tenon'",
    '',
    `await using ${client} = await connectHosted(${textOf(call.connectorType)}, {`,
    `  baseUrl: ${textOf(call.origin)},`,
    `  connectorId: ${textOf(call.connectorId)},`,
    "  token: process.env['TENON_TOKEN'] ?? '',",
    '})',
    '',
    ...useOf(call, operation),
  ].join('\n')
}

function useOf({ action, paged, entity }: CalledOperation, operation: string): readonly string[] {
  if (action === 'download')
    return [`const file = await ${operation}`, `await file.toFile(${textOf(entity)})`]
  if (paged)
    return [`for await (const record of ${operation}) {`, '  console.log(record) // all pages', '}']
  return [`const { data } = await ${operation}`, 'console.log(data)']
}

/** Without a service: straight to the third party, or to the sandbox. */
export function cliOf(call: CalledOperation): string {
  const given =
    Object.keys(call.params).length === 0 ? '' : ` --params ${quoted(writeJson(call.params))}`
  const out = call.action === 'download' ? ` --out ${call.entity}` : ''
  const command = `tenon try ${call.connectorType} ${call.entity}.${call.action}${given}${out}`
  return call.sandbox
    ? `${command} --sandbox`
    : `# Credentials come from TENON_TRY_… variables; see tenon try --help\n${command}`
}

/** A shell word in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function textOf(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

function memberOf(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${textOf(name)}]`
}

function nameOf(type: string): string {
  const name = type.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_all, next: string | undefined) =>
    (next ?? '').toUpperCase(),
  )
  return IDENTIFIER.test(name) ? name : `_${name}`
}

function literalOf(value: Json, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : `[${value.map((each) => literalOf(each, indent)).join(', ')}]`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value)
  if (members.length === 0) return indent === '' ? '' : '{}'
  const lines = members.map(
    ([name, each]) =>
      `${inner}${IDENTIFIER.test(name) ? name : textOf(name)}: ${literalOf(each, inner)},`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}
