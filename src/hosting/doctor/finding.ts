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

interface Findings {
  readonly ok: (message: string) => Finding
  readonly warn: (message: string, remedy: string) => Finding
  readonly fail: (message: string, remedy: string) => Finding
}

export function findingsOf(check: string): Findings {
  return {
    ok: (message) => ({ check, status: 'ok', message, remedy: null }),
    warn: (message, remedy) => ({ check, status: 'warn', message, remedy }),
    fail: (message, remedy) => ({ check, status: 'fail', message, remedy }),
  }
}
