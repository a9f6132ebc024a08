// A schema as the text of a program: a validator that needs no Ajv when it runs.
import { Ajv } from 'ajv'
import standaloneModule from 'ajv/dist/standalone/index.js'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { compileForAjv } from '../../language/manifest/ajv-pattern.ts'
import { withDefinitions } from '../../language/manifest/json-schema.ts'
import { addTimeFormats } from '../../language/manifest/time-formats.ts'
import { AJV_OPTIONS, PACKAGED_FORMATS } from '../../language/manifest/validator.ts'

/**
 * The text of a CommonJS module whose export says whether a value is valid. The same schema gives the same text.
 *
 * `patterns` is the path, as the module would require it, of the module that compiles patterns (`ajv-pattern.js`).
 */
export function standaloneValidator(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  patterns: string,
): string {
  const regExp = Object.assign((source: string) => compileForAjv(source), {
    code: `require(${JSON.stringify(patterns)}).compileForAjv`,
  })
  const ajv = new Ajv({
    ...AJV_OPTIONS,
    verbose: false,
    messages: false,
    code: { source: true, lines: true, regExp },
  })
  // Both are CommonJS modules whose export Node wraps once more.
  const addFormats =
    (addFormatsModule as unknown as { readonly default?: FormatsPlugin }).default ??
    addFormatsModule
  ;(addFormats as unknown as FormatsPlugin)(ajv, PACKAGED_FORMATS)
  addTimeFormats(ajv)
  const standalone =
    (standaloneModule as unknown as { readonly default?: typeof standaloneModule }).default ??
    standaloneModule
  type Standalone = (ajv: Ajv, validate: unknown) => string
  const text = (standalone as unknown as Standalone)(
    ajv,
    ajv.compile(withDefinitions(schema, definitions)),
  )
  return withoutReports(text)
}

/**
 * Only whether a value is valid is asked of these validators, and half of their text describes what is not: the errors
 * stay, because they are counted, but they say nothing. Each stands on a line of its own.
 */
function withoutReports(text: string): string {
  return text.replaceAll(
    /^((?:validate\d+\.errors = \[|const err\d+ = )\{)instancePath.*(\}\]?;)$/gm,
    '$1$2',
  )
}
