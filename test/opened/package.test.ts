// The package, installed by npm into an empty project: its entries, its command line, its service, and the pod of the chart.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { ENTRY_FILES } from '../../scripts/entries.ts'
import { renderChart } from '../deploy/render-chart.ts'
import { at, serviceLinks } from '../deploy/service-links.ts'
import { installed, root, serving, succeeds } from './delivered.ts'
import { type Application, openPages } from './walk.ts'

let folder: string

beforeAll(async () => {
  folder = await installed()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const modules = Object.keys(ENTRY_FILES)
  .filter((name) => ENTRY_FILES[name]?.endsWith('.js') === true)
  .map((name) => name.replace(/^\./, 'tenon'))

test.for(modules)('%s can be imported', async (name) => {
  const program = `console.log(Object.keys(await import('${name}')).length > 0)`
  expect(await succeeds(folder, process.execPath, ['--input-type=module', '-e', program])).toBe(
    'true\n',
  )
})

test('an operation runs by npx', async () => {
  const args = ['tenon', 'try', 'jira', 'issues.get', '--params', '{"issueIdOrKey":"OPS-1"}']
  const answer = await succeeds(folder, 'npx', [...args, '--sandbox', '--json'], PATH)
  expect(JSON.parse(answer)).toMatchObject({ data: { key: 'OPS-1' } })
})

test('the service has its console and its reference', async () => {
  const env = { ...PATH, TENON_PORT: '0', TENON_DATA: join(folder, 'data') }
  await using service = await serving(folder, 'npx', ['tenon', 'serve', '--sandbox'], env)
  const create = ['tenon', 'apps', 'create', '--name', 'opened', '--json']
  const application = JSON.parse(await succeeds(folder, 'npx', create, env)) as Application
  expect(await openPages(service.url, application, 'package')).toEqual([])
})

test('the pod of a release named tenon starts beside its own Service', async () => {
  const objects = chart()
  const of = (kind: string) => objects.find((object) => object['kind'] === kind)
  const pod = at(of('Deployment'), 'spec', 'template', 'spec')
  const path = String(at(pod, 'containers', 0, 'readinessProbe', 'httpGet', 'path'))
  const env = {
    ...PATH,
    ...serviceLinks(of('Service')),
    ...(at(of('ConfigMap'), 'data') as Readonly<Record<string, string>>),
    // The pod has 8080 for itself.
    TENON_PORT: '0',
    TENON_DATA: join(folder, 'pod'),
  }
  await using service = await serving(folder, 'npx', ['tenon', 'serve'], env)
  expect((await fetch(service.url + path)).status).toBe(200)
})

/** npx and npm start what they find first: the Node that runs the tests. */
const PATH = { PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}` }

/** By Helm where it is installed, else by the words that our renderer knows. */
function chart(): readonly Readonly<Record<string, unknown>>[] {
  const helm = spawnSync('helm', ['template', 'tenon', join(root, 'deploy/helm/tenon')], {
    encoding: 'utf8',
  })
  if (helm.status !== 0) return renderChart(join(root, 'deploy/helm/tenon'))
  return parseAllDocuments(helm.stdout).flatMap((document) => {
    const value = document.toJS() as Readonly<Record<string, unknown>> | null
    return value === null ? [] : [value]
  })
}
