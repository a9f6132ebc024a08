// One call as somebody's own code: curl, TypeScript, the command line.
import { isObject, type Json, type JsonObject, writeJson } from '../../api/json-text.ts'
import { gives } from '../../../language/manifest/actions.ts'

export interface CalledOperation {
  readonly origin: string
  readonly connectorId: string
  readonly connectorType: string
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
  readonly paged: boolean
}

/** For a shell: a token in `$TENON_TOKEN`, which all of the code below reads. */
export function tokenOf(origin: string, clientId: string): string {
  const body = `'{"client_id":"${clientId}","client_secret":"'"$TENON_CLIENT_SECRET"'"}'`
  return [
    `: "\${TENON_CLIENT_SECRET:?export it first: the secret of the application ${clientId}}"`,
    `export TENON_TOKEN=$(curl -sSf ${origin}/api/v1/account/applications/token \\`,
    "  -H 'content-type: application/json' \\",
    `  -d ${body} \\`,
    `  | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`,
  ].join('\n')
}

/** For a shell: the token is in `$TENON_TOKEN`. */
export function curlOf(call: CalledOperation): string {
  const body = writeJson({ entity: call.entity, action: call.action, params: call.params })
  const lines = [
    `curl ${call.origin}/api/v1/connectors/sources/${call.connectorId}/execute`,
    '-H "authorization: Bearer $TENON_TOKEN"',
    "-H 'content-type: application/json'",
    `-d ${quoted(body)}`,
    ...(gives(call.action, 'stream') ? [`-o ${call.entity}`] : []),
  ]
  return lines.join(' \\\n  ')
}

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
  if (gives(action, 'stream'))
    return [`const file = await ${operation}`, `await file.toFile(${textOf(entity)})`]
  if (paged)
    return [`for await (const record of ${operation}) {`, '  console.log(record) // all pages', '}']
  return [`const { data } = await ${operation}`, 'console.log(data)']
}

export function cliOf(call: CalledOperation): string {
  const [command, ...flags] = gives(call.action, 'hits') ? searchParts(call) : tryParts(call)
  return [command, ...flags, `--url ${call.origin}`].join(' \\\n  ')
}

function tryParts(call: CalledOperation): readonly string[] {
  const { connectorType, connectorId, entity, action, params } = call
  return [
    `npx tenon try ${connectorType} ${entity}.${action}`,
    ...(Object.keys(params).length === 0 ? [] : [`--params ${quoted(writeJson(params))}`]),
    ...(gives(action, 'stream') ? [`--out ${entity}`] : []),
    `--connector-id ${connectorId}`,
  ]
}

/** `params` of a search: `query`, `limit`, and `fields` where not all are wanted. */
function searchParts({ connectorId, entity, params }: CalledOperation): readonly string[] {
  const { query = null, limit = null, fields } = params
  return [
    `npx tenon search ${connectorId} ${entity}`,
    ...(isObject(query) && Object.keys(query).length > 0
      ? [`--query ${quoted(writeJson(query))}`]
      : []),
    ...(Array.isArray(fields) ? [`--fields ${quoted(fields.map(String).join(','))}`] : []),
    `--limit ${writeJson(limit)}`,
  ]
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

export function textOf(text: string): string {
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

export function literalOf(value: Json, indent = ''): string {
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
