// A check that somebody has asked for, as the screens tell it.
import { checkInWords } from '../../../display/check-words.ts'
import type { CheckAnswer } from '../../api/answers.ts'
import { exactLocal } from '../../../display/local-time.ts'

const WAYS_ON: Readonly<Record<CheckAnswer['result'], string>> = {
  ok: '',
  refused: ' Choose Re-authenticate.',
  inconclusive: ' The state stays as it is; check again later.',
}

export function checkTold(answer: CheckAnswer): string {
  const words = checkInWords(answer, { moment: exactLocal, nowMs: Date.now() })
  return `${words}${WAYS_ON[answer.result]}`
}
