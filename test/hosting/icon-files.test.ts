// The operator's pictures of connectors: what a folder of them may hold, and how a service hands them out.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadIcons } from '../../src/hosting/icon-files.ts'
import { createService } from '../../src/hosting/service.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>'
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-icons-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A folder with these files. */
async function folderOf(name: string, files: Readonly<Record<string, string | Buffer>>) {
  const made = join(folder, name)
  await mkdir(made)
  for (const [file, text] of Object.entries(files)) await writeFile(join(made, file), text)
  return made
}

describe('a folder of pictures', () => {
  test('has one SVG or PNG per connector; hidden files are left out', async () => {
    const made = await folderOf('good', { 'jira.svg': SVG, 'gong.png': PNG, '.DS_Store': 'x' })
    const icons = await loadIcons(made, ['jira', 'gong'])
    expect([...icons].map(([name, { type, bytes }]) => [name, type, bytes.length])).toEqual([
      ['gong', 'image/png', PNG.length],
      ['jira', 'image/svg+xml', SVG.length],
    ])
    expect(await loadIcons(null, ['jira'])).toEqual(new Map())
  })

  test('is refused with everything that is wrong with it', async () => {
    const made = await folderOf('bad', {
      'jria.svg': SVG,
      'gong.svg': 'no picture',
      'slack.png': 'no picture',
      'stripe.jpg': 'x',
      'jira.svg': `<svg>${' '.repeat(64 * 1024)}</svg>`,
      'github.png': PNG,
      'github.svg': SVG,
    })
    const refused = loadIcons(made, ['jira', 'gong', 'slack', 'stripe', 'github'])
    await expect(refused).rejects.toMatchObject({
      code: 'config_invalid',
      message: [
        `TENON_ICONS: ${made}/github.svg is the second icon of github`,
        `${made}/gong.svg is no SVG`,
        `${made}/jira.svg has ${64 * 1024 + 11} bytes; 65536 are allowed`,
        `${made}/jria.svg is named after no connector; did you mean jira?`,
        `${made}/slack.png is no PNG`,
        `${made}/stripe.jpg is neither .svg nor .png`,
      ].join('; '),
    })
  })

  test('that is not there ends the start', async () => {
    await expect(createService({ icons: join(folder, 'none') })).rejects.toMatchObject({
      code: 'config_invalid',
    })
  })
})

describe('a service with pictures', () => {
  let world: RunningService
  beforeAll(async () => {
    world = await runService({ icons: await folderOf('served', { 'jira.svg': SVG }) })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for(['/console', '/connect'])(
    'hands them out below %s to everybody, and no script of theirs runs',
    async (at) => {
      const answer = await world.call('GET', `${at}/icons/jira`, undefined, { as: null })
      expect([answer.status, answer.text]).toEqual([200, SVG])
      const { 'content-type': type, etag = '', ...head } = Object.fromEntries(answer.headers)
      expect(type).toBe('image/svg+xml')
      expect(head).toMatchObject({
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      const headers = { 'if-none-match': etag }
      const again = await world.call('GET', `${at}/icons/jira`, undefined, { as: null, headers })
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )

  test.for(['gong', 'jira.svg', '..%2fjira', '%2e%2e%2f%2e%2e%2fetc%2fpasswd'])(
    'has nothing for %s',
    async (name) => {
      const answer = await world.call('GET', `/connect/icons/${name}`, undefined, { as: null })
      expect(answer.status).toBe(404)
    },
  )

  test('tells which connectors have one, and the connect page shows it', async () => {
    const { body } = await world.call('GET', '/v1/connectors')
    const { data } = body as {
      data: readonly { readonly connector_type: string; readonly icon_file: boolean }[]
    }
    expect(data.filter((each) => each.icon_file).map((each) => each.connector_type)).toEqual([
      'jira',
    ])
    const session = await world.call('POST', '/v1/connect/sessions', {
      external_user_id: 'ada',
      return_url: 'http://localhost:3000/connected',
    })
    const page = await fetch((session.body as { connect_url: string }).connect_url)
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:;")
    const text = await page.text()
    expect(text).toContain('<img class="tile" src="/connect/icons/jira" alt="" />')
    const monograms = text.matchAll(/<svg class="tile".*?<\/svg>/gs)
    expect([...monograms].map(([svg]) => svg.replaceAll(/<[^>]*>|\s/g, ''))).toContain('Go')
  })
})
