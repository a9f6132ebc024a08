// Who is signed in, and what belongs to them: the theme, the keys, the way out. The browser opens and closes it.
import { ChevronDown, Keyboard, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../parts/controls.tsx'
import { plainText } from '../../display/plain-text.ts'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { Id } from '../parts/values.tsx'
import { useSession } from '../session.ts'
import '../parts/menu.css'
import './user-menu.css'

const ID = 'user-menu'

export function UserMenu(props: {
  readonly openSheet: () => void
  readonly signOut: () => void
}): ReactNode {
  const { name, person, client_id: clientId, organization_id: organization } = useSession()
  const words = plainText(name)
  return (
    <>
      <Button className="plain-icon user-button" popoverTarget={ID}>
        <span className="user-mark" aria-hidden>
          {/./u.exec(words)?.[0].toUpperCase()}
        </span>
        <span className="unseen">Signed in as {words}</span>
        <span className="cut" aria-hidden>
          {words}
        </span>
        <ChevronDown size={15} aria-hidden />
      </Button>
      <div id={ID} popover="auto" className="popover user-menu" role="group" aria-label="You">
        <p className="menu-head">
          <strong>{words}</strong>
          {person === null ? 'an application, with all rights' : person.role}
        </p>
        <dl className="user-ids">
          {person !== null || clientId === null ? null : (
            <>
              <dt>Client id</dt>
              <dd>
                <Id of={clientId} label="Copy the client id" />
              </dd>
            </>
          )}
          <dt>Organisation</dt>
          <dd>
            <Id of={plainText(organization)} label="Copy the id of the organisation" />
          </dd>
        </dl>
        <ThemeChoice />
        <Button
          className="menu-item"
          popoverTarget={ID}
          popoverTargetAction="hide"
          onClick={props.openSheet}
        >
          <Keyboard size={15} aria-hidden />
          Keys
        </Button>
        <Button className="menu-item" onClick={props.signOut}>
          <LogOut size={15} aria-hidden />
          Sign out
        </Button>
      </div>
    </>
  )
}
