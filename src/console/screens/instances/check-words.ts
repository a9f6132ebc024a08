// What a check found, for people.
import type { CheckAnswer } from '../../api/answers.ts'

export function checkInWords({ result, took_ms: tookMs, error }: CheckAnswer): string {
  const because = error === null ? '' : ` ${error.detail}.`
  const isAsked = error?.code !== 'upstream_suspended'
  const outcome = isAsked
    ? 'The third party gave no clear answer.'
    : 'The third party is left alone for now.'
  const words: Readonly<Record<CheckAnswer['result'], string>> = {
    ok: `The third party accepted the credentials in ${tookMs} ms.`,
    refused: `The third party refused the credentials.${because} Choose Re-authenticate.`,
    inconclusive: `${outcome}${because} The state stays as it is; check again later.`,
  }
  return words[result]
}
