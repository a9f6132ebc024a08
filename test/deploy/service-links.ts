// The variables that Kubernetes sets for a Service.

/** A member of a tree, by its path. */
export function at(tree: unknown, ...path: readonly (string | number)[]): unknown {
  let value = tree
  for (const name of path) value = (value as Readonly<Record<string | number, unknown>>)[name]
  return value
}

/** What Kubernetes sets in every pod beside a Service. */
export function serviceLinks(service: unknown): Readonly<Record<string, string>> {
  const name = String(at(service, 'metadata', 'name'))
    .toUpperCase()
    .replaceAll('-', '_')
  const ports = at(service, 'spec', 'ports') as readonly unknown[]
  const [first] = ports.map((port) => Number(at(port, 'port')))
  return Object.fromEntries([
    [`${name}_SERVICE_HOST`, '10.96.0.12'],
    [`${name}_SERVICE_PORT`, String(first)],
    [`${name}_PORT`, `tcp://10.96.0.12:${first}`],
    ...ports.flatMap((each) => {
      const port = Number(at(each, 'port'))
      const own = `${name}_PORT_${port}_TCP`
      return [
        [`${name}_SERVICE_PORT_${String(at(each, 'name')).toUpperCase()}`, String(port)],
        [own, `tcp://10.96.0.12:${port}`],
        [`${own}_PROTO`, 'tcp'],
        [`${own}_PORT`, String(port)],
        [`${own}_ADDR`, '10.96.0.12'],
      ]
    }),
  ]) as Readonly<Record<string, string>>
}
