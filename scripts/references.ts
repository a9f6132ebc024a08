// The references in docs/reference, made of what they describe: the command line, the routes, the errors, the schema.
//
//   node scripts/references.ts            writes them
//   node scripts/references.ts --check    exits 1 when a file is not what it would be
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { type CommandContext, declareCommand } from '../src/cli/command.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { DocsLinks } from '../src/cli/docs-links.ts'
import { createTerminal } from '../src/cli/terminal.ts'
import { type AuditAction, AUDIT_ACTIONS, targetWords } from '../src/display/audit-actions.ts'
import { REMEDIES } from '../src/display/error-remedies.ts'
import { type ErrorCode, ERRORS } from '../src/errors.ts'
import { createService } from '../src/hosting/service.ts'
import type { JsonObject } from '../src/language/json/json.ts'
import { apiReference, prose } from '../src/tools/codegen/api-reference.ts'

const FOLDER = 'docs/reference'
const MADE = '<!-- Made by scripts/references.ts. Do not edit. -->'

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

async function commandLine(): Promise<string> {
  const { stdout, stderr } = process
  const context: CommandContext = {
    // Help does not depend on who looks at it.
    terminal: createTerminal(stdout, stderr, { NO_COLOR: '1' }),
    env: {},
    folder: '.',
    signal: new AbortController().signal,
    docs: new DocsLinks({}),
  }
  const sections: string[] = []
  for (const { name, summary, load } of COMMANDS) {
    const command = new Command(name).description(summary)
    command.configureHelp({ helpWidth: 96 }).configureOutput({ getOutHelpWidth: () => 96 })
    const module = await load()
    declareCommand(command, module, context, () => {})
    sections.push(`## tenon ${name}\n\n${helpOf(command, 'tenon')}`)
    for (const sub of command.commands) {
      sub.configureHelp({ helpWidth: 96 })
      sections.push(`### tenon ${name} ${sub.name()}\n\n${helpOf(sub, 'tenon')}`)
    }
  }
  return `# Command line\n\n${MADE}\n\nEvery command prints this with \`--help\`. Results go to standard output, all else to standard error. In a terminal tables fit the line and tell moments as \`3d ago\`, and what is longer than the screen is shown by \`TENON_PAGER\`, \`PAGER\` or \`less\` (\`--no-pager\`, which every command takes, \`TENON_PAGER=cat\`, and pipes have none). With \`--json\` every command prints exact values, in one of two forms: of a list one line of JSON for each of its rows and nothing where there is none, so that \`jq .id\` reads it (\`jq -s\` makes it an array), and of all else one JSON document, an object. The help of a command says which. \`try\` prints the answer of its one call, and with \`--all\` or \`--limit\` the records as lines. What a command cannot do is \`{"error":{"code":…,"message":…}}\`. Exit codes: 0 done, 1 findings or failed, 2 wrong use, 3 credentials or token refused, 4 third party or service not reachable or failing, 130 interrupted.\n\n${sections.join('\n\n')}\n`
}

function helpOf(command: Command, parent: string): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 96 })
  command.outputHelp()
  const usage = text.replace(/^Usage: (?:\S+ )*?(?=[^ ]+ ?)/, 'Usage: ')
  return `\`\`\`text\n${usage.replace(/^Usage: /, `Usage: ${parent} `).trimEnd()}\n\`\`\``
}

const ABOUT_API =
  "The service's own `/openapi.json` is the same in OpenAPI 3.1, `/docs` shows it, with each request for curl, TypeScript, Python and, where one does it, as a command, and a form that sends it with the session of the console."

async function api(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-references-'))
  const service = await createService({
    mode: 'dev',
    data: folder,
    logLevel: 'silent',
    jobs: false,
    publicUrl: 'https://tenon.example.com',
  })
  try {
    const document = service.openApi()
    if (document === null) throw new TypeError('the service has no document')
    return apiReference(document, `${MADE}\n\n${ABOUT_API}`, 'errors.md')
  } finally {
    await service.close()
    rmSync(folder, { recursive: true })
  }
}

function typeOf(schema: JsonObject): string {
  const { type, enum: values, $ref: reference } = schema
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (typeof reference === 'string')
    return `[${reference.split('/').at(-1)}](#${String(reference.split('/').at(-1)).toLowerCase()})`
  if (Array.isArray(type)) return type.map(String).join(' or ')
  return typeof type === 'string' ? type : 'any'
}

