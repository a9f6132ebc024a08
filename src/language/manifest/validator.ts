// JSON Schema validation for the whole engine: one place that knows Ajv, its options and its error objects.
import type { Ajv, Options, ValidateFunction } from 'ajv'
import type { FormatName } from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Problem } from '../../errors.ts'
import { schemaCompiler } from '../../late-modules.ts'
import type { JsonObject } from '../json/json.ts'
import type { JsonSchema } from './manifest.ts'
import { compileForAjv } from './ajv-pattern.ts'
import { OWN_ANNOTATIONS, withDefinitions } from './json-schema.ts'
import { addTimeFormats, OWN_FORMATS } from './time-formats.ts'
import { createExplainer, FORMATS } from './value-problems.ts'
import { compileFits } from './verdict.ts'

/**
 * The problems of a value, at most 20, none when it is valid. The last of 20 may say how many more there are (code
 * `more`); `unread` problems of a value that is not valid are counted with them.
 */
export interface Validator {
  (value: unknown, unread?: number): readonly Problem[]
  /** Whether there are none: costs less than the list. */
  isValid(value: unknown): boolean
}

export interface ValidatorOptions {
  /** Where the value stands in the request: the start of every pointer, `/params`. Default: empty. */
  readonly pointer?: string
  /** What a member at the top is called in messages: `parameter`, `credential`, `setting`. Default `member`. */
  readonly noun?: string
}

/**
 * Compiles a closed schema into a function that lists all problems of a value, each with its JSON pointer, in plain
 * words, with the property's description and the nearest known name. Values never appear in a message.
 *
 * Ajv is loaded and the schema compiled for the first value that does not fit, not here. Values of more than 5,000
 * nodes are checked up to their first problem only. Source: docs/security.md, row P6.
 */
export function compileValidator(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  { pointer = '', noun = 'member' }: ValidatorOptions = {},
): Validator {
  const explain = createExplainer({
    schema,
    definitions,
    pointer,
    noun,
    compile: (branch) => compileSchema(withDefinitions(branch, definitions), { allErrors: true }),
  })
  const fits = compileFits(schema, definitions)
  const compiled = (): ValidateFunction => compiledOnce(schema, definitions, 'first')
  const check = (value: unknown, unread: number): readonly Problem[] => {
    if (fits(value) === true) return []
    const validate = compiled()
    if (validate(value)) return []
    const errors = validate.errors ?? []
    if (!hasAtMost(value, MAX_NODES)) return explain(errors, unread)
    const all = compiledOnce(schema, definitions, 'all')
    all(value)
    return explain(all.errors ?? errors, unread)
  }
  const tooDeep = [{ pointer, code: 'depth', detail: 'must not be nested so deeply' }]
  const list = (value: unknown, unread = 0): readonly Problem[] =>
    bounded(() => check(value, unread), tooDeep)
  const isValid = (value: unknown): boolean =>
    bounded(() => fits(value) ?? compiled()(value), false)
  return Object.assign(list, { isValid })
}

/** What was compiled of a schema under its definitions: every client and instance of one manifest has the same schemas. */
const compiledSchemas = new WeakMap<
  JsonSchema,
  { readonly definitions: object; first?: ValidateFunction; all?: ValidateFunction }
>()

/** A function that ends at the first problem, or lists all of them. */
function compiledOnce(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  problems: 'first' | 'all',
): ValidateFunction {
  let known = compiledSchemas.get(schema)
  if (known?.definitions !== definitions) {
    known = { definitions }
    compiledSchemas.set(schema, known)
  }
  return (known[problems] ??= compileSchema(withDefinitions(schema, definitions), {
    allErrors: problems === 'all',
  }))
}

/** A schema that refers to itself follows the value down, and the value may go round in a circle. */
function bounded<T>(run: () => T, tooDeep: T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) return tooDeep
    throw error
  }
}

/** Compiles any schema with the shared Ajv; for the schemas of the project itself, whose errors are read as they are. */
export function compileSchema(
  schema: JsonSchema,
  options: { readonly allErrors?: boolean } = {},
): ValidateFunction {
  const ajv =
    options.allErrors === true
      ? (reportingAjv ??= createAjv(true))
      : (quickAjv ??= createAjv(false))
  try {
    return ajv.compile(schema)
  } finally {
    // Ajv would keep every schema for the life of the process.
    ajv.removeSchema(schema)
  }
}

// Every error costs an object; a value of a megabyte can be wrong in a hundred thousand places.
const MAX_NODES = 5000

let quickAjv: Ajv | null = null
let reportingAjv: Ajv | null = null

function createAjv(allErrors: boolean): Ajv {
  // Loaded on first use: the two take 60 ms.
  const { Ajv } = schemaCompiler()
  // What Ajv calls optimizing doubles the time to compile, and saves little of what a call takes.
  const code = { ...AJV_OPTIONS.code, optimize: false }
  const ajv = new Ajv({ ...AJV_OPTIONS, allErrors, code })
  for (const name of PACKAGED_FORMATS) ajv.addFormat(name, fullFormats[name])
  addTimeFormats(ajv)
  return ajv
}

const PACKAGED_FORMATS: FormatName[] = Object.keys(FORMATS).filter(
  (name): name is FormatName => !OWN_FORMATS.has(name),
)

/** How every schema is compiled. Source: docs/security.md, row P6. */
const AJV_OPTIONS: Options = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  ownProperties: true,
  coerceTypes: false,
  useDefaults: false,
  validateFormats: true,
  verbose: true,
  logger: false,
  // For `tenon diff`, the resolver, and forms: no part of the verdict.
  keywords: [...OWN_ANNOTATIONS],
  code: { regExp: Object.assign(compileForAjv, { code: 'compileForAjv' }) },
}

function hasAtMost(value: unknown, limit: number): boolean {
  const pending = [value]
  let count = 0
  while (pending.length > 0) {
    const part = pending.pop()
    if (++count > limit) return false
    if (Array.isArray(part)) {
      if (count + part.length > limit) return false
      pending.push(...(part as readonly unknown[]))
    } else if (typeof part === 'object' && part !== null) {
      // The values of a large object take as long as parsing it: only as many as matter are asked for.
      for (const name in part) {
        if (count + pending.push((part as JsonObject)[name]) > limit) return false
      }
    }
  }
  return true
}
