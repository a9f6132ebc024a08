// What `tenon try` needs to know, from flags, environment variables and files. Secrets never come as arguments.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as textFrom } from 'node:stream/consumers'
import { InvalidArgumentError } from 'commander'
import { fileFrom, type GivenFile } from '../client/files.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { JsonError, NOT_JSON, parseJson } from '../language/json/parse-json.ts'
import type { JsonSchema, Manifest } from '../language/manifest/manifest.ts'
import { UsageError } from './exit-codes.ts'

/** Prefix of the variables that hold one credential or setting each: `TENON_TRY_ACCESS_KEY`. */
const VARIABLE_PREFIX = 'TENON_TRY_'

/**
 * JSON from a flag: the text itself, `@file` in a folder, or `-` for standard input; undefined where it is not given.
 * Throws UsageError that names the flag.
 */
export async function readJsonFlag(
  flag: string,
  value: string | undefined,
  { folder }: { readonly folder: string },
): Promise<JsonObject | undefined> {
  if (value === undefined) return undefined
  const text =
    value === '-'
      ? await textFrom(process.stdin)
      : value.startsWith('@')
        ? await readNamed(flag, value.slice(1), folder)
        : value
  let parsed: Json
  try {
    parsed = parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { offset } = error
    const known = error.message === NOT_JSON ? '' : `: ${error.message}`
    const what = offset === null ? known : `: character ${offset + 1} does not belong there`
    throw new UsageError(
      `${flag} is not JSON${what}. Names and texts have double quotes, such as '{"id":"1"}'; @file, or - for standard input, is taken as well`,
    )
  }
  if (!isJsonObject(parsed))
    throw new UsageError(`${flag} must be a JSON object, such as '{"id":"1"}'`)
  return parsed
}

/** One more `--file name=@path`. Throws commander's InvalidArgumentError. */
export function fileFlag(text: string, before: readonly FileFlag[]): readonly FileFlag[] {
  const [, name, path] = /^([^=@]+)=@(.+)$/.exec(text) ?? []
  if (name === undefined || path === undefined)
    throw new InvalidArgumentError('write name=@path, such as --file file=@report.pdf')
  return [...before, { name, path }]
}

export interface FileFlag {
  /** Of the parameter. */
  readonly name: string
  readonly path: string
}

/** Files of a folder as parameters. Throws UsageError for a parameter that is given twice. */
export function filesAsParams(
  files: readonly FileFlag[],
  given: JsonObject,
  folder: string,
): Readonly<Record<string, GivenFile>> {
  const params: Record<string, GivenFile> = {}
  for (const { name, path } of files) {
    if (Object.hasOwn(given, name) || Object.hasOwn(params, name))
      throw new UsageError(`${name} is given twice; give it once, in --file or in --params`)
    params[name] = fileFrom({ path: resolve(folder, path) })
  }
  return params
}

/**
 * Members of a manifest's credentials and settings that the environment names, as the schemas want them.
 * With an instance only its own variables count (`TENON_TRY_JIRA_USERNAME`).
 */
export function fromEnvironment(
  manifest: Manifest,
  env: Readonly<Record<string, string | undefined>>,
  instance: string | null = null,
): Readonly<Record<'credentials' | 'config', JsonObject>> {
  const read = (schemas: readonly JsonSchema[]): JsonObject =>
    Object.fromEntries(
      schemas.flatMap(membersIn).flatMap(([name, schema]): readonly [string, Json][] => {
        const text = env[variableOf(name, instance)]
        return text === undefined || text === '' ? [] : [[name, valueFor(schema, text)]]
      }),
    )
  return { credentials: read(credentialSchemas(manifest)), config: read([manifest.config.schema]) }
}

/** The variables that `fromEnvironment` looks at, credentials first. */
export function variablesOf(manifest: Manifest, instance: string | null = null): readonly string[] {
  const schemas = [...credentialSchemas(manifest), manifest.config.schema]
  return [...new Set(schemas.flatMap(membersIn).map(([name]) => variableOf(name, instance)))]
}

function credentialSchemas({ auth }: Manifest): readonly JsonSchema[] {
  return auth.map(({ credentials }) => credentials.schema)
}

function membersIn({ properties }: JsonSchema): readonly (readonly [string, Json])[] {
  return isJsonObject(properties) ? Object.entries(properties) : []
}

/** Environment variables are text; where the schema wants no text, they hold JSON. */
function valueFor(schema: Json, text: string): Json {
  const type = isJsonObject(schema) ? schema['type'] : undefined
  const types = Array.isArray(type) ? type : [type ?? 'string']
  if (types.includes('string')) return text
  try {
    return parseJson(text)
  } catch {
    // Validation of the settings names the member and what it must be.
    return text
  }
}

/** The variable that holds one credential or setting, of one instance where several are connected. */
export function variableOf(name: string, instance: string | null = null): string {
  const words = instance === null ? name : `${instance}_${name}`
  return VARIABLE_PREFIX + words.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}

async function readNamed(flag: string, path: string, folder: string): Promise<string> {
  try {
    return await readFile(resolve(folder, path), 'utf8')
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'there is no such file'
        : String(error)
    throw new UsageError(`${flag} names ${path}: ${reason}`)
  }
}