function cell(text: unknown): string {
  return typeof text === 'string' ? prose(text).replaceAll('|', '\\|').replaceAll('\n', ' ') : ''
}

function auditActions(): string {
  const groups = Object.entries(AUDIT_ACTIONS).map(([group, actions]) => {
    const rows = Object.entries(actions).map(
      ([action, [words]]) => `| \`${action}\` | ${words} | ${targetWords(action as AuditAction)} |`,
    )
    return `## ${group}\n\n| Action | Meaning | Target |\n| --- | --- | --- |\n${rows.join('\n')}`
  })
  return `# Actions of the audit log\n\n${MADE}\n\nWhat \`action\` of an entry can be, and what its \`target\` is then. How it ended is its \`outcome\`. \`GET /v1/audit\`, \`tenon audit list\` and the console take one action, or the word before the dot for all that begin with it. What is never in the log: [security](../security.md#11-audit-log).\n\n${groups.join('\n\n')}\n`
}

function errors(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { status, origin, retry, title } = ERRORS[code]
    return `| <a id="${code}"></a>\`${code}\` | ${status ?? '–'} | ${origin} | ${retry === true ? 'yes' : retry === false ? 'no' : 'reads'} | ${title} | ${REMEDIES[code]} |`
  })
  return `# Errors\n\n${MADE}\n\nOne class, \`ConnectorError\`, with one of these codes; over HTTP a problem (RFC 9457) with the same members. *Who acts* is \`request\` (you: the input), \`auth\` (you: the token), \`connector\` (the owner of the account: the instance or its credentials), \`upstream\` (the third party) or \`service\` (the operator). *Retry* says whether the same request can succeed later; \`reads\` means yes, unless the request may have changed something. Codes are never renamed; new ones are added.\n\n| Code | Status | Who acts | Retry | Meaning | What to do |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`
}

function manifestKeys(): string {
  const schema = JSON.parse(readFileSync('schemas/manifest.schema.json', 'utf8')) as JsonObject
  const definitions = schema['definitions'] as Readonly<Record<string, JsonObject>>
  const sections = [
    `## Top level\n\n${keysOf(schema)}`,
    ...Object.entries(definitions).map(([name, definition]) =>
      [`## ${name}`, cell(definition['description']), keysOf(definition) || formOf(definition)]
        .filter((part) => part !== '')
        .join('\n\n'),
    ),
  ]
  return `# Keys of a manifest\n\n${MADE}\n\nThis page is made from \`schemas/manifest.schema.json\`, which editors read for completion. [The manifest language](../manifest-language.md) explains the keys in full, with examples.\n\n${sections.join('\n\n')}\n`
}

/** A definition without keys: what it may be. */
function formOf(schema: JsonObject): string {
  const pattern = schema['pattern']
  const forms = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonObject[] | undefined
  const types =
    forms === undefined
      ? typeOf(schema)
      : [...new Set(forms.map(typeOf))].filter((type) => type !== 'any').join(', or ')
  if (types === '' || types === 'any') return ''
  return `${types}${typeof pattern === 'string' ? `, matching \`${pattern}\`` : ''}.`
}

function keysOf(schema: JsonObject): string {
  const properties = schema['properties'] as Readonly<Record<string, JsonObject>> | undefined
  if (properties === undefined) return ''
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const rows = Object.entries(properties).map(
    ([name, member]) =>
      `| \`${name}\` | ${typeOf(member)} | ${required.has(name) ? 'yes' : ''} | ${cell(member['description'])} |`,
  )
  return `| Key | Type | Required | Meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
}

const pages: Readonly<Record<string, string>> = {
  'cli.md': await commandLine(),
  'api.md': await api(),
  'errors.md': errors(),
  'manifest.md': manifestKeys(),
  'audit.md': auditActions(),
}

const isCheck = process.argv.includes('--check')
let stale = 0
mkdirSync(FOLDER, { recursive: true })
for (const [name, text] of Object.entries(pages)) {
  const path = join(FOLDER, name)
  if (textAt(path) === text) continue
  stale++
  process.stdout.write(`${isCheck ? 'stale' : 'written'} ${path}\n`)
  if (!isCheck) writeFileSync(path, text)
}
process.exitCode = isCheck && stale > 0 ? 1 : 0
