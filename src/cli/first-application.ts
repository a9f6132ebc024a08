// The secret of the application that a first start makes: shown to a person, or put where only this user reads it. Output
// without a terminal is a log that others keep.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Service } from '../hosting/service.ts'
import type { Channel } from './terminal.ts'

export const SECRET_FILE = 'first-client-secret'

/** The first application as programs are told of it: its secret, or where that is. */
export type FirstApplication =
  | { readonly client_id: string; readonly client_secret: string }
  | { readonly client_id: string; readonly client_secret_file: string }
  /** It has the secret that the operator gave. */
  | { readonly client_id: string }

/**
 * Shows the first application on `channel`: its secret where that is a terminal, else the file of mode 0600 that it is
 * written to. Null: this start made none. A secret that cannot be written is lost, and the log says how to get another.
 */
export async function tellFirstApplication(
  { firstApplication, settings, log }: Pick<Service, 'firstApplication' | 'settings' | 'log'>,
  channel: Channel,
): Promise<FirstApplication | null> {
  if (firstApplication === null) return null
  const { clientId: client_id, clientSecret: client_secret } = firstApplication
  if (settings.clientSecret !== null) {
    log.info({ client_id }, 'the first application has the secret of TENON_CLIENT_SECRET')
    return { client_id }
  }
  if (channel.isTerminal) {
    channel.write(linesOf('Its secret is shown only now', { client_id, client_secret }))
    return { client_id, client_secret }
  }
  const client_secret_file = resolve(settings.data, SECRET_FILE)
  try {
    await writeSecret(settings.data, client_secret)
  } catch (error) {
    log.error(
      { client_id, file: client_secret_file, reason: String(error) },
      `the secret of the first application could not be written; tenon apps rotate-secret ${client_id} makes another`,
    )
    return { client_id }
  }
  log.warn(
    { client_id, file: client_secret_file },
    'the secret of the first application is in this file: keep it elsewhere, and delete the file',
  )
  channel.write(linesOf('Its secret is in a file of mode 0600', { client_id, client_secret_file }))
  return { client_id, client_secret_file }
}

/** Never through a link or into a file that others may have open. */
async function writeSecret(folder: string, secret: string): Promise<void> {
  const file = join(folder, SECRET_FILE)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(file, { force: true })
  await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600 })
  // The umask may have taken more away, never less.
  await chmod(file, 0o600)
}

function linesOf(about: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => `  ${name.padEnd(20)}${value}`)
  return [`The first application. ${about}:`, ...lines, '', ''].join('\n')
}
