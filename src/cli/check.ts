// `tenon check`: a manifest next to the vendor's own document, or next to the facts that were stored of it.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { proposeChange } from '../tools/authoring/against/propose.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import type { Json } from '../language/json/json.ts'
import { checkAgainst } from '../tools/authoring/against/check-against.ts'
import { factsOf, type FactsNotes, notesIn } from '../tools/authoring/against/facts.ts'
import { type Finding, type FindingLevel, idOf, judge } from '../tools/authoring/against/finding.ts'
import {
  type OpenApiDocument,
  OpenApiError,
  readOpenApi,
} from '../tools/authoring/openapi/document.ts'
import { type CommandContext, type Configure, JSON_OPTION, leaf } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { findManifest } from './manifest-files.ts'
import type { Channel, Style } from './terminal.ts'
import { textAt, unifiedDiff, writeWhole } from './written-files.ts'

export const notes = `unknown: the document does not have it. missing: the document has it. stale: both have it, and differently. deprecated: so
the document calls it. Errors are what makes a call fail or a promise untrue; exit code 1 says that there are some. Notes, with --all, are
what could be offered as well.

Where the vendor is not as its document, write the finding and the reason into the facts: "x-differs": { "unknown issues record.key": "…" }.`

export const examples: readonly string[] = [
  'tenon check manifests/acme.yaml --against acme.openapi.json',
  'tenon check manifests/acme.yaml --against acme.openapi.json --facts facts/acme.json --origin https://acme.example/openapi.json',
  'tenon check manifests/acme.yaml --against facts/acme.json --json',
  'tenon check manifests/acme.yaml --against new.openapi.json --facts facts/acme.json --propose',
  'tenon check manifests/acme.yaml --against https://mcp.acme.com/mcp',
]

export const configure: Configure = leaf({
  arguments: { '<type>': 'a connector type, or the path of a manifest' },
  options: {
    '--against <file>': {
      text: 'OpenAPI 3, Swagger 2 or Google discovery document, JSON or YAML, stored facts, or the address of an MCP server',
      isRequired: true,
    },
    '--facts <file>': 'store what the document says of these actions: small, without sentences',
    '--origin <text>':
      'where the document comes from, for the facts; default: what they say, else its name',
    '--propose': 'show the change of the manifest that would settle them, as a diff',
    '--write': 'make that change',
    '--all': 'show notes, too, and what the facts accept',
    ...JSON_OPTION,
  },
  async run({ type, against, facts, origin, propose, write, all = false }, context) {
    const { manifest, path } = await findManifest(type, context.folder)
    const { isAddress } = await import('./live-tools.ts')
    if (isAddress(against)) {
      if (facts !== undefined || propose === true || write === true)
        throw new UsageError('--facts, --propose and --write need a document, not a live server')
      return await checkTools({ manifest, url: against, all }, context)
    }
    const { document, own } = await readVendor(against, context)
    const stored = facts === undefined ? null : await readNotes(facts, context)
    const differs = { ...own.differs, ...stored?.differs }
    const { findings, operations, compared, requests } = checkAgainst(manifest, document)
    const { open, accepted } = judge(findings, differs)
    const wantsChange = propose === true || write === true
    const known =
      wantsChange && facts !== undefined ? await knownBefore(manifest, facts, context) : null
    const change = wantsChange ? await changeOf(path, open, known) : null
    if (write === true && change !== null) await writeWhole(path, change.text)
    // A proposal that is only looked at leaves the facts of the earlier document, so that it can be made again.
    if (facts !== undefined && (propose !== true || write === true)) {
      const date = new Date().toISOString().slice(0, 10)
      const named = origin ?? own.origin?.document ?? stored?.origin?.document ?? against
      const written = factsOf(document, operations, {
        origin:
          own.origin === null ? { document: named, date } : { ...own.origin, document: named },
        differs,
      })
      await writeWhole(resolve(context.folder, facts), `${JSON.stringify(written, null, 1)}\n`)
    }
    const count = (level: FindingLevel): number => open.filter((one) => one.level === level).length
    const [errors, warnings, hints] = [count('error'), count('warning'), count('note')]
    const totals = { requests, compared, errors, warnings, notes: hints, accepted: accepted.length }
    const shown = all ? open : open.filter(({ level }) => level !== 'note')
    const lines = shown.map((one) => lineOf(one, context.terminal.out))
    if (all) lines.push(...accepted.map((one) => `accepted  ${idOf(one)}: ${one.reason}\n`))
    const summary = `${compared} of ${requests} requests compared: ${errors} errors, ${warnings} warnings, ${hints} notes, ${accepted.length} accepted`
    return {
      value: {
        ...totals,
        ok: errors === 0,
        findings: open,
        accepted,
        ...(change !== null && { settled: change.settled, diff: change.diff }),
      },
      shown: `${lines.join('')}${change?.diff ?? ''}${summary}${hints > 0 && !all ? ' (--all shows the notes)' : ''}\n`,
      code: errors === 0 ? EXIT.done : EXIT.failed,
    }
  },
})

