// Parameters to try an operation with: in the sandbox those with which it succeeds, else what its schema and the account's
// own records tell. Nothing is made up for a third party.
import type { ReactNode } from 'react'
import type { ActionDescription, Described, Instance } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { isObject, type JsonObject, writeJson } from '../../api/json-text.ts'
import { useNews } from '../../api/use-news.ts'
import { useTask } from '../../api/use-answer.ts'
import {
  exampleIn,
  firstValue,
  propertiesOf,
  readNode,
  requiredOf,
} from '../../form/schema-node.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Button } from '../../parts/controls.tsx'
import { useSession } from '../../session.ts'
import { namedValues } from './suggestions.ts'

export function ExampleButton(props: {
  readonly instance: Instance
  readonly described: Described
  /** Entity and action. */
  readonly operation: string
  readonly schema: ActionDescription['params']
  readonly value: JsonObject
  readonly change: (value: JsonObject) => void
}): ReactNode {
  const { instance, described, operation, schema, value } = props
  const { demo } = useSession()
  const { busy, problem, run } = useTask()
  const [news, setNews] = useNews('')
  const named = Object.fromEntries(
    Object.entries(described.named_records[operation] ?? {}).filter(([name]) =>
      requiredOf(schema).has(name),
    ),
  )
  const ofSchema = firstValue(schema, schema, exampleIn)
  const isSandbox = demo?.[instance.connector_type] !== undefined
  const isKnown = isSandbox
    ? propertiesOf(schema).length > 0
    : Object.keys(named).length > 0 || writeJson(ofSchema) !== writeJson(firstValue(schema))
  if (!isKnown) return null
  const find = async (signal: AbortSignal): Promise<JsonObject> => {
    if (!isSandbox)
      return { ...ofSchema, ...(await namedValues(instance, described.entities, named, schema)) }
    const path = `/examples/${encodeURIComponent(instance.connector_type)}`
    const { params } = await call<{ readonly params: JsonObject }>('GET', path, {
      query: { operation },
      signal,
    })
    // Files are chosen.
    return Object.fromEntries(
      propertiesOf(schema).flatMap(([name, member]) => {
        const found = params[name]
        const isFile = readNode(member, schema).kind === 'file'
        return found === undefined || isFile ? [] : [[name, found] as const]
      }),
    )
  }
  const fill = (): Promise<void> =>
    run(async (signal) => {
      setNews('')
      const next = filled(value, await find(signal))
      const isNew = writeJson(next) !== writeJson(value)
      setNews(isNew ? 'Filled in.' : 'There is nothing to fill in.')
      if (isNew) props.change(next)
    })
  return (
    <>
      <Button className="small" needs="operations" disabled={busy} onClick={() => void fill()}>
        Fill in an example
      </Button>
      <span role="status" className="news fine">
        {news}
      </span>
      <ProblemNotice problem={problem} />
    </>
  )
}

/** What is given, and the example where nothing is. */
function filled(given: JsonObject, example: JsonObject): JsonObject {
  const kept = Object.entries(given).map(([name, value]) => {
    const other = example[name]
    return [name, isObject(value) && isObject(other) ? filled(value, other) : value] as const
  })
  return { ...example, ...Object.fromEntries(kept) }
}
