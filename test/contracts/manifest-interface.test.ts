// The manifests say what the service specification says, no less and nothing unannounced.
import { describe, expect, test } from 'vitest'
import type { Search } from '../../src/language/manifest/manifest.ts'
import { manifestTypes } from './case-file.ts'
import { compareMembers, readInterface } from './interface-file.ts'
import { readShippedManifest } from './run-operation.ts'

describe.for(manifestTypes())('interface of %s', (type) => {
  const { entities, definitions } = readShippedManifest(type)
  const expected = readInterface(type)

  test('the entities are those of the specification', () => {
    expect(entities.map(({ name }) => name)).toEqual(Object.keys(expected.entities))
  })

  test.for(Object.entries(expected.entities))(
    '%s',
    ([name, { record, beyond, search, actions }]) => {
      const entity = entities.find((one) => one.name === name)
      const problems: string[] = []
      if (record !== undefined) {
        const schema = entity?.record ?? {}
        problems.push(...compareMembers(record, beyond ?? [], schema, definitions))
      }
      for (const [action, expectation] of Object.entries(actions)) {
        const { params, beyond, result, result_beyond, paged, meta, meta_beyond } = expectation
        const found = entity?.actions.find((one) => one.name === action)
        if (found === undefined) {
          problems.push(`${action} is missing`)
          continue
        }
        const { pagination } = found
        const compared = [
          ...compareMembers(params, beyond ?? [], found.params.schema, definitions),
          ...(result === undefined
            ? []
            : compareMembers(result, result_beyond ?? [], found.result ?? {}, definitions)),
          ...((pagination.type !== 'none') === (paged ?? false) ? [] : ['paging differs']),
          ...(meta === undefined ? [] : [[...meta, ...(meta_beyond ?? [])]]).flatMap((names) => {
            const says = pagination.meta.map((pick) => pick.name)
            return says.join() === names.join() ? [] : [`meta is ${says.join()}`]
          }),
        ]
        problems.push(...compared.map((problem) => `${action}: ${problem}`))
      }
      expect(problems).toEqual([])
      expect(entity?.actions.map((action) => action.name).toSorted()).toEqual(
        Object.keys(actions).toSorted(),
      )
      expect(searchFields(entity?.search ?? null)).toEqual(sorted(search ?? {}))
    },
  )
})

function searchFields(search: Search | null): Record<string, string[]> {
  const byType = Object.groupBy(search?.fields ?? [], (field) => field.type)
  return sorted(
    Object.fromEntries(
      Object.entries(byType).map(([type, fields]) => [type, fields.map((field) => field.name)]),
    ),
  )
}

function sorted(byType: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(byType).map(([type, names]) => [type, names.toSorted()]))
}
