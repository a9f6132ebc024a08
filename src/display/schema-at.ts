// What the schema of a record says of a part of it, with the definitions that it refers to.

export type Schema = Readonly<Record<string, unknown>>

/** The schema at a path of records, on which each element of a list counts; null: nobody knows it. */
export function schemaAt(record: unknown, path: readonly string[]): Schema | null {
  if (!isSchema(record)) return null
  let schema: Schema | null = record
  for (const name of path) {
    const { properties } = plainOf(schema, record) ?? {}
    const member: unknown =
      isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    schema = isSchema(member) ? member : null
  }
  return plainOf(schema, record)
}

/** How many references and lists lead to a schema at most: they may go round in a circle. */
const MAX_STEPS = 10

/** The schema itself, behind references, what may be null, and lists. */
export function plainOf(schema: Schema | null, root: Schema): Schema | null {
  let plain = schema
  for (let step = 0; step < MAX_STEPS && plain !== null; step++) {
    const next = nextOf(plain, root)
    if (next === undefined) return plain
    plain = isSchema(next) ? next : null
  }
  return plain
}

/** What a schema only leads to; undefined: it says something itself. */
function nextOf(schema: Schema, root: Schema): unknown {
  const { $ref: reference, anyOf, items } = schema
  if (typeof reference === 'string') {
    const [, name = ''] = /^#\/definitions\/(.+)$/.exec(reference) ?? []
    const { definitions } = root
    return isSchema(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : null
  }
  if (Array.isArray(anyOf)) {
    const parts: readonly unknown[] = anyOf
    return parts.find((part) => isSchema(part) && part['type'] !== 'null') ?? null
  }
  return items
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
