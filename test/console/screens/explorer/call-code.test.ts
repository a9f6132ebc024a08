// Calls as code that somebody copies.
import { expect, test } from 'vitest'
import { tokenOf } from '../../../../src/console/code/http-code.ts'
import {
  type CalledOperation,
  cliOf,
  curlOf,
  pythonOf,
  typescriptOf,
} from '../../../../src/console/screens/explorer/call-code.ts'

const CALL: CalledOperation = {
  origin: 'http://127.0.0.1:8080',
  connectorId: '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10',
  connectorType: 'jira',
  entity: 'issues',
  action: 'api_search',
  params: { jql: "summary ~ 'hinge'", maxResults: 5, fields: ['summary', 'status'] },
  paged: true,
}

test('curl sends the execute request, quotes of a shell kept apart', () => {
  expect(curlOf(CALL)).toBe(
    String.raw`curl 'http://127.0.0.1:8080/api/v1/connectors/sources/0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10/execute' \
  -H "authorization: Bearer $TENON_TOKEN" \
  -H 'content-type: application/json' \
  -d '{"entity":"issues","action":"api_search","params":{"jql":"summary ~ '\''hinge'\''","maxResults":5,"fields":["summary","status"]}}'`,
  )
})

test('TypeScript goes through all pages', () => {
  expect(typescriptOf(CALL)).toBe(`import { connectHosted } from 'tenon'

await using jira = await connectHosted('jira', {
  baseUrl: 'http://127.0.0.1:8080',
  connectorId: '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10',
  token: process.env['TENON_TOKEN'] ?? '',
})

for await (const record of jira.issues.api_search({
  jql: 'summary ~ \\'hinge\\'',
  maxResults: 5,
  fields: ['summary', 'status'],
})) {
  console.log(record) // all pages
}`)
})

test.for([
  {
    name: 'one record is read',
    given: { action: 'get', paged: false, params: { issueIdOrKey: 'OPS-1' } },
    want: "const { data } = await jira.issues.get({\n  issueIdOrKey: 'OPS-1',\n})\nconsole.log(data)",
  },
  {
    name: 'a file is saved, and no params are no argument',
    given: { entity: 'attachments', action: 'download', paged: false, params: {} },
    want: "const file = await jira.attachments.download()\nawait file.toFile('attachments')",
  },
  {
    name: 'names that are no identifiers are quoted',
    given: {
      connectorType: 'facebook-marketing',
      entity: 'ad-sets',
      action: 'get',
      paged: false,
      params: { 'a-b': null },
    },
    want: "const { data } = await facebookMarketing['ad-sets'].get({\n  'a-b': null,\n})\nconsole.log(data)",
  },
  {
    name: 'integers beyond a double keep their digits',
    given: { action: 'get', paged: false, params: { id: 2056412393452171628n } },
    want: 'const { data } = await jira.issues.get({\n  id: 2056412393452171628n,\n})\nconsole.log(data)',
  },
])('$name', ({ given, want }) => {
  expect(
    typescriptOf({ ...CALL, ...given })
      .split('\n\n')
      .at(-1),
  ).toBe(want)
})

test('the command line asks the same account, and has a command of its own to search', () => {
  expect(cliOf({ ...CALL, params: {} })).toBe(
    String.raw`npx tenon try jira issues.api_search \
  --connector-id 0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10 \
  --url http://127.0.0.1:8080`,
  )
  const params = { query: { filter: { eq: { key: "it's" } } }, fields: ['key', 'id'], limit: 10 }
  expect(cliOf({ ...CALL, action: 'search', params })).toBe(
    String.raw`npx tenon search 0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10 issues \
  --query '{"filter":{"eq":{"key":"it'\''s"}}}' \
  --fields 'key,id' \
  --limit 10 \
  --url http://127.0.0.1:8080`,
  )
})

test('a token is asked for by the secret in the environment, which stands nowhere', () => {
  expect(tokenOf('http://127.0.0.1:8080', 'default')).toBe(
    String.raw`: "$${'{'}TENON_CLIENT_SECRET:?export it first: the secret of the application default}"
export TENON_TOKEN=$(curl -sSf http://127.0.0.1:8080/api/v1/account/applications/token \
  -H 'content-type: application/json' \
  -d '{"client_id":"default","client_secret":"'"$TENON_CLIENT_SECRET"'"}' \
  | sed -E 's/.*"access_token":"([^"]+)".*/\1/')`,
  )
})

test('Python needs nothing but itself, and keeps texts, digits and absence apart', () => {
  const params = { jql: 'a \'b\' "c"', id: 2056412393452171628n, none: null, all: true, of: [] }
  expect(pythonOf({ ...CALL, action: 'get', paged: false, params })).toBe(`import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    "http://127.0.0.1:8080/api/v1/connectors/sources/0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10/execute",
    method="POST",
    headers={
        "authorization": "Bearer " + os.environ["TENON_TOKEN"],
        "content-type": "application/json",
    },
    data=json.dumps({
        "entity": "issues",
        "action": "get",
        "params": {
            "jql": "a 'b' \\"c\\"",
            "id": 2056412393452171628,
            "none": None,
            "all": True,
            "of": [],
        },
    }).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.dumps(json.load(response)["data"], indent=2))
except urllib.error.HTTPError as error:
    raise SystemExit(error.read().decode())`)
  expect(pythonOf({ ...CALL, action: 'download', params: {} })).toContain(
    'while part := response.read(65536):',
  )
})
