// The path of a request for traces and logs: as its manifest has it, without what a caller gives.
import type { Step } from '../../language/manifest/manifest.ts'

/** `/issues/{}/comments` */
export function pathTemplate(path: Step['request']['path']): string {
  return path
    .map(
      (segment) => `/${segment.map((part) => (typeof part === 'string' ? part : '{}')).join('')}`,
    )
    .join('')
}
