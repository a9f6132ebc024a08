// What an MCP server answers besides calls of its tools: the handshake, its list of tools, a session that it does not know.
import { toolIn } from '../../language/manifest/body-forms/forms.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import type { RequestTemplate } from '../../language/manifest/manifest.ts'
import type { VendorParts } from '../answer/vendor-call.ts'
import { hexDigits } from '../data/chance.ts'
import { resultAnswer, rpcIn } from '../wire/tool-wire.ts'
import type { WireAnswer } from '../wire/wire-answer.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import { placeOf } from './route-place.ts'
import type { SideRoute } from './side-routes.ts'

const SESSION = 'mcp-session-id'

/** The routes of the addresses at which actions call tools. */
export function toolRoutes(vendor: VendorParts): readonly SideRoute[] {
  const tools = toolsOf(vendor)
  const places = new Map(
    tools.map(({ request }) => [JSON.stringify([request.origin, request.path]), request]),
  )
  const sessions = new Set<string>()
  const isKnown = ({ headers }: WireRequest): boolean => sessions.has(headers[SESSION] ?? '')
  return [...places.values()].map((template) => ({
    operation: 'mcp',
    ...placeOf(template, vendor),
    isFirst: true,
    fits: (request) => rpcIn(request)?.method !== 'tools/call' || !isKnown(request),
    answer(request): WireAnswer {
      const message = rpcIn(request)
      if (message?.method === 'initialize') {
        const id = hexDigits(vendor.world.chance, `mcp/${sessions.size}`, 32)
        sessions.add(id)
        const about = serverAbout(vendor, own(message.params, 'protocolVersion'))
        return resultAnswer(message.id, about, { [SESSION]: id })
      }
      if (!isKnown(request)) return { status: 404, headers: {}, body: { kind: 'none' } }
      if (message === null) return { status: 400, headers: {}, body: { kind: 'none' } }
      if (message.id === undefined) return { status: 202, headers: {}, body: { kind: 'none' } }
      const list = tools.map(({ listed }) => listed)
      return resultAnswer(message.id, message.method === 'tools/list' ? { tools: list } : {})
    },
  }))
}

function serverAbout({ manifest }: VendorParts, asked: Json | undefined): JsonObject {
  return {
    protocolVersion: typeof asked === 'string' ? asked : '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: manifest.title, version: manifest.version },
  }
}

interface OfferedTool {
  readonly request: RequestTemplate
  readonly listed: JsonObject
}

/** The tools that actions and the check call. */
function toolsOf({ manifest }: VendorParts): readonly OfferedTool[] {
  const { check, entities } = manifest
  const called = entities.flatMap(({ actions }) =>
    actions.flatMap(({ params, steps }) =>
      steps.map(({ request }) => ({ request, inputSchema: params.schema })),
    ),
  )
  if (check?.kind === 'request')
    called.push({ request: check.request, inputSchema: { type: 'object' } })
  return called.flatMap(({ request, inputSchema }) => {
    const name = toolIn(request.body)
    const annotations = { readOnlyHint: request.reads === true }
    return name === null ? [] : [{ request, listed: { name, inputSchema, annotations } }]
  })
}
