// Files through the service: a head that is only sent with a first byte behind it, and bounded numbers of them.
import { ConnectorError, problemError } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import { ownAt, withMember } from '../language/json/members.ts'
import type { Action } from '../language/manifest/manifest.ts'
import type { FileStream } from '../engine/run/download.ts'
import type { InstanceRow } from './store/instances.ts'
import type { Connection } from './instances/connections.ts'
import type { ServiceReply } from './route.ts'

const PER_INSTANCE = 8
const PER_PROCESS = 64
/** Whatever one organisation sends and fetches, others find places. */
const PER_ORGANIZATION = 48

export class Streams {
  #active = 0
  readonly #held = new Map<string, number>()
  #idle: PromiseWithResolvers<void> | null = null

  get active(): number {
    return this.#active
  }

  /** Takes a place; the returned function releases it. Throws `rate_limited` or `overloaded`. */
  enter(connection: Pick<Connection, 'streams'>, organizationId: string): () => void {
    const own = this.#held.get(organizationId) ?? 0
    if (connection.streams >= PER_INSTANCE)
      throw tooMany('rate_limited', `this instance has ${PER_INSTANCE} files under way already`)
    if (own >= PER_ORGANIZATION)
      throw tooMany(
        'rate_limited',
        `this organisation has ${PER_ORGANIZATION} files under way already`,
      )
    if (this.#active >= PER_PROCESS) throw tooMany('overloaded', 'too many files are under way')
    this.#active++
    connection.streams++
    this.#held.set(organizationId, own + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      connection.streams--
      this.#leave(organizationId)
    }
  }

  async settled(): Promise<void> {
    if (this.#active === 0) return
    this.#idle ??= Promise.withResolvers<void>()
    await this.#idle.promise
  }

  #leave(organizationId: string): void {
    this.#active--
    const rest = (this.#held.get(organizationId) ?? 1) - 1
    if (rest === 0) this.#held.delete(organizationId)
    else this.#held.set(organizationId, rest)
    if (this.#active > 0) return
    this.#idle?.resolve()
    this.#idle = null
  }
}

function tooMany(code: 'rate_limited' | 'overloaded', message: string): ConnectorError {
  return new ConnectorError(code, message, { retryAfterMs: 1000 })
}

/** The params of a download with the request's `Range` header as the parameter it is a shorthand for. */
export function withRangeHeader(
  { download, entity }: Action,
  params: JsonObject,
  range: string | undefined,
): JsonObject {
  if (range === undefined || download === null) return params
  const at = download.range
  if (at === null) throw refused(`${entity}.download takes no range`)
  const given = ownAt(params, at)
  if (given === undefined) return withMember(params, at, range)
  if (given !== range)
    throw refused(`the Range header and params.${at.join('.')} differ; give one of them`)
  return params
}

function refused(detail: string): ConnectorError {
  return problemError('request_malformed', { pointer: '', code: 'range', detail })
}

/** A file as an answer: what the third party said about it, as an attachment with a safe name. */
export function downloadReply(row: InstanceRow, entity: string, file: FileStream): ServiceReply {
  return {
    status: file.status,
    headers: {
      'content-type': 'application/octet-stream',
      ...file.headers,
      // Made of names that the manifest's pattern allows.
      'content-disposition': `attachment; filename="${row.connectorType}-${entity}"`,
    },
    content: file.body,
  }
}
