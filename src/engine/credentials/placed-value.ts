// Values made of credentials, put where only some texts can stand.
import { ConnectorError } from '../../errors.ts'
import { compileTemplate, ValueError } from '../../language/expression/evaluate.ts'
import type { Scope, Template } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { namesIn } from '../../language/expression/paths-in.ts'

/**
 * Compiles a template to what `put` makes of its value; undefined when it is absent or null.
 *
 * A value that a helper or `put` refuses (ValueError) is `credentials_invalid` with the names of the credentials the
 * template is made of, `internal_error` where there are none: then only the manifest can be the cause.
 */
export function compilePlaced<T>(
  template: Template,
  put: (value: Json) => T,
): (scope: Scope) => T | undefined {
  const evaluate = compileTemplate(template)
  const names = namesIn(template, 'credentials')
  return (scope) => {
    try {
      const value = evaluate(scope)
      return value === undefined || value === null ? undefined : put(value)
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      throw unfit(names, error.message)
    }
  }
}

/** The error for credentials that cannot stand where the manifest puts them. */
function unfit(names: readonly string[], detail: string): ConnectorError {
  return names.length === 0
    ? new ConnectorError(
        'internal_error',
        `the manifest puts a value where it cannot stand: ${detail}`,
      )
    : new ConnectorError('credentials_invalid', `${names.join(', ')}: ${detail}`, {
        errors: names.map((name) => ({ pointer: `/credentials/${name}`, code: 'format', detail })),
      })
}
