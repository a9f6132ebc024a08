// Bodies of requests on their way to values: so many bytes per second and application, and large ones in slices, so that
// nobody waits for what somebody else has sent.
import type { IncomingHttpHeaders } from 'node:http'
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { type ByteRate, createByteRate } from '../tokens/byte-rate.ts'
import type { Principal } from '../tokens/principal.ts'
import type { Turns } from '../turns.ts'
import { type BodyReading, openJsonBody } from './json-text.ts'

/** `bytesPerSecond`: per application; null: as many as it likes. */
export interface BodyReaderPorts {
  readonly clock: Clock
  readonly turns: Turns
  readonly bytesPerSecond: number | null
}

/** Smaller ones are read at once: that takes less than a slice. */
const AT_ONCE_BYTES = 32 * 1024

export class BodyReader {
  readonly #ports: BodyReaderPorts
  readonly #rate: ByteRate | null

  constructor(ports: BodyReaderPorts) {
    const { clock, bytesPerSecond } = ports
    this.#ports = ports
    this.#rate = bytesPerSecond === null ? null : createByteRate(clock, bytesPerSecond)
  }

  /** Throws `rate_limited` where the application of a caller has sent too much already. */
  admit(caller: Principal): void {
    const ms = this.#rate?.wait(applicationOf(caller)) ?? 0
    if (ms === 0) return
    throw new ConnectorError(
      'rate_limited',
      `this application sends more than ${this.#ports.bytesPerSecond} bytes of bodies per second; nothing was sent on`,
      { retryAfterMs: Math.ceil(ms) },
    )
  }

  /**
   * The value of a body; undefined where there is none. A promise for large ones. `caller`: null where nobody is known, who
   * must be kept from sending much. Throws or rejects with what `admit` and `openJsonBody` throw.
   */
  read(
    caller: Principal | null,
    headers: IncomingHttpHeaders,
    bytes: Buffer,
  ): JsonObject | undefined | Promise<JsonObject> {
    if (bytes.length === 0) return undefined
    if (caller !== null && this.#rate !== null) {
      this.admit(caller)
      this.#rate.take(applicationOf(caller), bytes.length)
    }
    const reading = openJsonBody(headers, bytes)
    if (bytes.length > AT_ONCE_BYTES)
      return this.#readInTurns(caller === null ? '' : applicationOf(caller), reading)
    reading.readOn(NEVER)
    return reading.body
  }

  async #readInTurns(key: string, reading: BodyReading): Promise<JsonObject> {
    await this.#ports.turns.run(key, (isOver) => reading.readOn(isOver))
    return reading.body
  }
}

/** Where a host app vouches for its callers, their organisation. */
function applicationOf({ clientId, organizationId }: Principal): string {
  return clientId ?? `organization ${organizationId}`
}

const NEVER = (): boolean => false
