// Ctrl+K: anything by words of its name, what fits best first.
import { List } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { Header, Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { SearchField } from 'react-aria-components/SearchField'
import { type Apart, toldApart } from '../../display/alike-accounts.ts'
import { FAILING, illInWords, STATES } from '../../display/account-states.ts'
import type { RightName } from '../../display/rights.ts'
import { ERRORS } from '../../errors.ts'
import type { Instance, InstancePage } from '../api/answers.ts'
import { call, instancePath } from '../api/call.ts'
import { useAnswer, useGet, useSettled } from '../api/use-answer.ts'
import { useAccounts } from '../parts/account-box.tsx'
import { type AccountAction, askFor } from '../parts/asked-action.ts'
import { VIEWS } from '../parts/account-nav.tsx'
import { ConnectorIcon } from '../parts/connector-icon.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Marked } from '../parts/marked.tsx'
import { wordsOf } from '../parts/marked-words.ts'
import { plainText } from '../../display/plain-text.ts'
import { recentAccounts } from '../parts/recent-accounts.ts'
import { AccountMark } from '../parts/state-badge.tsx'
import { showTheme } from '../parts/theme-choice.tsx'
import { exactLocal } from '../../display/local-time.ts'
import { addressOf, goTo, ROOT } from '../place.tsx'
import { useRefusals } from '../session.ts'
import { SCREENS } from '../screens/all-screens.tsx'
import { SETTING_PARTS } from '../screens/settings/setting-parts.ts'
import { troubleIn } from '../screens/overview/together.tsx'
import { singleKeys } from '../parts/single-keys.ts'
import { Pressed } from './pressed.tsx'
import { type AccountList, useFoundAccounts } from './found-accounts.ts'
import { DOC_GOALS, DOCUMENTATION, searchDocs, useDocGoals } from './doc-goals.tsx'
import { type Goal, type Group, leading, ranked } from './goal.ts'
import { takeHeld } from './keys.ts'
import { useOperationGoals } from './operation-goals.tsx'
import { isId, usePasted } from './pasted.ts'
import { rankOf, withoutAsking } from './rank.ts'
import '../parts/menu.css'
import './palette.css'

const TYPED_MS = 120
const RECENT = 5
/** With so many first letters the service is asked for accounts whose names may be meant. */
const ALIKE = 3
const LOOKING: readonly Group[] = [['Looking …', []]]
const KEY = 'tenon.goals'

const SCREEN_GOALS: readonly Goal[] = [
  ...SCREENS.flatMap(({ path, inMenu, alsoCalled = '', icon: Icon, key }) =>
    inMenu === undefined
      ? []
      : [
          {
            ...leading(inMenu, path),
            ...(key === undefined ? {} : { keys: ['g', key] }),
            found: alsoCalled,
            icon: Icon === undefined ? null : <Icon size={16} aria-hidden />,
            ...(path === '/settings' ? { needs: 'applications' as const } : {}),
          },
        ],
  ),
  ...Object.entries(SETTING_PARTS).map(([part, { words, needs, found }]) => ({
    ...leading(words, '/settings', { part }, 'Settings'),
    found,
    needs,
  })),
]

/** What the screens of an account are found by: what the one of all accounts is. */
const FOUND_BY: ReadonlyMap<string | undefined, string> = new Map(
  SCREENS.map(({ inMenu, alsoCalled = '' }) => [inMenu, alsoCalled]),
)
const CODE_GOALS: readonly Goal[] = Object.entries(ERRORS).map(([code, { title }]) => ({
  id: `error ${code}`,
  words: code,
  about: title,
  go: () => window.location.assign(`${ROOT}/docs/errors#${code}`),
}))

/** Of a code of ours, what has failed with it. */
function logsOf(code: string): readonly Goal[] {
  const words = `Logs with the error ${code}`
  return Object.hasOwn(ERRORS, code) ? [leading(words, '/logs', { code })] : []
}

interface PaletteProps {
  readonly close: () => void
  readonly openSheet: () => void
  readonly signOut: () => void
  /** The id of the account that is on the screen; empty: none is. */
  readonly account: string
}

/** How many accounts there are that need somebody; null: not known. */
interface Needy {
  /** Of both kinds below. */
  readonly all: number
  readonly failing: number
  readonly refused: number
}

function useNeedy(): Needy | null {
  const answer = useGet<InstancePage>('/integrations/connectors', { counts: 'true', limit: '1' })
  if (answer.kind !== 'ready') return null
  const { meta } = answer.value
  // Where some are missing, nobody knows.
  if (meta.facets === undefined || meta.incomplete !== undefined) return null
  const refused = meta.facets.state.find(({ value }) => value === 'auth_error')?.count ?? 0
  return { all: troubleIn(meta, 'attention'), failing: troubleIn(meta, 'failing'), refused }
}

/** A list that is told to be empty is not offered. */
function counted(goal: Goal, count: number | undefined): readonly Goal[] {
  if (count === undefined) return [goal]
  return count === 0 ? [] : [{ ...goal, about: count.toLocaleString('en') }]
}

/** The answer to "why failing" where nothing does. It leads to where it would be told. */
const ALL_WELL: Goal = {
  ...leading(
    'No account needs attention',
    '/overview',
    {},
    'no sync fails, no credentials refused',
  ),
  id: 'all well',
  found: `${FAILING.label} ${FAILING.found} syncs accounts me`,
}

/** With a mistake in a word, something else is meant. */
function asksForIll(words: readonly string[]): boolean {
  return words.length > 0 && rankOf(words, ALL_WELL.words, ALL_WELL.found) !== null
}

function commands(
  { openSheet, signOut }: PaletteProps,
  needy: Needy | null,
  words: readonly string[],
): readonly Goal[] {
  const command = (words: string, found: string, to: string | (() => void)): Goal => ({
    id: `do ${words}`,
    words,
    found,
    go: typeof to === 'string' ? () => goTo(addressOf(to)) : to,
  })
  return [
    { ...command('Connect an account', 'new add', '/instances/new'), needs: 'connecting' },
    ...counted(
      {
        ...leading('Accounts that need attention', '/instances', { sync: 'attention' }),
        found: `${FAILING.label} ${FAILING.found} credentials refused me`,
      },
      needy?.all,
    ),
    ...(needy?.all === 0 && asksForIll(words) ? [ALL_WELL] : []),
    ...counted(
      {
        ...leading('Failing accounts', '/instances', { sync: 'failing' }),
        found: `${FAILING.found} syncs runbook rate limit limited 429`,
      },
      needy?.failing,
    ),
    ...counted(
      {
        ...leading('Accounts that need re-authentication', '/instances', { state: 'auth_error' }),
        found: `${FAILING.label} ${FAILING.found} credentials refused runbook`,
      },
      needy?.refused,
    ),
    { ...command('New search', 'find records', '/search'), needs: 'operations' },
    { ...command('Add a webhook endpoint', 'new', '/webhooks/new'), needs: 'webhooks' },
    command('Switch to light', 'theme colours bright', () => showTheme('light')),
    command('Switch to dark', 'theme colours night', () => showTheme('dark')),
    command('Use the theme of the system', 'colours light dark', () => showTheme('system')),
    { ...command('Show all keys', 'keyboard sheet shortcuts help', openSheet), keys: ['?'] },
    command('Sign out', 'log out logout sign off logoff leave', signOut),
  ]
}

/** The account on the screen, or else the one that was looked at last. */
function useOwn(shown: string): Instance | null {
  const id = shown === '' ? (recentAccounts()[0] ?? '') : shown
  const own = useAnswer(id, async (signal) =>
    id === '' ? null : await call<Instance>('GET', instancePath(id), { signal }),
  )
  return own.last ?? null
}

/** `typed`: by what it was found, where that are words for its state. */
function accountGoal(
  account: Instance,
  isFailing: boolean,
  typed: string,
  apart: Apart | undefined,
): Goal {
  const { id, name, external_user_id: user, connector_type: type, state } = account
  const { label, found } = STATES[state]
  const failing = isFailing ? `${FAILING.label} ${FAILING.found}` : ''
  const difference =
    apart === undefined
      ? ''
      : apart.kind === 'settings'
        ? ` · ${plainText(apart.words)}`
        : ` · connected ${exactLocal(apart.at)}`
  return {
    ...leading(plainText(name), `/instances/${id}`, {}, plainText(user) + difference),
    found: `${id} ${type} ${label} ${found} ${failing} ${typed}`,
    icon: <ConnectorIcon type={type} />,
    mark: <AccountMark state={state} isFailing={isFailing} />,
  }
}

/** A list of the accounts of one user, or of all that begin with words: what it has, and how many. */
function listGoal({ user, rest, kind, total, those, needy }: AccountList, typed: string): Goal {
  const ill = illInWords(those, needy)
  const [all, some] = [total, those].map((count) => count.toLocaleString('en'))
  const filter = {
    ...(user === null ? { starts_with: rest } : { external_user_id: user }),
    ...kind?.filter,
  }
  const words =
    user === null
      ? `${kind?.label}: all ${all} accounts that begin with “${rest}”`
      : kind === null
        ? `All accounts of user ${plainText(user)} (${all}${ill === '' ? '' : `, ${ill}`})`
        : `Accounts of user ${plainText(user)}: ${kind.label.toLowerCase()} (${some} of ${all})`
  return {
    ...leading(words, '/instances', filter),
    found: typed,
    icon: <List size={16} aria-hidden />,
  }
}

function viewsOf({ id, name, external_user_id: user }: Instance): readonly Goal[] {
  const goal = (words: string, to: string): Goal => ({
    id: `${to} ${words}`,
    words,
    about: plainText(name),
    found: `${user} ${id} ${FOUND_BY.get(words) ?? ''}`,
    go: () => goTo(to),
  })
  return [
    ...Object.values(VIEWS).map(([words, to]) => goal(words, to(id))),
    { ...goal('Re-authenticate', addressOf(`/instances/${id}/reconnect`)), needs: 'connecting' },
  ]
}

/** What a button or the menu of the account does; its screen does it, and asks where it asks otherwise. */
function actionOf(
  { id, name }: Instance,
  words: string,
  action: AccountAction,
  { needs, to, found }: { readonly needs: RightName; readonly to?: string; readonly found: string },
): Goal {
  return {
    id: `${action} ${id}`,
    words,
    about: plainText(name),
    found,
    needs,
    go: () => {
      askFor(id, action)
      goTo(to ?? addressOf(`/instances/${id}`))
    },
  }
}

/** What cannot be undone stands last: nobody gets there by words that are meant for something else. */
function deletionOf(account: Instance): Goal {
  return actionOf(account, 'Delete', 'delete', { needs: 'deleting', found: 'remove erase account' })
}

function actionsOf(account: Instance): readonly Goal[] {
  const { id, enabled, state, sync } = account
  const copies = addressOf('/sync', { instance: id })
  const goal = (
    words: string,
    action: AccountAction,
    needs: RightName,
    { found = '', ...more }: { readonly to?: string; readonly found?: string } = {},
  ): Goal => actionOf(account, words, action, { needs, found, ...more })
  return [
    ...(STATES[state].isSynchronized
      ? [
          goal('Synchronize now', 'synchronize', 'syncing', { to: copies, found: 'run sync' }),
          sync.enabled
            ? goal('Pause all copies', 'pause', 'connecting', { to: copies, found: 'stop syncing' })
            : goal('Resume all copies', 'resume', 'connecting', { to: copies, found: 'sync' }),
        ]
      : [whyNotSynchronized(account)]),
    ...(enabled
      ? [
          goal('Check', 'check', 'connecting', { found: 'test credentials' }),
          goal('Disable', 'disable', 'connecting', { found: 'switch off stop' }),
        ]
      : [goal('Enable', 'enable', 'connecting', { found: 'switch on' })]),
    goal('Make a connect link', 'link', 'connecting', { found: 'invite user' }),
  ]
}

/** In the place of what cannot be done, with the reason. It leads to where that is told, with the way out. */
function whyNotSynchronized({ id, name, state }: Instance): Goal {
  const until = state === 'disabled' ? 'it is enabled' : 'its user connects again'
  return {
    ...leading(`Synchronize now: not until ${until}`, `/instances/${id}`, {}, plainText(name)),
    id: `why not synchronize ${id}`,
    found: `run sync refused ${STATES[state].label}`,
    needs: 'syncing',
  }
}

/** Of "acme logs" the words that may begin the name of an account: the last one is a screen of it. */
function accountWords(typed: string): string {
  const [, before = '', last = ''] = /^(.*\S)\s+(\S+)$/.exec(typed) ?? []
  const isView = Object.values(VIEWS).some(([view]) => rankOf(wordsOf(last), view) !== null)
  return before !== '' && isView ? before : typed
}

export default function Palette(props: PaletteProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [recent] = useState(recentGoals)
  const box = useRef<HTMLInputElement>(null)
  useTrueDescendant(box)
  const settled = useSettled(typed.trim(), TYPED_MS)
  const asked = withoutAsking(settled)
  const { accounts: known } = useAccounts('')
  const ofWords = useFoundAccounts(accountWords(asked), known)
  const { accounts: found, isLooking } = ofWords
  const account = useOwn(props.account)
  const operations = useOperationGoals(account)
  const docs = useDocGoals(settled)
  const { pasted, isLooking: isAsking } = usePasted(settled)
  const needy = useNeedy()
  const refusalOf = useRefusals()
  const words = wordsOf(withoutAsking(typed))
  // Nothing of the account at hand stands above the screens of the one that was typed.
  const named = wordsOf(accountWords(asked))
  const isNamed = ({ name }: Instance): boolean => rankOf(named, plainText(name)) !== null
  const isOtherTyped =
    named.length > 0 && account !== null && !isNamed(account) && [...known, ...found].some(isNamed)
  const ofOwn: Group = [
    account === null ? '' : `Of ${plainText(account.name)}`,
    account === null
      ? []
      : [...viewsOf(account), ...(words.length === 0 ? [] : actionsOf(account))],
  ]
  const groupsOf = (
    accounts: readonly Instance[],
    apart = toldApart(accounts),
  ): readonly Group[] => [
    [
      'Accounts',
      accounts.map((each) => {
        const { id } = each
        const meant = ofWords.ofKind.has(id) ? asked : ''
        return accountGoal(each, ofWords.failing.has(id), meant, apart.get(id))
      }),
    ],
    ['Lists of accounts', ofWords.lists.map((each) => listGoal(each, asked))],
    ...(isOtherTyped ? [] : [ofOwn]),
    ['Commands', commands(props, needy, words)],
    ['Screens', SCREEN_GOALS],
    ['Operations', operations],
    [DOCUMENTATION, [...DOC_GOALS, ...docs.named]],
    ['Error codes', [...CODE_GOALS, ...logsOf(typed.trim())]],
    [
      'Screens of accounts',
      words.length < 2
        ? []
        : accounts
            .filter(({ id }) => id !== account?.id && (!ofWords.hasKind || ofWords.ofKind.has(id)))
            .flatMap(viewsOf),
    ],
    ...(isOtherTyped ? [ofOwn] : []),
    ['Cannot be undone', account === null || words.length === 0 ? [] : [deletionOf(account)]],
  ]
  const groups = allowed(groupsOf(unlike([...known, ...found])))
  const ofId = pasted.map(({ words: name, about, to }): Goal => ({
    id: `${to} ${about}`,
    words: name,
    about,
    go: () => goTo(to),
  }))
  const fitting = words.length === 0 ? unasked(groups, recent) : ranked(groups, words, recent)
  const exact: readonly Group[] = ofId.length > 0 ? [['Of this id', ofId]] : fitting
  const act = ({ id, go }: Goal): void => {
    rememberGoal(id)
    props.close()
    go()
  }
  // An id is sent off right behind its pasting, before it is known what it belongs to and an entry has the keys.
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    const [first] = ofId
    if (isSent && first !== undefined) act(first)
  }, [isSent, pasted])
  // What is offered in the place of nothing must not give way under the keyboard.
  const isDone = settled === typed.trim() && ![isLooking, isAsking, docs.isLooking].includes(true)
  const isNothing = exact.length === 0 && isDone
  const alike = useAccounts(isNothing ? settled.slice(0, ALIKE) : '')
  const shown = withDocs(isNothing && !alike.isLooking ? instead() : exact)
  function withDocs(all: readonly Group[]): readonly Group[] {
    const isNone = words.length === 0 || ofId.length > 0 || all.length === 0
    if (isNone) return all
    const more = [...docs.texts, searchDocs(typed.trim())]
    return all.some(([title]) => title === DOCUMENTATION)
      ? all.map(([title, goals]) => [title, title === DOCUMENTATION ? [...goals, ...more] : goals])
      : [...all, [DOCUMENTATION, more]]
  }
  function allowed(all: readonly Group[]): readonly Group[] {
    return all.map(([title, goals]): Group => [
      title,
      goals.filter(({ needs }) => refusalOf(needs) === null),
    ])
  }
  function instead(): readonly Group[] {
    const near = ranked(
      allowed(groupsOf(unlike([...known, ...alike.accounts]))),
      words,
      recent,
      true,
    )
    return [...near, elsewhere(settled, near.length === 0 && docs.texts.length === 0)]
  }
  return (
    <Dialog title="Find" close={props.close}>
      <Autocomplete
        inputValue={typed}
        onInputChange={(text) => {
          setTyped(text)
          setSent(false)
        }}
      >
        {/* Escape closes at once, with words typed, too: they are gone with the palette anyway. */}
        <div
          onKeyDownCapture={({ key, nativeEvent }) => {
            if (nativeEvent.isComposing) return
            if (key === 'Escape') props.close()
            const hasEntry = box.current?.hasAttribute('aria-activedescendant')
            if (key === 'Enter' && hasEntry === false && isId(typed.trim())) setSent(true)
          }}
        >
          <SearchField aria-label="Find accounts, operations, pages, commands">
            <Input
              ref={box}
              placeholder="A name, a user, an id, an operation, a command"
              onFocus={() => {
                const before = takeHeld()
                setTyped((text) => before + text)
              }}
            />
          </SearchField>
        </div>
        {/* The entries never have the focus, which stays in the field: keys scroll the list where it has it. */}
        <div className="palette" tabIndex={0}>
          <Menu className="menu" aria-label="What was found">
            {(shown.length === 0 ? LOOKING : shown).map(([title, goals]) => (
              <MenuSection key={title} id={title}>
                <Header className="menu-head cut">{title}</Header>
                {goals.map((goal) => {
                  const { id, words: name, about, icon, mark, keys } = goal
                  return (
                    <MenuItem
                      key={id}
                      id={id}
                      className="menu-item"
                      textValue={name}
                      onAction={() => act(goal)}
                    >
                      {icon}
                      <span className="goal-name">
                        <Marked words={words} text={name} />
                      </span>
                      {about === undefined ? null : (
                        <small className="quiet">
                          <Marked words={words} text={about} />
                        </small>
                      )}
                      {mark === undefined ? null : <span className="pair">{mark}</span>}
                      {keys !== undefined && singleKeys() ? <Pressed keys={keys} /> : null}
                    </MenuItem>
                  )
                })}
              </MenuSection>
            ))}
          </Menu>
        </div>
      </Autocomplete>
      {ofWords.lookedTo === null || words.length === 0 ? null : (
        <p className="fine">
          Accounts that last changed before {exactLocal(ofWords.lookedTo)} are found by the
          beginnings of their names, users and ids alone.
        </p>
      )}
    </Dialog>
  )
}

