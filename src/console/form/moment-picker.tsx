// A calendar next to a text that is a day or a moment: the text stays free, for what vendors take besides.
import type { ReactNode } from 'react'
import type { Json } from '../api/json-text.ts'
import { type Epoch, epochFrom, epochMoment } from '../../display/epochs.ts'
import { momentPicked, pickedFrom } from '../parts/moment.ts'

const PICKERS: Readonly<
  Record<
    string,
    {
      readonly type: string
      readonly words: string
      readonly read: (text: string) => string
      readonly write: (picked: string) => string
    }
  >
> = {
  date: { type: 'date', words: 'Choose a day', read: (text) => text, write: (picked) => picked },
  'date-time': momentBy('Choose a moment'),
  'iso-time': momentBy('Choose a moment'),
  epoch_s: numberBy('epoch_s'),
  epoch_ms: numberBy('epoch_ms'),
}

/** Of a moment that is a number. */
function numberBy(epoch: Epoch): ReturnType<typeof momentBy> {
  const { write, ...picker } = momentBy('Choose a moment')
  return {
    ...picker,
    read: (text) => picker.read(epochMoment(Number(text), epoch) ?? ''),
    write: (picked) => String(epochFrom(write(picked), epoch)),
  }
}

function momentBy(words: string) {
  return {
    type: 'datetime-local',
    words,
    read: (text: string): string => pickedFrom(text, 'minute'),
    write: momentPicked,
  }
}

export function MomentPicker(props: {
  readonly format: Json | undefined
  readonly text: string
  readonly type: (text: string) => void
  readonly children: ReactNode
}): ReactNode {
  const { format, text, type, children } = props
  const picker = typeof format === 'string' ? PICKERS[format] : undefined
  if (picker === undefined) return children
  return (
    <div className="picker">
      {children}
      <input
        type={picker.type}
        aria-label={picker.words}
        value={picker.read(text)}
        onChange={({ target: { value } }) => type(value === '' ? '' : picker.write(value))}
      />
    </div>
  )
}
