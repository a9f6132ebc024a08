// The sheet of keys.
import { type ReactNode, useState } from 'react'
import { Tick } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { setSingleKeys, singleKeys } from '../parts/single-keys.ts'
import { Facts } from '../parts/values.tsx'
import { SCREENS } from '../screens/all-screens.tsx'
import { Pressed } from './pressed.tsx'

export default function KeySheet(props: { readonly close: () => void }): ReactNode {
  const [isOn, setOn] = useState(singleKeys)
  const jumps = SCREENS.flatMap(({ key, inMenu }) =>
    key === undefined || inMenu === undefined
      ? []
      : [[inMenu, <Pressed keys={['g', key]} />] as const],
  )
  return (
    <Dialog title="Keys" close={props.close}>
      <Facts
        of={[
          ['Find anything', <Pressed keys={['Ctrl', 'K']} />],
          ['To the filter of a screen; without one, to Find', <Pressed keys={['/']} />],
          ['Send a form', <Pressed keys={['Ctrl', 'Enter']} />],
          ['Close what lies over the screen', <Pressed keys={['Esc']} />],
          ['Next or previous entry of the logs', <Pressed keys={['J', 'K']} />],
          ['Next or previous row of the accounts, or copy on Sync', <Pressed keys={['J', 'K']} />],
          ['Choose it; with Shift and J or K those on the way', <Pressed keys={['X']} />],
          ['This sheet', <Pressed keys={['?']} />],
          ...jumps,
        ]}
      />
      <Tick
        words="Single keys work (all of these without Ctrl)"
        checked={isOn}
        change={(next) => {
          setOn(next)
          setSingleKeys(next)
        }}
      />
    </Dialog>
  )
}