/** Each account once. */
function unlike(accounts: readonly Instance[]): readonly Instance[] {
  return [...new Map(accounts.map((each) => [each.id, each])).values()]
}

/**
 * React Aria tells the field half a second after the typing which entry the keys are at, so that a screen reader can
 * say the letter first. The entry before may be gone by then: until the next one is told, there is none.
 */
function useTrueDescendant(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const attribute = 'aria-activedescendant'
    const observer = new MutationObserver(() => {
      const id = box.current?.getAttribute(attribute) ?? null
      if (id !== null && document.getElementById(id) === null) {
        box.current?.removeAttribute(attribute)
      }
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [box])
}

/** Where words that are the name of nothing may be found. */
function elsewhere(typed: string, isNothingAlike: boolean): Group {
  return [
    isNothingAlike ? 'Nothing is called that.' : 'To look elsewhere',
    [
      leading(`Accounts that begin with “${typed}”`, '/instances', { starts_with: typed }),
      leading(`Search the logs for “${typed}”`, '/logs', { text: typed }),
    ],
  ]
}

/** Before a word is typed: what was chosen last, and then all but what there may be hundreds of. */
function unasked(groups: readonly Group[], recent: readonly string[]): readonly Group[] {
  const all = new Map(groups.flatMap(([, goals]) => goals).map((goal) => [goal.id, goal]))
  const chosen = recent.flatMap((id) => all.get(id) ?? []).slice(0, RECENT)
  const rest = groups.map(([title, goals]): Group => {
    const others = goals.filter((goal) => !chosen.includes(goal))
    if (title === 'Operations' || title === 'Error codes') return [title, []]
    return [title, title === 'Accounts' ? others.slice(0, RECENT) : others]
  })
  return [['Recent', chosen] as const, ...rest].filter(([, goals]) => goals.length > 0)
}

/** Ids of what was chosen here, newest first, in this browser. */
function recentGoals(): readonly string[] {
  return (window.localStorage.getItem(KEY) ?? '').split('\n').filter((id) => id !== '')
}

function rememberGoal(id: string): void {
  const ids = [id, ...recentGoals().filter((each) => each !== id)]
  window.localStorage.setItem(KEY, ids.slice(0, 2 * RECENT).join('\n'))
}
