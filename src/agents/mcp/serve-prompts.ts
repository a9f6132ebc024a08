// Prompts and what completes their arguments, for hosts.
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { AgentPrompt } from '../agent-prompts.ts'

/** Source: Model Context Protocol, "Completion": 100 at most. */
const MAX_VALUES = 100

export function servePrompts(server: Server, prompts: readonly AgentPrompt[]): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, title, description, arguments: given }) => ({
      name,
      title,
      description,
      arguments: given.map(({ name, description, required }) => ({ name, description, required })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name)
    if (prompt === undefined) throw invalid(`there is no prompt "${params.name}"`)
    const given = params.arguments ?? {}
    const missing = prompt.arguments.filter(({ name }) => (given[name] ?? '') === '')
    if (missing.length > 0)
      throw invalid(`${missing.map(({ name }) => name).join(', ')} must be given`)
    const { description } = prompt
    const content = { type: 'text', text: prompt.text(given) } as const
    return { description, messages: [{ role: 'user', content }] }
  })
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) => {
    const prompt = prompts.find((each) => ref.type === 'ref/prompt' && each.name === ref.name)
    const wanted = prompt?.arguments.find(({ name }) => name === argument.name)
    const begin = argument.value.toLowerCase()
    const values = (wanted?.values(context?.arguments ?? {}) ?? []).filter((value) =>
      value.toLowerCase().startsWith(begin),
    )
    const shown = values.slice(0, MAX_VALUES)
    return {
      completion: { values: shown, total: values.length, hasMore: shown.length < values.length },
    }
  })
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
