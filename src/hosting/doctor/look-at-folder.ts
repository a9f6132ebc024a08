// The data folder: who may read it, and how much room there is.
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { KEY_FILE } from '../../service/vault/keys/file-keys.ts'
import { STATE_FILE } from '../../service/store/open/open-store.ts'
import { type Finding, findingsOf } from './finding.ts'

const FOLDER = findingsOf('data folder')
const DISK = findingsOf('disk')

const OTHERS = 0o077

/** Rights of the folder and of the files that hold secrets. A folder that is not there is made by the first start. */
export async function lookAtFolder(folder: string): Promise<readonly Finding[]> {
  const found = await stat(folder).catch(() => null)
  if (found === null) {
    const above = await nearestFolder(folder)
    return (await mayWrite(above))
      ? [FOLDER.ok(`${folder} will be made by the first start`)]
      : [notWritable(`${folder} cannot be made: ${above} cannot be written`)]
  }
  if (!found.isDirectory())
    return [FOLDER.fail(`${folder} is a file`, 'name a folder with TENON_DATA')]
  if (!(await mayWrite(folder))) return [notWritable(`${folder} cannot be written`)]
  const open: Finding[] = []
  for (const [path, mode] of [
    [folder, 0o700],
    [join(folder, KEY_FILE), 0o600],
    [join(folder, STATE_FILE), 0o600],
  ] as const) {
    const given = (await stat(path).catch(() => null))?.mode ?? 0
    // Windows has no such bits.
    if ((given & OTHERS) === 0 || process.platform === 'win32') continue
    open.push(
      FOLDER.fail(
        `${path} is open to other users (mode 0${(given & 0o777).toString(8)})`,
        `chmod ${mode.toString(8)} ${path}`,
      ),
    )
  }
  return open.length > 0 ? open : [FOLDER.ok(`${folder} is for this user only`)]
}

function notWritable(message: string): Finding {
  return FOLDER.fail(
    message,
    'give the folder to the user that runs the service, or name another one with TENON_DATA',
  )
}

const LITTLE_BYTES = 1024 ** 3
const TOO_LITTLE_BYTES = 100 * 1024 ** 2

export async function lookAtDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestFolder(folder))
  return judgeRoom(folder, bavail * bsize)
}

/** A full disk: reads go on, every change is refused. */
export function judgeRoom(folder: string, freeBytes: number): Finding {
  const message = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free at ${folder}`
  const remedy = 'make room: on a full disk every change is refused'
  if (freeBytes < TOO_LITTLE_BYTES) return DISK.fail(message, remedy)
  return freeBytes < LITTLE_BYTES ? DISK.warn(message, remedy) : DISK.ok(message)
}

/** The folder itself, or the first one above it that is there. */
async function nearestFolder(folder: string): Promise<string> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if ((await stat(path).catch(() => null))?.isDirectory() === true) return path
    if (path === dirname(path)) return path
  }
}

async function mayWrite(folder: string): Promise<boolean> {
  return await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}
