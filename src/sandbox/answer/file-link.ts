// The address of a file inside an answer.
import type { Action } from '../../language/manifest/manifest.ts'
import { contentTypeFor } from '../files/media-file.ts'
import { writePath } from '../wire/write-path.ts'
import type { Draft } from '../wire/write-path.ts'
import type { Doing } from './doing.ts'

/** Size of files that nobody describes. */
export const DEFAULT_FILE_BYTES = 100_000

/** Writes a signed address where the action's download looks for one. The parameters decide which file it is. */
export function writeFileLink(draft: Draft, doing: Doing, action: Action): void {
  if (action.download?.url == null) return
  const link = doing.world.linkFile({
    name: `${action.entity}/${JSON.stringify(doing.understood.params)}`,
    contentType: contentTypeFor(action.download.types),
    size: DEFAULT_FILE_BYTES,
  })
  writePath(draft, action.download.url, link)
}
