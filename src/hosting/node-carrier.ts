// From requests of node:http to answers on their connection.
import type { McpHandler } from '../agents/mcp/mcp-http.ts'
import type { ConnectorError } from '../errors.ts'
import { refuse } from '../service/http/api.ts'
import type { Answer } from '../service/http/arrival.ts'
import { type NodeArrival, send } from '../service/http/node-arrival.ts'
import type { Site } from '../service/http/site.ts'
import type { McpBody, Mounted } from './doors.ts'

/** Routes that take such requests, others perhaps too. */
interface Answering extends Pick<Mounted<NodeArrival>, 'api'> {
  readonly site: Pick<Site<NodeArrival>, 'answer'>
}

/** Answers a request, or refuses it for a problem of its head. Resolves when the answer is handed over. */
export function carry(
  { site, api }: Answering,
  arrived: NodeArrival,
  problem: ConnectorError | null,
): Promise<void> | void {
  const answering = problem === null ? site.answer(arrived) : refuse(api, arrived, problem)
  const sendAnswer = (answer: Answer | null): Promise<void> | void =>
    answer === null ? undefined : send(arrived.response, answer)
  return answering instanceof Promise ? answering.then(sendAnswer) : sendAnswer(answering)
}

export async function passOnNode(
  handler: McpHandler,
  { request, response }: Pick<NodeArrival, 'request' | 'response'>,
  body: McpBody | null,
): Promise<null> {
  await handler.node(request, response, body?.value)
  return null
}