/** A manifest next to the tools that a live MCP server lists. */
async function checkTools(
  {
    manifest,
    url,
    all,
  }: { readonly manifest: Manifest; readonly url: string; readonly all: boolean },
  { terminal, env }: CommandContext,
) {
  const { askTools } = await import('./live-tools.ts')
  const { checkAgainstTools } = await import('../tools/authoring/mcp/compare-tools.ts')
  const { listedTools } = await import('../tools/authoring/mcp/listed-tool.ts')
  const tools = listedTools(await askTools(url, env))
  const { findings, compared, requests } = checkAgainstTools(manifest, tools)
  const count = (level: FindingLevel): number =>
    findings.filter((one) => one.level === level).length
  const [errors, warnings, notes] = [count('error'), count('warning'), count('note')]
  const shown = all ? findings : findings.filter(({ level }) => level !== 'note')
  const lines = shown.map((one) => lineOf(one, terminal.out)).join('')
  const more = notes > 0 && !all ? ' (--all shows the notes)' : ''
  return {
    value: {
      requests,
      compared,
      errors,
      warnings,
      notes,
      accepted: [],
      ok: errors === 0,
      findings,
    },
    shown: `${lines}${compared} of ${requests} requests compared with ${tools.length} tools: ${errors} errors, ${warnings} warnings, ${notes} notes${more}\n`,
    code: errors === 0 ? EXIT.done : EXIT.failed,
  }
}

/** What the stored facts differ in already; null: there are none. */
async function knownBefore(
  manifest: Manifest,
  facts: string,
  context: CommandContext,
): Promise<ReadonlySet<string> | null> {
  if ((await textAt(resolve(context.folder, facts))) === null) return null
  const { document } = await readVendor(facts, context)
  if (document.operations.length === 0) return null
  return new Set(checkAgainst(manifest, document).findings.map(textOf))
}

function textOf(finding: Finding): string {
  return `${idOf(finding)} ${finding.message}`
}

/**
 * The manifest with what is to be settled: all but notes; next to the facts of an earlier document only what is new, notes
 * as well.
 */
async function changeOf(
  path: string,
  open: readonly Finding[],
  known: ReadonlySet<string> | null,
): Promise<{ readonly text: string; readonly diff: string; readonly settled: readonly string[] }> {
  const before = (await textAt(path)) ?? ''
  const wanted = open.filter((one) =>
    known === null ? one.level !== 'note' : !known.has(textOf(one)),
  )
  const { text, settled } = proposeChange(before, path, wanted)
  return { text, diff: unifiedDiff(before, text), settled: settled.map(idOf) }
}

async function readVendor(
  file: string,
  { folder }: CommandContext,
): Promise<{ readonly document: OpenApiDocument; readonly own: FactsNotes }> {
  let text: string
  try {
    text = await readFile(resolve(folder, file), 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read`)
  }
  try {
    // Only facts, which are JSON, have notes.
    const hasNotes = text.includes('"x-origin"') || text.includes('"x-differs"')
    const own = notesIn(hasNotes ? (JSON.parse(text) as Json) : null)
    return { document: readOpenApi(text, file), own }
  } catch (error) {
    if (error instanceof OpenApiError || error instanceof SyntaxError)
      throw new UsageError(error.message)
    throw error
  }
}

async function readNotes(file: string, { folder }: CommandContext): Promise<FactsNotes | null> {
  const text = await textAt(resolve(folder, file))
  if (text === null) return null
  try {
    return notesIn(JSON.parse(text) as Json)
  } catch {
    throw new UsageError(`${file} is there and is no JSON: --facts would replace it`)
  }
}

const STYLES: Readonly<Record<FindingLevel, Style>> = {
  error: 'red',
  warning: 'yellow',
  note: 'gray',
}

function lineOf({ level, kind, place, message, hint }: Finding, out: Channel): string {
  const said = hint === null ? message : `${message}; ${hint}`
  return `${out.paint(STYLES[level], level.padEnd(7))}  ${kind} ${place}: ${said}\n`
}
