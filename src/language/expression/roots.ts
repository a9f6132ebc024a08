// The names an expression may start with.
import type { Root } from './syntax.ts'

const EVERY: Readonly<Record<Root, true>> = {
  params: true,
  config: true,
  maps: true,
  record_fields: true,
  steps: true,
  response: true,
  record: true,
  credentials: true,
  client: true,
  session: true,
  cursor: true,
  parent: true,
}

/** Every root. Where each may stand is the lint's business: docs/manifest-language.md, "Expressions". */
export const ROOTS: ReadonlySet<Root> = new Set(Object.keys(EVERY) as Root[])
