// The error of a manifest that cannot be run: the lint finds such mistakes, but a compiled manifest has not met it.
import { ConnectorError } from '../../errors.ts'

/** Makes `internal_error`: what is wrong is the manifest, and no parameter can mend it. */
export function manifestDefect(problem: string): ConnectorError {
  return new ConnectorError('internal_error', `the manifest cannot be run: ${problem}`)
}
