// What is wrong with metrics in the text format of Prometheus: the rules that its promtool checks as well.
// Source: Prometheus, "Metric and label naming" and "Exposition formats".

interface Family {
  readonly name: string
  readonly type: string
  help: string
}

/** One line per problem, `name: what is wrong`. */
export function lintMetrics(text: string): readonly string[] {
  const families = familiesOf(text)
  return [...families.values()].flatMap((family) =>
    faultsOf(family, text).map((fault) => `${family.name}: ${fault}`),
  )
}

function familiesOf(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm))
    families.set(name, { name, type, help: '' })
  for (const [, name = '', help = ''] of text.matchAll(/^# HELP (\S+) (.*)$/gm)) {
    const family = families.get(name)
    if (family !== undefined) family.help = help
  }
  return families
}

function faultsOf({ name, type, help }: Family, text: string): readonly string[] {
  const faults: string[] = []
  const isHistogram = type === 'histogram'
  const ends = isHistogram ? '(?:_bucket|_sum|_count)' : ''
  const samples = [...text.matchAll(new RegExp(`^${name}${ends}(?:\\{(.*)\\})? \\S+$`, 'gm'))]
  const labels = new Set(
    samples.flatMap(([, inside = '']) =>
      [...inside.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label = '']) => label),
    ),
  )
  if (help.trim() === '') faults.push('has no help')
  if (!/^[a-z][a-z0-9_]*$/.test(name)) faults.push('is not in snake case')
  if (type === 'counter' && !name.endsWith('_total'))
    faults.push('counts and does not end in _total')
  if (type !== 'counter' && name.endsWith('_total')) faults.push('ends in _total and is no counter')
  if (/_(?:bucket|sum|count)$/.test(name)) faults.push('ends as a part of a histogram')
  if (name.split('_').includes(type)) faults.push('has its type in its name')
  if (/_(?:ms|milliseconds|minutes|hours|days|kb|mb|kilobytes|megabytes|percent)(?:_|$)/.test(name))
    faults.push('is not in a base unit')
  if (!isHistogram && labels.has('le')) faults.push('has the label of a histogram')
  if (type !== 'summary' && labels.has('quantile')) faults.push('has the label of a summary')
  for (const label of labels)
    if (!/^[a-z][a-z0-9_]*$/.test(label)) faults.push(`has the label ${label}`)
  return faults
}
