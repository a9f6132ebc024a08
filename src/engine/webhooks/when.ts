// Tests on a delivery: on its headers, its parameters and its body.
import type { Answer } from '../../language/expression/pick.ts'
import type { Webhooks } from '../../language/manifest/manifest.ts'
import { compileHeaderTest, compileTests } from '../response/answer-tests.ts'
import type { Delivery } from './arrived.ts'

type When = Pick<Webhooks['challenges'][number]['when'], 'headers' | 'query' | 'body'>

/** Compiles tests of which all must hold. The body is looked at last, and only where it is asked about. */
export function compileWhen(
  when: When,
): (answer: () => Answer, delivery: Pick<Delivery, 'arrived'>) => boolean {
  const headers = when.headers.map(({ name, test }) => ({ name, check: compileHeaderTest(test) }))
  const query = when.query.map(({ name, test }) => ({ name, check: compileHeaderTest(test) }))
  const meetsBody = when.body.length === 0 ? null : compileTests(when.body)
  return (answer, { arrived }) =>
    headers.every(({ name, check }) => check(own(arrived.headers, name))) &&
    query.every(({ name, check }) => check(own(arrived.query, name))) &&
    (meetsBody === null || meetsBody(answer()))
}

function own(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
