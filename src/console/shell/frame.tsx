// What stands around every screen: the menu, the bar above, the keys, the palette.
import { BookOpen, Braces, History, Menu as MenuIcon, Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Skeleton } from '../parts/answer.tsx'
import { COMMAND_KEY } from '../parts/command-key.ts'
import { Button } from '../parts/controls.tsx'
import { Mark } from '../parts/mark.tsx'
import { Screen } from '../parts/screen.tsx'
import { addressOf, goTo, Link, ROOT, usePlace } from '../place.tsx'
import { SCREENS } from '../screens/all-screens.tsx'
import { useSession } from '../session.ts'
import { useKeys } from './keys.ts'
import { loadAllScreens } from './late-screen.tsx'
import { RefusalTip } from './refusal-tip.tsx'
import { addressMeant, screenAt } from './screen-at.ts'
import { UserMenu } from './user-menu.tsx'
import './frame.css'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)
const KeySheet = lazy(() => import('./key-sheet.tsx'))

const IN_MENU = SCREENS.filter(({ inMenu }) => inMenu !== undefined)

export function Frame({ signOut }: { readonly signOut: () => void }): ReactNode {
  const { path, query } = usePlace()
  const [over, setOver] = useState<'palette' | 'keys' | 'menu' | null>(null)
  const close = useCallback(() => setOver(null), [])
  useEffect(close, [path, query, close])
  useEffect(() => {
    // Where nobody answers it is asked for again when it is opened.
    loadPalette().catch(() => undefined)
    void loadAllScreens()
  }, [])
  useKeys({
    openPalette: () => setOver('palette'),
    openSheet: () => setOver('keys'),
    isPaletteOpen: over === 'palette',
  })
  const found = screenAt(path)
  const meant = found === undefined ? addressMeant(path) : null
  useEffect(() => {
    if (meant === null) return
    const { pathname, searchParams } = new URL(meant, window.location.href)
    for (const [name, value] of query) searchParams.append(name, value)
    const asked = String(searchParams)
    goTo(asked === '' ? pathname : `${pathname}?${asked}`, { replace: true })
  }, [meant, query])
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Side area={found?.screen.area} isOpen={over === 'menu'}>
        <Button
          className="plain-icon side-toggle"
          aria-label="Menu"
          aria-expanded={over === 'menu'}
          onClick={() => setOver((before) => (before === 'menu' ? null : 'menu'))}
        >
          <MenuIcon size={20} aria-hidden />
        </Button>
      </Side>
      {over === 'menu' ? <div className="side-cover" onClick={close} /> : null}
      <div className="column">
        <header className="top">
          <Button className="find" onClick={() => setOver('palette')}>
            <Search size={15} aria-hidden />
            <span className="cut grow">Find accounts, operations, pages, commands</span>
            <kbd>{COMMAND_KEY} K</kbd>
          </Button>
          <UserMenu openSheet={() => setOver('keys')} signOut={signOut} />
        </header>
        <main id="main">
          {found === undefined ? (
            meant === null && <Nowhere find={() => setOver('palette')} />
          ) : (
            <found.screen.show key={path} id={found.id} query={query} />
          )}
        </main>
      </div>
      <RefusalTip key={path} />
      <Suspense fallback={null}>
        {over === 'palette' ? (
          <Palette
            close={close}
            openSheet={() => setOver('keys')}
            signOut={signOut}
            account={query.get('instance') ?? found?.id ?? ''}
          />
        ) : null}
        {over === 'keys' ? <KeySheet close={close} /> : null}
      </Suspense>
    </div>
  )
}

function Side(props: {
  readonly area: string | undefined
  readonly isOpen: boolean
  readonly children: ReactNode
}): ReactNode {
  const session = useSession()
  return (
    <nav className={props.isOpen ? 'side open' : 'side'} aria-label="Screens">
      <p className="brand">
        {props.children}
        <Mark /> <span className="brand-name">Tenon</span>
        {session.mode === 'production' ? null : <span className="badge wait">{session.mode}</span>}
      </p>
      <div className="side-menu">
        <ul>
          {IN_MENU.map(({ path, area, inMenu, icon: Icon }) => (
            <li key={path}>
              <Link to={addressOf(path)} current={props.area === area}>
                {Icon === undefined ? null : <Icon size={16} aria-hidden />}
                {inMenu}
              </Link>
            </li>
          ))}
        </ul>
        <ul className="side-foot">
          <li>
            <a href={`${ROOT}/docs/contents`}>
              <BookOpen size={16} aria-hidden />
              Documentation
            </a>
          </li>
          <li>
            <a href={`${ROOT}/docs`}>
              <Braces size={16} aria-hidden />
              API reference
            </a>
          </li>
          <li>
            <a href={`${ROOT}/docs/changelog`}>
              <History size={16} aria-hidden />
              Changelog
            </a>
          </li>
        </ul>
      </div>
    </nav>
  )
}

function Nowhere({ find }: { readonly find: () => void }): ReactNode {
  return (
    <Screen title="There is no such page">
      <div className="empty">
        <h2>This address leads nowhere</h2>
        <p>It may be from another version of the console. What there is:</p>
        <ul className="nowhere" aria-label="What there is">
          {IN_MENU.map(({ path, inMenu }) => (
            <li key={path}>
              <Link to={addressOf(path)}>{inMenu}</Link>
            </li>
          ))}
        </ul>
        <Button className="primary" onClick={find}>
          Find something else
        </Button>
      </div>
    </Screen>
  )
}

/** What is seen while it is asked who is signed in; index.html has the same for the time before. */
export function FrameSkeleton(): ReactNode {
  return (
    <div className="frame" aria-busy="true">
      <div className="side">
        <p className="brand">
          <Mark /> Tenon
        </p>
      </div>
      <div className="column">
        <div className="top" />
        <div className="screen">
          <Skeleton />
        </div>
      </div>
    </div>
  )
}
