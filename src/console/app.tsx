// The console as a whole: who is signed in, the navigation, the screen of the current place.
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Session } from './api/answers.ts'
import { call, SIGNED_OUT } from './api/call.ts'
import { type Problem, problemOf } from './api/problem.ts'
import { Button } from './parts/controls.tsx'
import { Empty, ProblemNotice } from './parts/answer.tsx'
import { addressOf, BASE, Link, usePlace } from './place.tsx'
import { Screen } from './parts/screen.tsx'
import { showTheme, storedTheme, type Theme } from './parts/theme.ts'
import { SCREENS } from './screens/all-screens.tsx'
import { dropAllTyped } from './parts/typed.ts'
import { SignIn } from './screens/sign-in.tsx'
import { SessionProvider, useSession } from './session.ts'

type Door =
  | { readonly kind: 'asking' }
  | { readonly kind: 'outside'; readonly ended: boolean }
  | { readonly kind: 'broken'; readonly problem: Problem }
  | { readonly kind: 'inside'; readonly session: Session }

export function App(): ReactNode {
  const [door, setDoor] = useState<Door>({ kind: 'asking' })
  const ask = useCallback(() => {
    call<Session>('GET', '/session').then(
      (session) => setDoor({ kind: 'inside', session }),
      (error: unknown) => {
        const problem = problemOf(error)
        setDoor(
          problem.body.status === 401
            ? { kind: 'outside', ended: false }
            : { kind: 'broken', problem },
        )
      },
    )
  }, [])
  useEffect(ask, [ask])
  useEffect(() => {
    const end = (): void =>
      setDoor((before) => (before.kind === 'inside' ? { kind: 'outside', ended: true } : before))
    window.addEventListener(SIGNED_OUT, end)
    return () => window.removeEventListener(SIGNED_OUT, end)
  }, [])

  switch (door.kind) {
    case 'asking':
      return null
    case 'broken':
      return (
        <main className="sign-in">
          <ProblemNotice problem={door.problem} retry={ask} />
        </main>
      )
    case 'outside':
      return <SignIn ended={door.ended} enter={(session) => setDoor({ kind: 'inside', session })} />
    case 'inside': {
      const signOut = async (): Promise<void> => {
        await call('DELETE', '/session')
        dropAllTyped()
        setDoor({ kind: 'outside', ended: false })
      }
      return (
        <SessionProvider value={door.session}>
          <Frame signOut={() => void signOut()} />
        </SessionProvider>
      )
    }
  }
}

function Frame({ signOut }: { readonly signOut: () => void }): ReactNode {
  const session = useSession()
  const { path, query } = usePlace()
  const found = SCREENS.flatMap((screen) => {
    const pattern = `^${screen.path.replace('{id}', '(?<id>[0-9a-f-]+)')}$`
    const match = new RegExp(pattern).exec(path)
    return match === null ? [] : [{ screen, id: match.groups?.['id'] ?? '' }]
  }).at(0)
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <nav className="side" aria-label="Screens">
        <p className="brand">
          <span className="mark" aria-hidden="true" /> Tenon
          {session.mode === 'production' ? null : (
            <span className="badge wait">{session.mode}</span>
          )}
        </p>
        <ul>
          {SCREENS.filter(({ inMenu }) => inMenu !== undefined).map((screen) => (
            <li key={screen.path}>
              <Link to={addressOf(screen.path)} current={found?.screen.area === screen.area}>
                {screen.inMenu}
              </Link>
            </li>
          ))}
        </ul>
        <div className="side-foot">
          <p className="fine">
            Signed in as <strong>{session.name}</strong>
            {session.person === null ? null : `, ${session.person.role}`}
            <br />
            Organisation {session.organization_id}
          </p>
          <ThemeChoice />
          <a href={`${BASE.slice(0, -'/console'.length)}/docs`}>API reference</a>
          <Button className="plain" onClick={signOut}>
            Sign out
          </Button>
        </div>
      </nav>
      <main id="main">
        {found === undefined ? (
          <Screen title="There is no such page">
            <Empty
              title="This address leads nowhere"
              action={{ words: 'Go to the instances', to: addressOf('/instances'), plain: true }}
            >
              It may be from another version of the console.
            </Empty>
          </Screen>
        ) : (
          <found.screen.show key={path} id={found.id} query={query} />
        )}
      </main>
    </div>
  )
}

function ThemeChoice(): ReactNode {
  const [theme, setTheme] = useState(storedTheme)
  return (
    <label className="theme">
      <span>Theme</span>
      <select
        aria-label="Theme"
        value={theme}
        onChange={(event) => {
          // The three options below.
          const chosen = event.target.value as Theme
          setTheme(chosen)
          showTheme(chosen)
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
