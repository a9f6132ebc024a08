// Files through the service: a head that is only sent with a first byte behind it, and bounded numbers of them.
import { ConnectorError } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { Action } from '../language/manifest/manifest.ts'
import { applyPatch } from '../engine/response/merge-patch.ts'
import { patchAt, readParam } from '../engine/response/param-path.ts'
import type { FileStream } from '../engine/run/download.ts'
import type { InstanceRow } from './store/instances.ts'
import type { Connection } from './instances/connections.ts'
import type { ServiceReply } from './route.ts'

const PER_INSTANCE = 8
const PER_PROCESS = 64
/** Whatever one organisation downloads, others find places. */
const PER_ORGANIZATION = 48

export interface Streams {
  /** Takes a place; the returned function gives it back. Throws `rate_limited` or `overloaded`. */
  enter(connection: Pick<Connection, 'streams'>, organizationId: string): () => void
  readonly active: number
  /** Resolves when none is under way, or after `ms`. */
  settle(ms: number): Promise<void>
}

/** The downloads of one process. */
export function createStreams(): Streams {
  let active = 0
  const held = new Map<string, number>()
  let settled: (() => void)[] = []
  return {
    enter(connection, organizationId) {
      const own = held.get(organizationId) ?? 0
      if (connection.streams >= PER_INSTANCE) {
        throw new ConnectorError(
          'rate_limited',
          `this instance has ${PER_INSTANCE} downloads under way already`,
          { retryAfterMs: 1000 },
        )
      }
      if (own >= PER_ORGANIZATION) {
        throw new ConnectorError(
          'rate_limited',
          `this organisation has ${PER_ORGANIZATION} downloads under way already`,
          { retryAfterMs: 1000 },
        )
      }
      if (active >= PER_PROCESS) {
        throw new ConnectorError('overloaded', 'too many downloads are under way', {
          retryAfterMs: 1000,
        })
      }
      active++
      connection.streams++
      held.set(organizationId, own + 1)
      let left = false
      return () => {
        if (left) return
        left = true
        active--
        connection.streams--
        const rest = (held.get(organizationId) ?? 1) - 1
        if (rest === 0) held.delete(organizationId)
        else held.set(organizationId, rest)
        if (active > 0) return
        for (const resolve of settled) resolve()
        settled = []
      }
    },
    get active() {
      return active
    },
    async settle(ms) {
      if (active === 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        settled.push(resolve)
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    },
  }
}

/** The params of a download with the request's `Range` header as the parameter it is a shorthand for. */
export function withRangeHeader(
  { download, entity }: Action,
  params: JsonObject,
  range: string | undefined,
): JsonObject {
  if (range === undefined || download === null) return params
  const at = download?.range ?? null
  if (at === null) {
    throw refused(`${entity}.download takes no range`)
  }
  const given = readParam(params, at)
  if (given === undefined) return applyPatch(params, patchAt(at, range))
  if (given === range) return params
  throw refused(`the Range header and params.${at.join('.')} differ; give one of them`)
}

function refused(detail: string): ConnectorError {
  return new ConnectorError('request_malformed', detail, {
    errors: [{ pointer: '', code: 'range', detail }],
  })
}

/** A file as an answer: what the third party said about it, as an attachment with a safe name. */
export function downloadReply(row: InstanceRow, entity: string, file: FileStream): ServiceReply {
  return {
    kind: 'bytes',
    status: file.status,
    headers: {
      'content-type': 'application/octet-stream',
      ...file.headers,
      // Made of names that the manifest's pattern allows.
      'content-disposition': `attachment; filename="${row.connectorType}-${entity}"`,
    },
    stream: file.body,
  }
}
