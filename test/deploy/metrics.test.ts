// Metrics, alert rules and the dashboard as Prometheus reads them: by rules of our own always, by promtool where it is
// installed (Debian: the package prometheus).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { InstrumentOptions, Instruments } from '../../src/service/instruments.ts'
import { type MetricSources, Metrics } from '../../src/service/metrics.ts'
import { runService } from '../fixtures/running-service.ts'
import { lintMetrics } from './lint-metrics.ts'
import { at } from './service-links.ts'

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const NO_PROMTOOL = 'promtool is not installed: Debian has it in the package prometheus'

const folder = mkdtempSync(join(tmpdir(), 'tenon-metrics-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The labels of every instrument of ours, by its name. */
function instruments(): ReadonlyMap<string, readonly string[]> {
  const made = new Map<string, readonly string[]>()
  const take = ({ name, labels }: InstrumentOptions) => {
    made.set(name, labels)
    return () => {}
  }
  const table: Instruments = {
    counter: take,
    histogram: take,
    gauge: (options) => void take(options),
  }
  void new Metrics({} as MetricSources, table)
  return made
}

interface Used {
  readonly where: string
  readonly expression: string
}

const rules = at(
  parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')),
  'groups',
  0,
  'rules',
) as readonly { readonly alert: string; readonly expr: string; readonly annotations: object }[]

const dashboard = JSON.parse(readFileSync('deploy/grafana/tenon.json', 'utf8')) as {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[]
  }[]
}

/** Variables of Grafana as Prometheus gets them. */
function asked(expression: string): string {
  return expression.replaceAll(/\$__(?:rate_interval|interval|range)/g, '5m')
}

const used: readonly Used[] = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expression: expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, expression: asked(expr) })),
  ),
]

/** What Prometheus adds to every series, and what a histogram has. */
const GIVEN: readonly string[] = ['instance', 'job', 'le']

describe('labels', () => {
  const known = instruments()

  test('there are instruments', () => expect(known.size).toBeGreaterThan(20))

  test.for(used)('$where: $expression', ({ expression }) => {
    const names = [...expression.matchAll(/\btenon_\w+/g)].map(([name]) =>
      known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''),
    )
    expect(names.filter((name) => !known.has(name))).toEqual([])
    const labels = names.flatMap((name) => known.get(name) ?? [])
    const wanted = [
      ...[...expression.matchAll(/\b(?:by|without|on|ignoring) ?\(([^)]*)\)/g)].flatMap(
        ([, inside = '']) => inside.split(',').map((label) => label.trim()),
      ),
      ...[...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
        [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
      ),
    ]
    const isForeign = names.length === 0
    const missing = wanted.filter((label) => !labels.includes(label) && !GIVEN.includes(label))
    expect([isForeign ? [] : missing, expression]).toEqual([[], expression])
  })

  test.for(rules)(
    'the text of $alert names labels that its expression leaves',
    ({ expr, annotations }) => {
      const shown = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(
        ([, label]) => label,
      )
      const left = /\bby ?\(([^)]*)\)/
        .exec(expr)?.[1]
        ?.split(',')
        .map((label) => label.trim())
      expect(shown.filter((label) => !(left ?? GIVEN).includes(label ?? ''))).toEqual([])
    },
  )
})

describe('metrics of a service that has worked', () => {
  test('are in order', async ({ skip }) => {
    await using world = await runService({ metricsToken: 'metrics' })
    const id = await world.connect('jira')
    await world.call('POST', `/v1/connectors/${id}/execute`, {
      entity: 'issues',
      action: 'get',
      params: {},
    })
    await world.call('GET', '/nowhere')
    const answer = await world.call('GET', '/metrics', undefined, { as: 'metrics' })
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(/^tenon_http_requests_total\{/m)
    expect(lintMetrics(answer.text)).toEqual([])
    if (!hasPromtool) return skip(NO_PROMTOOL)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: answer.text,
      encoding: 'utf8',
    })
    expect([status, stdout + stderr]).toEqual([0, ''])
  })

  test.for([
    [
      '# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n',
      ['a_total: ends in _total and is no counter'],
    ],
    ['# HELP a A.\n# TYPE a counter\na 1\n', ['a: counts and does not end in _total']],
    [
      '# TYPE a_ms gauge\na_ms{le="1"} 1\n',
      ['a_ms: has no help', 'a_ms: is not in a base unit', 'a_ms: has the label of a histogram'],
    ],
    [
      '# HELP aB A.\n# TYPE aB gauge\naB{cD="1"} 1\n',
      ['aB: is not in snake case', 'aB: has the label cD'],
    ],
    ['# HELP a_seconds A.\n# TYPE a_seconds histogram\na_seconds_bucket{le="1"} 1\n', []],
  ] as const)('our own rules find what is wrong with %j', ([text, want]) => {
    expect(lintMetrics(text)).toEqual(want)
  })
})

describe('promtool', () => {
  function check(name: string, text: string): void {
    const file = join(folder, name)
    writeFileSync(file, text)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
      encoding: 'utf8',
    })
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
  }

  test('takes the alert rules', ({ skip }) => {
    if (!hasPromtool) return skip(NO_PROMTOOL)
    check('alerts.yaml', readFileSync('deploy/prometheus/alerts.yaml', 'utf8'))
  })

  test('takes every expression of the dashboard', ({ skip }) => {
    if (!hasPromtool) return skip(NO_PROMTOOL)
    const asRules = used.map(({ expression }, index) => ({
      record: `panel:${index}`,
      expr: expression,
    }))
    check('dashboard.yaml', stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
  })
})
