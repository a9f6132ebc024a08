// Makes the module that says whether a document fits schemas/manifest.schema.json: compiling the schema takes longer than
// all else that is done with a manifest, so it is done here and not in every process.
//
//   node scripts/manifest-validator.ts            writes it
//   node scripts/manifest-validator.ts --check    exits 1 when it is not what it would be
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import { minify } from 'rolldown/utils'

import { standaloneValidator } from '../src/tools/codegen/standalone-validator.ts'
import type { JsonObject } from '../src/language/json/json.ts'
import { readSchema } from '../src/language/manifest/schema-problems.ts'

const MADE = 'src/language/manifest/is-manifest.ts'
const PATTERNS = './ajv-pattern.ts'

async function moduleText(): Promise<string> {
  const { code, errors } = await minify(
    'is-manifest.js',
    `function makeValidator(module) {
      ${standaloneValidator(withoutTexts(readSchema()), {}, PATTERNS)}
      return module.exports
    }`,
  )
  const required = [
    ...new Set([...code.matchAll(/\brequire\(([`"'])([^`"']+)\1\)/g)].map(([, , id = '']) => id)),
  ].toSorted()
  // The default of a module of CommonJS is what its `require` gives.
  const imports = required
    .map((id, index) =>
      id === PATTERNS
        ? `import * as module${index} from '${id}'`
        : `import module${index} from '${id}.js'`,
    )
    .join('\n')
  const entries = required.map((id, index) => `'${id}': module${index}`).join(', ')
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return `// @ts-nocheck
// Made by scripts/manifest-validator.ts of schemas/manifest.schema.json. Do not edit.
${imports}

const MODULES = { ${entries} }
// Some loaders give what a module of CommonJS exports as its default at once.
const require = (name) => (typeof MODULES[name] === 'function' ? { default: MODULES[name] } : MODULES[name])

let fits

/** Whether a document fits the JSON Schema of manifests, and nothing more. What it needs is loaded by the first call. */
export function isManifest(document: unknown): boolean {
  return (fits ??= makeValidator({}))(document)
}

${code.trim()}
`
}

/** What the schema says to people is no part of the verdict. */
function withoutTexts(schema: JsonObject): JsonObject {
  const isText = (key: string, value: unknown): boolean =>
    key.startsWith('x-tenon-') ||
    key === 'defaultSnippets' ||
    (['title', 'description'].includes(key) && typeof value === 'string')
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (isText(key, value) ? undefined : value)),
  ) as JsonObject
}

const text = await moduleText()
if (!existsSync(MADE) || readFileSync(MADE, 'utf8') !== text) {
  const isCheck = process.argv.includes('--check')
  process.stdout.write(`${isCheck ? 'stale' : 'written'} ${MADE}\n`)
  if (isCheck) process.exitCode = 1
  else writeFileSync(MADE, text)
}
