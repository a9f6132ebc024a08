// What a person can do next about an error, as the command line says it under the message.
import { expect, test } from 'vitest'
import { describeError } from '../../src/cli/describe-error.ts'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { wayOut } from '../../src/cli/way-out.ts'
import { REMEDIES } from '../../src/display/error-remedies.ts'
import { ConnectorError, type ErrorCode, ERRORS } from '../../src/errors.ts'
import { tenonHere } from './run-here.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

const WAYS: Readonly<Partial<Record<ErrorCode, string>>> = {
  operation_unknown: 'tenon describe <type> shows what a connector can do',
  params_invalid: 'tenon describe <type> <entity>.<action> shows the parameters and an example',
  connector_unknown: 'tenon describe <type> takes a packaged type, or the path of a manifest',
  config_invalid: 'correct the settings that are named above',
  cursor_invalid: 'leave out the cursor to begin at the first page',
  token_invalid:
    'take a new TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application',
  client_invalid:
    'tenon apps list shows the applications, tenon apps rotate-secret gives one a new secret',
  scope_denied:
    'take TENON_CLIENT_ID and TENON_CLIENT_SECRET, or a token that is allowed to; else have the operator allow it',
  instance_unknown: 'tenon instances list shows the ids',
  webhook_unknown: 'tenon webhooks list shows the ids',
  event_unknown: 'tenon events shows the ids; old events are removed',
  log_entry_unknown: 'tenon logs shows the ids; old entries are removed',
  manifest_unknown: 'tenon manifests versions <type> shows what was published',
  oauth_not_configured:
    'tenon oauth-clients put <type> <client-id> --secret @file keeps a client in the service',
  instance_disabled: 'it was switched off by hand; the console or the API switches it on',
  search_not_ready: 'tenon sync status <instance> --watch shows how far the copy is',
  upstream_rejected:
    'correct the request by what the third party said; tenon describe <type> <entity>.<action> shows its parameters',
  upstream_unprocessable:
    'correct the values by what the third party said; tenon describe <type> <entity>.<action> shows them',
  upstream_unexpected:
    'compare the answer with the documents of the third party: it may have changed, and the manifest must follow',
  upstream_timeout:
    'ask for less at once, or give it more time (--timeout); of a change look first whether it was made',
  deadline_exceeded: 'give it more time (--timeout); nothing was sent',
  credentials_refused: 'tenon instances check <instance> tries them; the user connects again',
  reauthorization_required:
    'the user connects again: POST /v1/connect/sessions with connector_id makes the link',
  search_needs_hosted_mode: 'tenon search <instance> <entity> asks a service',
  service_unreachable: 'tenon serve starts a service; --url or TENON_URL says where it is',
  store_unavailable: 'tenon doctor says what keeps it from working',
  manifest_invalid: 'tenon lint shows each problem at its line',
}

const docs = new DocsLinks({ TENON_DOCS_URL: 'https://docs.example' })
const plain = { paint: (_style: unknown, text: string) => text }

function printed(code: ErrorCode): readonly string[] {
  return describeError(new ConnectorError(code, 'It failed'), plain, docs).trimEnd().split('\n')
}

test.for(CODES)('%s', (code) => {
  const way = WAYS[code] ?? REMEDIES[code]
  const lines = printed(code)
  expect(lines[0]).toBe(`error  ${code}  It failed`)
  expect(lines.at(-1)).toBe(`  docs: ${docs.toError(code)}`)
  expect([wayOut(code), lines.at(-2)]).toEqual([way, `  ${way}`])
})

test('a failure of a vendor leads to the page that tells whether it is up, before the docs', () => {
  const details = { statusPage: 'https://status.vendor.example' }
  const error = new ConnectorError('upstream_failed', 'It failed', { details })
  const lines = describeError(error, plain, docs).trimEnd().split('\n')
  expect(lines.slice(-2)).toEqual([
    '  whether the third party is up: https://status.vendor.example',
    `  docs: ${docs.toError('upstream_failed')}`,
  ])
})

test('what is no code, and what every object has, has no way out; every code has one', () => {
  expect(['constructor', 'toString', ''].map(wayOut)).toEqual([null, null, null])
})

test('every command that is named is one, with the subcommand and the flags that are said', async () => {
  for (const way of Object.values(WAYS))
    for (const [, name = '', word = ''] of way.matchAll(/tenon ([a-z-]+)(?: ([a-z-]+)\b)?/g)) {
      expect(COMMANDS.map((command) => command.name)).toContain(name)
      const { out: help } = await tenonHere([name, '--help'])
      if (help.includes('Commands:')) expect(help).toContain(`  ${word}`)
    }
})
