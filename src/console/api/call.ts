// Requests to the service, with the session's cookie.
import { type Json, parseJson, writeJson } from './json-text.ts'
import { BASE } from '../place.tsx'
import type { ProblemBody } from './answers.ts'
import { Problem, unreachable } from './problem.ts'

/** Told when the service knows no session any more. */
export const SIGNED_OUT = 'tenon:signed-out'

export interface CallOptions {
  readonly body?: Json
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
  /** Of a write: under one key the service makes it once. */
  readonly idempotencyKey?: string | undefined
  /** Further fields of the head. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The JSON of an answer, null where it has none. Throws Problem; an aborted call throws the signal's reason. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const text = await (await send(method, path, options)).text()
  // What the service's contract says of this route.
  return (text === '' ? null : parseJson(text)) as T
}

/** A successful answer whose body nobody has read. Throws as `call` does. */
export async function send(
  method: string,
  path: string,
  { body, query = {}, signal, idempotencyKey, headers = {} }: CallOptions = {},
): Promise<Response> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
  const search = given.length === 0 ? '' : `?${String(new URLSearchParams(given))}`
  let response: Response
  try {
    response = await fetch(`${BASE}/api/v1` + path + search, {
      method,
      credentials: 'same-origin',
      headers: {
        ...headers,
        'x-tenon-console': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? null : writeJson(body),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw unreachable()
  }
  return await settled(response)
}

/** The answer where it is a success. Throws the problem that it tells. */
export async function settled(response: Response): Promise<Response> {
  if (response.ok) return response
  const problem = await problemIn(response)
  if (response.status === 401 && problem.body.code === 'token_invalid')
    window.dispatchEvent(new Event(SIGNED_OUT))
  throw problem
}

async function problemIn(response: Response): Promise<Problem> {
  if (!(response.headers.get('content-type') ?? '').includes('problem+json')) return unreachable()
  // The shape of every problem of the service.
  return new Problem((await response.json()) as ProblemBody)
}

export function instancePath(id: string): string {
  return `/integrations/connectors/${encodeURIComponent(id)}`
}
