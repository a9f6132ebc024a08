// How many files and sockets this process may have open at once, and who of it may have how many.
import { readFileSync } from 'node:fs'

/** What a process needs in any case: Node, its threads, the store, and what is open for a moment only. */
const KEPT = 64
/** A third of the others is for copies. */
const SHARE_OF_COPIES = 1 / 3
const MAX_FILES = 64
const SHARE_OF_CALLERS = 3 / 4
/** Of what is left then. */
const SHARE_OF_WEBHOOKS = 1 / 4

export interface FileShare {
  /** Files of copies that stay open in each of two threads. */
  readonly files: number
  /** Readers of one file that a thread keeps for the next searches. */
  readonly readers: number
}

export interface SocketShares {
  /** Connections of callers. */
  readonly callers: number
  /** Connections to third parties. */
  readonly upstreams: number
  /** Connections to receivers of webhooks. */
  readonly webhooks: number
}

/** Known under Linux; elsewhere there are enough. Source: proc_pid_limits(5). */
export function descriptorLimit(): number {
  try {
    const [, soft = ''] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === '' ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}

/** Of a process with so many descriptors. */
export function fileShare(limit: number = descriptorLimit()): FileShare {
  const share = (limit - KEPT) * SHARE_OF_COPIES
  const readers = share < MAX_FILES * perFile(1) ? 1 : 4
  const files = Math.floor(share / perFile(readers))
  return { files: Math.max(2, Math.min(MAX_FILES, files)), readers }
}

/** Its writer has the file and its log, all share one index of the log; each thread has free readers and one that reads. */
function perFile(readers: number): number {
  return 3 + 2 * 2 * (readers + 1)
}

/** `connections`: those to a database server, in place of files. */
export function socketShares(connections: number, limit: number = descriptorLimit()): SocketShares {
  const { files, readers } = fileShare(limit)
  const others = connections === 0 ? files * perFile(readers) : connections
  const left = Math.max(8, limit - KEPT - others)
  if (left === Infinity) return { callers: left, webhooks: left, upstreams: left }
  const callers = Math.floor(left * SHARE_OF_CALLERS)
  const webhooks = Math.floor((left - callers) * SHARE_OF_WEBHOOKS) || 1
  return { callers, webhooks, upstreams: left - callers - webhooks }
}
