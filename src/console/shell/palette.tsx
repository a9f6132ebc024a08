// Ctrl+K: anything by its name.
import { type ReactNode, useState } from 'react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { Header, Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { SearchField } from 'react-aria-components/SearchField'
import { Dialog } from '../parts/dialog.tsx'
import { addressOf, goTo, ROOT } from '../place.tsx'
import { SCREENS } from '../screens/all-screens.tsx'
import '../parts/menu.css'
import './palette.css'

interface Goal {
  readonly id: string
  readonly words: string
  readonly about?: string
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

export default function Palette({ close }: { readonly close: () => void }): ReactNode {
  const [typed, setTyped] = useState('')
  const { contains } = useFilter({ sensitivity: 'base' })
  const groups: readonly (readonly [title: string, goals: readonly Goal[]])[] = [
    ['Screens', SCREEN_GOALS],
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
          {groups.map(([title, goals]) => (
            <MenuSection key={title} id={title}>
              <Header className="menu-head">{title}</Header>
              {goals.map(({ id, words, about, go }) => (
                <MenuItem
                  key={id}
                  id={id}
                  className="menu-item"
                  textValue={`${words} ${about ?? ''}`}
                  onAction={() => {
                    close()
                    go()
                  }}
                >
                  <bdi>{words}</bdi>
                  {about === undefined ? null : <bdi className="quiet">{about}</bdi>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}
