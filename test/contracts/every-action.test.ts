// Every action of every manifest through the real client, against its sandbox.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { Download } from '../../src/client/download.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import { manifestTypes } from './case-file.ts'
import { readShippedManifest } from './run-operation.ts'

const cases = manifestTypes().flatMap((type) =>
  readShippedManifest(type).entities.flatMap(({ name, actions }) =>
    actions.map((action) => ({ type, entity: name, action: action.name })),
  ),
)

test.for(cases)('$type $entity.$action answers', async ({ type, entity, action }) => {
  await using vendor = await sandbox(type)
  await using client = await connect(readShippedManifest(type), {
    ...vendor.options(),
    limits: null,
  })
  const answer: unknown = await client.execute(
    entity,
    action as string,
    vendor.example(`${entity}.${action}`),
  )
  if (answer instanceof Download) {
    expect((await answer.toBytes({ maxBytes: 5_000_000 })).length).toBeGreaterThan(0)
    return
  }
  const { data } = answer as { readonly data: unknown }
  if (action === 'list' || action === 'api_search')
    expect((answer as { readonly records: unknown[] }).records.length).toBeGreaterThan(0)
  else expect(data).toBeDefined()
})
