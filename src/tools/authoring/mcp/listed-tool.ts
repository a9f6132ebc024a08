// A tool as an MCP server lists it.
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import { own } from '../../../language/json/own.ts'
import type { Follow } from '../openapi/document.ts'

export interface ListedTool {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly inputSchema: JsonObject
  /** null: it says nothing about its results. */
  readonly outputSchema: JsonObject | null
  /** What the server says of it, or what the protocol supposes where it says nothing. */
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  /** It answers by a task of the protocol, and not at once. */
  readonly needsTask: boolean
}

/** What a server offers, as `listTools` of the engine gives it. */
export interface Offer {
  readonly about: JsonObject
  readonly tools: readonly Json[]
}

/** The tools of an offer; what has no name or no schema is none. */
export function listedTools({ tools }: Offer): readonly ListedTool[] {
  return tools.flatMap((tool) => {
    const [name, input, output] = [
      own(tool, 'name'),
      own(tool, 'inputSchema'),
      own(tool, 'outputSchema'),
    ]
    if (typeof name !== 'string' || name === '' || !isJsonObject(input)) return []
    const hints = own(tool, 'annotations') ?? {}
    const readOnly = own(hints, 'readOnlyHint') === true
    return [
      {
        name,
        title: textAt(tool, 'title') ?? textAt(hints, 'title'),
        description: textAt(tool, 'description'),
        inputSchema: input,
        outputSchema: isJsonObject(output) ? output : null,
        readOnly,
        destructive: !readOnly && own(hints, 'destructiveHint') !== false,
        idempotent: own(hints, 'idempotentHint') === true,
        needsTask: own(own(tool, 'execution') ?? null, 'taskSupport') === 'required',
      },
    ]
  })
}

export function textAt(value: Json, name: string): string | null {
  const found = own(value, name)
  return typeof found === 'string' && found.trim() !== '' ? found : null
}

/** Follows references inside one schema (`#/$defs/…`, `#/definitions/…`). */
export function followIn(schema: JsonObject): Follow {
  const follow = (value: Json | undefined, depth = 0): JsonObject => {
    if (value === undefined || !isJsonObject(value)) return {}
    const reference = own(value, '$ref')
    if (typeof reference !== 'string' || depth > 20) return value
    const names = reference.replace(/^#\/?/, '').split('/')
    let at: Json | undefined = reference.startsWith('#') ? schema : undefined
    for (const name of names)
      at = name === '' ? at : own(at ?? null, name.replaceAll('~1', '/').replaceAll('~0', '~'))
    return follow(at, depth + 1)
  }
  return (value) => follow(value)
}
