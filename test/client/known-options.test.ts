// Options that do not exist are refused by clients that were written without the compiler.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { connectHosted } from '../../src/client/hosted.ts'
import { serviceClient } from '../../src/client/service-client.ts'
import { verifyWebhook } from '../../src/client/webhooks/verify-webhook.ts'

/** Options as a program in JavaScript gives them. */
const loose = (options: object): never => options as never

const SERVICE = { baseUrl: 'https://tenon.example.com', token: 't' }

test.for<readonly [string, () => unknown, string]>([
  [
    'connect',
    () => connect('gong', loose({ credentials: {}, timeout: 5 })),
    'connect has no option "timeout", did you mean "timeoutMs"?',
  ],
  [
    'connect with several',
    () => connect('gong', loose({ credential: {}, hook: {} })),
    'connect has no option "credential", did you mean "credentials"?; no option "hook", did you mean "hooks"?',
  ],
  [
    'connect with none',
    () => connect('gong', loose(undefined as unknown as object)),
    'connect needs options: an object with credentials',
  ],
  [
    'connect of a hook',
    () => connect('gong', loose({ credentials: {}, hooks: { onResponses: () => {} } })),
    'hooks has no option "onResponses", did you mean "onResponse"?',
  ],
  [
    'connect of what is no connector',
    async () => await connect(loose(Promise.resolve({})), loose({ credentials: {} })),
    'a connector is the name of a packaged one, or what loadManifest gives: await loadManifest(…)',
  ],
  [
    'connectHosted of what is no connector',
    () => connectHosted(loose({ manifest: 1 }), { ...SERVICE, connectorId: 'x' }),
    'a connector is the name of a packaged one, or what loadManifest gives: await loadManifest(…)',
  ],
  [
    'verifyWebhook of arguments the other way round',
    async () => verifyWebhook('{}' as never, loose({}), 'whsec_c2VjcmV0'),
    'verifyWebhook takes the headers first, then the body, then the secret',
  ],
  [
    'verifyWebhook of a body that was parsed',
    async () => verifyWebhook({}, loose({ type: 'x' }), 'whsec_c2VjcmV0'),
    'the body of a webhook is verified as it arrived: a text or bytes',
  ],
  [
    'connectHosted',
    () => connectHosted('gong', loose({ ...SERVICE, connectorid: 'x' })),
    'connectHosted has no option "connectorid", did you mean "connectorId"?',
  ],
  [
    'serviceClient',
    async () => serviceClient(loose({ ...SERVICE, clientsecret: 'x' })),
    'serviceClient has no option "clientsecret", did you mean "clientSecret"?',
  ],
  [
    'a call',
    async () => {
      const client = await connectHosted('gong', { ...SERVICE, connectorId: 'x' })
      await client.execute('users', 'get', { id: '1' }, loose({ timeout: 5 }))
    },
    'a call has no option "timeout", did you mean "timeoutMs"?',
  ],
  [
    'a call of the direct client',
    async () => {
      const client = await connect('gong', {
        credentials: { access_key: 'a', access_key_secret: 's' },
      })
      await client.execute('users', 'get', { id: '1' }, loose({ timeout: 5 }))
    },
    'a call has no option "timeout", did you mean "timeoutMs"?',
  ],
])('%s names what it does not know', async ([, run, message]) => {
  await expect((async () => await run())()).rejects.toThrow(new TypeError(message))
})
