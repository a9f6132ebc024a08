// One call as somebody's own code: curl, TypeScript, Python, the command line.
import { isObject, type JsonObject, writeJson } from '../../api/json-text.ts'
import { curlOfRequest, pythonOfRequest, type SentRequest } from '../../code/http-code.ts'
import { IDENTIFIER, literalOf, pythonTextOf, quoted, textOf } from '../../code/literals.ts'
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

function sentOf({ origin, connectorId, entity, action, params }: CalledOperation): SentRequest {
  return {
    method: 'POST',
    url: `${origin}/api/v1/connectors/sources/${connectorId}/execute`,
    takesToken: true,
    headers: {},
    body: { entity, action, params },
  }
}

export function curlOf(call: CalledOperation): string {
  return curlOfRequest(sentOf(call), gives(call.action, 'stream') ? call.entity : undefined)
}

export function pythonOf(call: CalledOperation): string {
  const { action, entity, paged } = call
  if (gives(action, 'stream'))
    return pythonOfRequest(sentOf(call), [
      `with open(${pythonTextOf(entity)}, "wb") as file:`,
      '    while part := response.read(65536):',
      '        file.write(part)',
    ])
  const member = gives(action, 'hits') ? 'hits' : 'data'
  return pythonOfRequest(sentOf(call), [
    ...(paged && member === 'data'
      ? ['# The first page; meta.next says what leads to the next one.']
      : []),
    `print(json.dumps(json.load(response)["${member}"], indent=2))`,
  ])
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

function memberOf(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${textOf(name)}]`
}

function nameOf(type: string): string {
  const name = type.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_all, next: string | undefined) =>
    (next ?? '').toUpperCase(),
  )
  return IDENTIFIER.test(name) ? name : `_${name}`
}
