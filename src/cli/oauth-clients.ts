// `tenon oauth-clients`: OAuth clients that the organization keeps in the store of a running service.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as textFrom } from 'node:stream/consumers'
import { type Configure, family, jsonLines } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { askService } from './running-service.ts'

export const docs = 'operation#oauth-clients'
export { SERVICE_NOTES as notes } from './running-service.ts'

export const examples: readonly string[] = [
  'tenon oauth-clients list',
  'tenon oauth-clients put gong client-1 --secret @secret.txt',
  'tenon oauth-clients remove gong',
]

const TYPE = { '<type>': 'of the connector' } as const

const list = askService({
  options: jsonLines('client'),
  async run({ oauthClients }) {
    const { data } = await oauthClients.list()
    const table = data.map((each) => ({
      connector: each.connector_type,
      'client id': each.client_id,
      secret: each.has_secret ? 'kept' : 'none',
      changed: each.changed_at,
      by: each.changed_by,
      '': each.used ? '' : 'the settings go before it',
    }))
    return {
      value: data,
      shown: table,
      none: 'no client is kept; tenon oauth-clients put keeps one\n',
    }
  },
})

const put = askService({
  arguments: { ...TYPE, '<client-id>': 'as the vendor gave it' },
  options: {
    '--secret <from>':
      '@file, or - for standard input, so that no list of processes has it; left out, the one before stays',
    '--public': 'the client has no secret',
  },
  async run({ oauthClients }, { type, clientId, secret, public: isPublic }, { folder }) {
    if (isPublic === true && secret !== undefined)
      throw new UsageError('a public client has no secret: give --secret or --public')
    const clientSecret = isPublic === true ? null : await readSecret(secret, folder)
    const value = await oauthClients.put(type, {
      clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
    })
    const hidden = value.used
      ? ''
      : '; the settings of the service have a client, which goes before it'
    return { value, shown: '', note: `the client of ${type} is kept${hidden}\n` }
  },
})

const remove = askService({
  arguments: TYPE,
  async run({ oauthClients }, { type }) {
    await oauthClients.remove(type)
    return { value: { connector_type: type }, shown: '', note: `removed the client of ${type}\n` }
  },
})

async function readSecret(from: string | undefined, folder: string): Promise<string | undefined> {
  if (from === undefined) return undefined
  if (from === '-') return (await textFrom(process.stdin)).trim()
  if (!from.startsWith('@'))
    throw new UsageError(
      '--secret takes @file, or - for standard input, and never the secret itself',
    )
  const file = from.slice(1)
  const text = await readFile(resolve(folder, file), 'utf8').catch(() => {
    throw new UsageError(`there is no file ${file}`)
  })
  return text.trim()
}

export const configure: Configure = family({
  list: ['list the clients that are kept, without secrets', list],
  put: ['keep the client of a connector, in the place of the one before', put],
  remove: ['remove the client of a connector', remove],
})
