// Bodies of requests on their way to values: so many bytes per second and application, and large ones in slices, so that
// nobody waits for what somebody else has sent.
import type { IncomingHttpHeaders } from 'node:http'
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { createByteRate } from '../tokens/byte-rate.ts'
import type { Principal } from '../tokens/principal.ts'
import type { Turns } from '../turns.ts'
import { type BodyReading, openJsonBody } from './json-text.ts'

export interface BodyReader {
  /** Throws `rate_limited` where the application of a caller has sent too much already. */
  admit(caller: Principal): void
  /**
   * The value of a body; undefined where there is none. A promise for large ones. `caller`: null where nobody is known, who
   * must be kept from sending much. Throws or rejects with what `admit` and `openJsonBody` throw.
   */
  read(
    caller: Principal | null,
    headers: IncomingHttpHeaders,
    bytes: Buffer,
  ): JsonObject | undefined | Promise<JsonObject>
}

/** `bytesPerSecond`: per application; null: as many as it likes. */
export interface BodyReaderPorts {
  readonly clock: Clock
  readonly turns: Turns
  readonly bytesPerSecond: number | null
}

/** Smaller ones are read at once: that takes less than a slice. */
const AT_ONCE_BYTES = 32 * 1024

export function createBodyReader({ clock, turns, bytesPerSecond }: BodyReaderPorts): BodyReader {
  const rate = bytesPerSecond === null ? null : createByteRate(clock, bytesPerSecond)

  function admit(caller: Principal): void {
    const ms = rate?.wait(applicationOf(caller)) ?? 0
    if (ms === 0) return
    throw new ConnectorError(
      'rate_limited',
      `this application sends more than ${bytesPerSecond} bytes of bodies per second; nothing was sent on`,
      { retryAfterMs: Math.ceil(ms) },
    )
  }

  async function readInTurns(key: string, reading: BodyReading): Promise<JsonObject> {
    await turns.run(key, (isOver) => reading.readOn(isOver))
    return reading.body
  }

  return {
    admit,
    read(caller, headers, bytes) {
      if (bytes.length === 0) return undefined
      if (caller !== null && rate !== null) {
        admit(caller)
        rate.take(applicationOf(caller), bytes.length)
      }
      const reading = openJsonBody(headers, bytes)
      if (bytes.length > AT_ONCE_BYTES)
        return readInTurns(caller === null ? '' : applicationOf(caller), reading)
      reading.readOn(NEVER)
      return reading.body
    },
  }
}

/** Where a host app vouches for its callers, their organisation. */
function applicationOf({ clientId, organizationId }: Principal): string {
  return clientId ?? `organization ${organizationId}`
}

const NEVER = (): boolean => false
