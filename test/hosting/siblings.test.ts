// Metrics of several processes are one text, in which every value says whose it is.
import { expect, test } from 'vitest'
import { joinMetrics } from '../../src/hosting/siblings.ts'

test('each metric is there once, its values labelled with their process', () => {
  const one = `# HELP calls How many.
# TYPE calls counter
calls{route="a{b}",status="200"} 3

# HELP up Since when.
# TYPE up gauge
up 12.5
`
  const two = `# HELP up Since when.
# TYPE up gauge
up 13

# HELP late Only here.
# TYPE late histogram
late_bucket{le="+Inf"} 1
late_sum 0.5
`
  expect(
    joinMetrics([
      { process: 1, text: one },
      { process: 2, text: two },
      { process: 3, text: '' },
    ]),
  ).toBe(`# HELP calls How many.
# TYPE calls counter
calls{process="1",route="a{b}",status="200"} 3
# HELP up Since when.
# TYPE up gauge
up{process="1"} 12.5
up{process="2"} 13
# HELP late Only here.
# TYPE late histogram
late_bucket{process="2",le="+Inf"} 1
late_sum{process="2"} 0.5
`)
  expect(joinMetrics([])).toBe('')
})
