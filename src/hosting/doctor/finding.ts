// What a look at an installation says: one line per thing that was looked at.

export interface Finding {
  /** What was looked at: `node`, `settings`, `store` … */
  readonly check: string
  /** `fail`: the service does not start, or does not work; `warn`: it works, and somebody will be sorry. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  /** The way out; null where none is needed. */
  readonly remedy: string | null
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, remedy: null }
}

export function warn(check: string, message: string, remedy: string): Finding {
  return { check, status: 'warn', message, remedy }
}

export function fail(check: string, message: string, remedy: string): Finding {
  return { check, status: 'fail', message, remedy }
}
