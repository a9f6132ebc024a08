// A button that opens a menu of actions.
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import type { RightName } from '../../display/rights.ts'
import { useRefusals } from '../session.ts'
import './menu.css'

export interface MenuEntry {
  readonly words: string
  readonly act: () => void
  readonly icon?: ReactNode
  readonly isDangerous?: boolean
  /** Who lacks this right cannot choose it, and reads why. */
  readonly needs?: RightName
}

/** `shown`: what stands on the button; absent, three dots. */
export function Menu(props: {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly shown?: ReactNode
  readonly disabled?: boolean
}): ReactNode {
  const refusalOf = useRefusals()
  return (
    <MenuTrigger>
      <Button
        className="button"
        aria-label={props.label}
        {...(props.disabled === true ? { isDisabled: true } : {})}
      >
        {props.shown ?? <Ellipsis size={16} aria-hidden />}
      </Button>
      <Popover className="popover" placement="bottom end">
        <AriaMenu className="menu" aria-label={props.label}>
          {props.entries.map(({ words, act, icon, isDangerous, needs }) => {
            const refusal = refusalOf(needs)
            return (
              <MenuItem
                key={words}
                id={words}
                textValue={words}
                className={isDangerous === true ? 'menu-item danger' : 'menu-item'}
                isDisabled={refusal !== null}
                onAction={act}
              >
                {icon}
                <span>
                  {words} {refusal === null ? null : <small className="refusal">{refusal}</small>}
                </span>
              </MenuItem>
            )
          })}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
