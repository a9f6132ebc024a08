// What a reading action that sends a changing method is taken for: with the word of the manifest a read, without it a
// write everywhere, as a compiled manifest that has not met the lint may hold it.
import { expect, test } from 'vitest'
import { agentTools } from '../../../src/agents/agent-tools.ts'
import { describeEntities } from '../../../src/language/manifest/describe.ts'
import { compileAction } from '../../../src/engine/run/compiled-action.ts'
import { describing } from '../../agents/every-manifest.ts'
import { manifestOf } from './resolved.ts'

function takenFor(http: string, more: object, action = 'get') {
  const actions = { list: LIST, [action]: { request: { http, ...more } } }
  const manifest = manifestOf({ entities: { things: { actions } } })
  const entities = describeEntities(manifest)
  const described = entities[0]?.actions.find((each) => each.action === action)
  const client = describing(entities)
  const tools = (allowWrites: boolean) => agentTools({ acme: client }, { allowWrites })
  const [entity] = manifest.entities
  const found = entity?.actions.find(({ name }) => name === action)
  if (entity === undefined || found === undefined) throw new Error('there is one action')
  const { write, steps } = compileAction(manifest, entity, found)
  const name = `acme_things_${action}`
  return {
    safe: described?.safe,
    offered: tools(false).some((tool) => tool.name === name),
    readOnly: tools(true).find((tool) => tool.name === name)?.annotations?.readOnlyHint,
    destructive: tools(true).find((tool) => tool.name === name)?.annotations?.destructiveHint,
    write,
    repeatable: steps[0]?.repeatable,
  }
}

const LIST = {
  request: { http: 'GET /things' },
  response: { records: '$.items' },
  pagination: { type: 'none', reason: 'All at once.' },
}
const READ = {
  safe: true,
  offered: true,
  readOnly: true,
  destructive: false,
  write: false,
  repeatable: true,
}
const WRITE = {
  safe: false,
  offered: false,
  readOnly: false,
  destructive: true,
  write: true,
  repeatable: false,
}

test.for([
  { http: 'GET /thing', more: {}, want: READ },
  { http: 'POST /thing', more: {}, want: READ },
  { http: 'PUT /thing', more: { reads: true }, want: READ },
  { http: 'PUT /thing', more: {}, want: WRITE },
  { http: 'PATCH /thing', more: {}, want: WRITE },
  { http: 'DELETE /thing', more: {}, want: WRITE },
  { http: 'DELETE /thing', more: {}, action: 'update', want: WRITE },
])('$action $http $more', ({ http, more, action, want }) => {
  expect(takenFor(http, more, action)).toEqual(want)
})
