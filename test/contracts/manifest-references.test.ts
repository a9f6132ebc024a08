// The page of each packaged connector has everything that its manifest offers: read from the YAML, not from what the page
// is made of.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Members {
  readonly properties?: Readonly<Record<string, object>>
}

interface Written {
  readonly connector: { readonly type: string; readonly version: string; readonly docs?: string }
  readonly auth?: Readonly<
    Record<string, { readonly title?: string; readonly credentials?: Members | string }>
  >
  readonly config?: Members
  readonly limits?: { readonly rate?: string | readonly string[]; readonly concurrency?: number }
  readonly entities: Readonly<
    Record<
      string,
      {
        readonly record?: Members
        /** `all`: the members of the record. */
        readonly search?: { readonly fields?: 'all' | Readonly<Record<string, readonly string[]>> }
        readonly actions?: Readonly<
          Record<
            string,
            {
              readonly params?: Members
              readonly scopes?: readonly string[]
              readonly deprecated?: unknown
            }
          >
        >
      }
    >
  >
}

/** The part of a page below a heading, up to the next of its height. */
function partOf(page: string, heading: string): string {
  const [marks = ''] = /^#+/.exec(heading) ?? []
  const [, part = ''] = page.split(`\n${heading}\n`)
  return part.split(new RegExp(`\n${marks} `))[0] ?? ''
}

const namesOf = (members: Members | string | undefined): readonly string[] =>
  typeof members === 'object' ? Object.keys(members.properties ?? {}) : []

test.for(globSync('manifests/*.yaml').map((file) => basename(file, '.yaml')))(
  'the page of %s has every method, setting, action, parameter, scope and field',
  (type) => {
    const page = readFileSync(`docs/connectors/${type}.md`, 'utf8')
    const manifest = parse(readFileSync(`manifests/${type}.yaml`, 'utf8'), {
      merge: true,
    }) as Written
    const missing: string[] = []
    const expectIn = (text: string, place: string, wanted: string): void => {
      if (!text.includes(wanted)) missing.push(`${place}: ${wanted}`)
    }
    expectIn(page, 'the page', `version ${manifest.connector.version}`)
    if (manifest.connector.docs !== undefined) expectIn(page, 'the page', manifest.connector.docs)
    const connecting = partOf(page, '## Connecting')
    for (const [name, { credentials }] of Object.entries(manifest.auth ?? {})) {
      expectIn(connecting, 'Connecting', `(\`${name}\`)`)
      for (const field of namesOf(credentials)) expectIn(connecting, name, `\`${field}\``)
    }
    for (const name of namesOf(manifest.config)) expectIn(connecting, 'Settings', `\`${name}\``)
    if (manifest.limits?.rate !== undefined || manifest.limits?.concurrency !== undefined)
      expectIn(page, 'the page', '## Limits')
    for (const [entity, { actions, search, record }] of Object.entries(manifest.entities)) {
      const part = partOf(page, `## ${entity}`)
      for (const [action, { params, scopes = [], deprecated }] of Object.entries(actions ?? {})) {
        const own = partOf(part, `### ${entity}.${action}`)
        expectIn(own, `${entity}.${action}`, `tenon try ${type} ${entity}.${action}`)
        for (const name of namesOf(params)) expectIn(own, `${entity}.${action}`, `| \`${name}\``)
        for (const scope of scopes) expectIn(own, `${entity}.${action}`, `\`${scope}\``)
        if (deprecated !== undefined && deprecated !== false)
          expectIn(own, `${entity}.${action}`, 'Deprecated')
      }
      const searched = partOf(part, `### ${entity}.search`)
      const fields = search?.fields ?? {}
      for (const field of fields === 'all' ? namesOf(record) : Object.values(fields).flat())
        expectIn(searched, `${entity}.search`, `\`${field}\``)
      for (const name of namesOf(record)) expectIn(part, entity, `| \`${name}\``)
    }
    expect(missing).toEqual([])
  },
)
