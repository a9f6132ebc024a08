// Ctrl+K: anything by its name.
import { type ReactNode, useState } from 'react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { Header, Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { SearchField } from 'react-aria-components/SearchField'
import type { Described } from '../api/answers.ts'
import { call, instancePath } from '../api/call.ts'
import { useAnswer, useSettled } from '../api/use-answer.ts'
import { useAccounts } from '../parts/account-box.tsx'
import { ConnectorIcon } from '../parts/connector-icon.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { plainText } from '../parts/plain-text.ts'
import { recentAccounts } from '../parts/recent-accounts.ts'
import { addressOf, goTo, ROOT } from '../place.tsx'
import { SCREENS } from '../screens/all-screens.tsx'
import '../parts/menu.css'
import './palette.css'

interface Goal {
  readonly id: string
  readonly words: string
  readonly about?: string
  /** By what it is found, too. */
  readonly found?: string
  readonly icon?: ReactNode
  readonly go: () => void
}

const SCREEN_GOALS: readonly Goal[] = [
  ...SCREENS.flatMap(({ path, inMenu }) =>
    inMenu === undefined ? [] : [{ id: path, words: inMenu, go: () => goTo(addressOf(path)) }],
  ),
  {
    id: '/instances/new',
    words: 'Connect an account',
    go: () => goTo(addressOf('/instances/new')),
  },
]
const DOC_GOALS: readonly Goal[] = [
  ['API reference', '/docs'],
  ['Error codes', '/docs/errors'],
].map(([words = '', path = '']) => ({
  id: path,
  words,
  go: () => window.location.assign(ROOT + path),
}))

const TYPED_MS = 120
const RECENT = 5

/** What the account that was looked at last can do. */
function useOperations(): readonly Goal[] {
  const [instance] = recentAccounts()
  const answer = useAnswer(instance ?? '', async (signal) =>
    instance === undefined
      ? null
      : await call<Described>('GET', `${instancePath(instance)}/describe`, { signal }),
  )
  if (instance === undefined || answer.kind !== 'ready' || answer.value === null) return []
  const { connector_type: type, entities } = answer.value
  return entities.flatMap(({ entity, actions }) =>
    actions.map(({ action, summary }) => ({
      id: `${entity}.${action}`,
      words: `${entity}.${action}`,
      about: summary ?? '',
      icon: <ConnectorIcon type={type} />,
      go: () => goTo(addressOf('/explorer', { instance, entity, action })),
    })),
  )
}

export default function Palette({ close }: { readonly close: () => void }): ReactNode {
  const [typed, setTyped] = useState('')
  const { contains } = useFilter({ sensitivity: 'base' })
  const words = useSettled(typed.trim(), TYPED_MS)
  const accounts = useAccounts(words).map((instance): Goal => ({
    id: instance.id,
    words: plainText(instance.name),
    about: plainText(instance.external_user_id),
    found: instance.id,
    icon: <ConnectorIcon type={instance.connector_type} />,
    go: () => goTo(addressOf(`/instances/${instance.id}`)),
  }))
  const operations = useOperations()
  const groups: readonly (readonly [title: string, goals: readonly Goal[]])[] = [
    ['Accounts', words === '' ? accounts.slice(0, RECENT) : accounts],
    ['Screens', SCREEN_GOALS],
    // Hundreds of them would hide the rest before a word is typed.
    ['Operations', words === '' ? [] : operations],
    ['Documentation', DOC_GOALS],
  ]
  return (
    <Dialog title="Find" close={close}>
      <Autocomplete inputValue={typed} onInputChange={setTyped} filter={contains}>
        <SearchField aria-label="Find accounts, operations, pages">
          <Input placeholder="A name, a user, an id, an operation" />
        </SearchField>
        <Menu
          className="menu palette"
          aria-label="What was found"
          renderEmptyState={() => <p className="quiet">Nothing is called that.</p>}
        >
          {groups.map(([title, goals]) =>
            goals.length === 0 ? null : (
              <MenuSection key={title} id={title}>
                <Header className="menu-head">{title}</Header>
                {goals.map(({ id, words: name, about, found, icon, go }) => (
                  <MenuItem
                    key={id}
                    id={id}
                    className="menu-item"
                    textValue={`${name} ${about ?? ''} ${found ?? ''}`}
                    onAction={() => {
                      close()
                      go()
                    }}
                  >
                    {icon}
                    <span>{name}</span>
                    {about === undefined ? null : <small className="quiet">{about}</small>}
                  </MenuItem>
                ))}
              </MenuSection>
            ),
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}
