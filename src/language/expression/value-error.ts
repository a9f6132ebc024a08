// The one way in which evaluation fails.
import type { Expression } from './syntax.ts'
import { ConnectorError } from '../../errors.ts'

/** A value that a helper or a place cannot take. The message describes the kind of value, never the value itself. */
export class ValueError extends Error {
  /** What gave the value; null while that is not known yet. */
  readonly expression: Expression | null

  constructor(message: string, expression: Expression | null = null) {
    super(message)
    this.name = 'ValueError'
    this.expression = expression
  }
}

/** Makes `internal_error`: what is wrong is the manifest, and no parameter can mend it. */
export function manifestDefect(problem: string): ConnectorError {
  return new ConnectorError('internal_error', `the manifest cannot be run: ${problem}`)
}
