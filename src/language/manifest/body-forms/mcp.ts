// `mcp`: a call of a tool of a server of the Model Context Protocol, as JSON-RPC.
import { compileTemplate } from '../../expression/evaluate.ts'
import { attempt } from '../../expression/refusals.ts'
import { jsonText } from '../../expression/text-value.ts'
import { own } from '../../json/own.ts'
import type { BodyForm, RequestWords } from './body-form.ts'

type ToolCall = { readonly kind: 'mcp' } & RequestWords['mcp']

/** JSON-RPC as it begins in every call; the number is that of the call within its session. */
const HEAD = '{"jsonrpc":"2.0","id":1,'
const TAIL = '}}'

export const mcp: BodyForm<'mcp', ToolCall> = {
  kind: 'mcp',
  sent: { as: 'JSON', fits: /json/i },
  http: 'POST ',
  arrivesAs: 'json',
  bodyOf: (call) => ({ kind: 'mcp', ...call }),
  data: ({ values }) => values,
  tool: ({ tool }) => tool,
  compile({ tool, values }) {
    const evaluate = compileTemplate(values)
    const name = JSON.stringify(tool)
    return (scope, refusals) =>
      attempt(refusals, values, () => ({
        content: `${HEAD}"method":"tools/call","params":{"name":${name},"arguments":${jsonText(evaluate(scope) ?? {})}${TAIL}`,
        type: 'application/json',
      })) ?? null
  },
  read({ tool, values }, sent) {
    const given = sent.json()
    if (given === undefined) return
    const params = own(given, 'params')
    if (own(given, 'method') !== 'tools/call' || own(params, 'name') !== tool)
      return sent.problem('name', 'is another tool')
    sent.constant()
    sent.template(values, own(params, 'arguments') ?? {}, '')
  },
}

/** A rendered call with the number that it has in its session, and with `_meta` where the protocol wants one. */
export function numberedCall(
  body: string,
  id: number,
  meta: Readonly<Record<string, unknown>> | null,
): string {
  const rest = body.slice(HEAD.length, -TAIL.length)
  const added = meta === null ? '' : `,"_meta":${JSON.stringify(meta)}`
  return `{"jsonrpc":"2.0","id":${id},${rest}${added}${TAIL}`
}
