// The sheet of keys.
import { type ReactNode, useState } from 'react'
import { COMMAND_KEY } from '../parts/command-key.ts'
import { Tick } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { setSingleKeys, singleKeys } from '../parts/single-keys.ts'
import { SCREENS } from '../screens/all-screens.tsx'
import './key-sheet.css'
import { Pressed } from './pressed.tsx'

type Row = readonly [what: string, keys: ReactNode]

const EVERYWHERE: readonly Row[] = [
  ['Find anything', <Pressed keys={[COMMAND_KEY, 'K']} />],
  ['To the filter of a screen; without one, to Find', <Pressed keys={['/']} />],
  ['Send the form of a screen', <Pressed keys={[COMMAND_KEY, 'Enter']} />],
  ['Close what lies over the screen', <Pressed keys={['Esc']} />],
  ['This sheet', <Pressed keys={['?']} />],
]

const LISTS: readonly Row[] = [
  ['Next or previous account, or copy on Sync', <Pressed keys={['J', 'K']} between="or" />],
  ['Next or previous entry while one is open', <Pressed keys={['J', 'K']} between="or" />],
  ['Choose the account, or let it go', <Pressed keys={['X']} />],
  [
    'Choose those on the way, too',
    <>
      <Pressed keys={['Shift', 'J']} /> <small>or</small> <Pressed keys={['Shift', 'K']} />
    </>,
  ],
]

const GO_TO: readonly Row[] = SCREENS.flatMap(({ key, inMenu }) =>
  key === undefined || inMenu === undefined
    ? []
    : [[inMenu, <Pressed keys={['G', key]} between="then" />] as const],
)

export default function KeySheet(props: { readonly close: () => void }): ReactNode {
  const [isOn, setOn] = useState(singleKeys)
  return (
    <Dialog title="Keys" close={props.close} wide isRead>
      <div className="all-keys">
        <div>
          <Group title="Everywhere" rows={EVERYWHERE} />
          <Group title="Lists" rows={LISTS} />
        </div>
        <Group title="Go to" rows={GO_TO} />
      </div>
      <Tick
        words="Single keys work: letters, / and ?"
        checked={isOn}
        change={(next) => {
          setOn(next)
          setSingleKeys(next)
        }}
      />
    </Dialog>
  )
}

function Group({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([what, keys]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{keys}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
