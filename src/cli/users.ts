// `tenon users`: everything of one end user of a service, over HTTP.
import { type Configure, family } from './command.ts'
import { FailedError, UsageError } from './exit-codes.ts'
import { askService } from './running-service.ts'
import { JSON_OF_EXPORT, OUT_OPTION, writeOut } from './write-out.ts'

export const docs = 'operation#end-users'
export { SERVICE_NOTES as notes } from './running-service.ts'

export const examples: readonly string[] = [
  'tenon users export user-42 --out user-42.jsonl',
  'tenon users erase user-42 --yes',
]

const USER = { '<user>': 'the external_user_id' }

const exportUser = askService({
  arguments: USER,
  options: { ...OUT_OPTION, ...JSON_OF_EXPORT },
  async run(service, { user, out }, context) {
    const download = await service.users.export(user)
    const decoder = new TextDecoder()
    // The end of a text without its end is noticed by its last line.
    let tail = ''
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const chunk of download) {
        tail = (tail + decoder.decode(chunk, { stream: true })).slice(-MAX_END_CHARS)
        yield chunk
      }
    }
    await writeOut(watched(), out, context)
    if (!END.test(tail)) throw new FailedError('the export broke off: its last line is not "end"')
    return { value: out === undefined ? [] : { user, out }, shown: '', note: `exported ${user}\n` }
  },
})

const MAX_END_CHARS = 64
const END = /\{"type":"end","lines":\d+\}\n$/

const erase = askService({
  arguments: USER,
  options: { '--yes': 'confirm: this cannot be undone' },
  async run(service, { user, yes }) {
    if (yes !== true)
      throw new UsageError(
        'this erases all accounts of the user with credentials and copies, and cannot be undone: say --yes',
      )
    const value = await service.users.erase(user)
    const shown = `erased ${user}: ${value.instances} instances and ${value.rows} rows next to them\n`
    return { value, shown }
  },
})

export const configure: Configure = family({
  export: ['write everything of one end user as lines of JSON, without secrets', exportUser],
  erase: ['erase everything of one end user, from every place where it is', erase],
})
