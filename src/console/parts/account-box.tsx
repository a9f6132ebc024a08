// A field that finds an account by the beginning of its name, its user or its id. Empty, it offers those looked at last.
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { toldApart } from '../../display/alike-accounts.ts'
import type { Instance } from '../api/answers.ts'
import { call, instancePath } from '../api/call.ts'
import { useAnswer, useSettled } from '../api/use-answer.ts'
import { ConnectorIcon } from './connector-icon.tsx'
import { firstNamed, named } from './named-accounts.ts'
import { plainText } from '../../display/plain-text.ts'
import { recentAccounts } from './recent-accounts.ts'
import { ToldApart } from './told-apart.tsx'
import './menu.css'
import './account-box.css'

const TYPED_MS = 150
/** As many as are offered for words. */
export const OFFERED = '20'

export function AccountBox(props: {
  readonly label: string
  /** Stands in the field in the place of the label, which is only read aloud then. */
  readonly placeholder?: string
  /** Null: none is chosen. */
  readonly chosen: Instance | null
  readonly choose: (id: string) => void
  /** Of this connector alone; left out: of any. */
  readonly type?: string
  /** A form is not sent without one. */
  readonly required?: boolean
}): ReactNode {
  const { chosen } = props
  const name = chosen === null ? '' : plainText(chosen.name)
  const [typed, setTyped] = useState(name)
  const [shownFor, setShownFor] = useState(chosen?.id)
  if (shownFor !== chosen?.id) {
    setShownFor(chosen?.id)
    setTyped(name)
  }
  const words = useSettled(typed === name ? '' : typed.trim(), TYPED_MS)
  const { accounts: found } = useAccounts(words, { type: props.type ?? null, isWithin: true })
  const others = found.filter(({ id }) => id !== chosen?.id)
  const offered = chosen === null ? others : [chosen, ...others]
  const apart = toldApart(offered)
  return (
    <ComboBox
      className="account-box fine"
      items={offered}
      inputValue={typed}
      onInputChange={setTyped}
      value={chosen?.id ?? null}
      onChange={(id) => {
        if (id !== null && id !== chosen?.id) props.choose(String(id))
      }}
      allowsEmptyCollection
      isRequired={props.required === true}
      validationBehavior="native"
    >
      <Label className={props.placeholder === undefined ? '' : 'unseen'}>{props.label}</Label>
      <div className="box-field">
        {chosen === null ? null : <ConnectorIcon type={chosen.connector_type} />}
        <Field placeholder={props.placeholder ?? 'Name, user or id'} />
        <Button className="plain-icon">
          <ChevronDown size={16} aria-hidden />
        </Button>
      </div>
      <Offered>
        <ListBox<Instance>
          className="menu"
          renderEmptyState={() => (
            <p className="quiet menu-head">
              {words === '' && props.type !== undefined
                ? `There is no account of ${props.type}.`
                : 'No account is called that.'}
            </p>
          )}
        >
          {(each) => (
            <ListBoxItem
              id={each.id}
              textValue={plainText(each.name)}
              className="menu-item account-offer"
            >
              <ConnectorIcon type={each.connector_type} />
              <span className="cut grow">
                {plainText(each.name)}
                <ToldApart by={apart.get(each.id)} />
              </span>
              <small className="cut quiet">{plainText(each.external_user_id)}</small>
            </ListBoxItem>
          )}
        </ListBox>
      </Offered>
    </ComboBox>
  )
}

/**
 * The list below the field. React Aria closes it when anything scrolls that the field is in, as it does not follow the field
 * there; with the page it does, so then it stays: rows that come in behind it move the page as well.
 */
function Offered({ children }: { readonly children: ReactNode }): ReactNode {
  const state = useContext(ComboBoxStateContext)
  const isOpen = state?.isOpen ?? false
  const isByPage = useRef(false)
  useEffect(() => {
    // It hears of scrolling before the list does, which begins to listen when it opens, and once more behind it.
    const begin = (event: Event): void => {
      isByPage.current = event.target === document
    }
    const end = (): void => {
      isByPage.current = false
    }
    window.addEventListener('scroll', begin, true)
    window.addEventListener('scroll', end)
    return () => {
      window.removeEventListener('scroll', begin, true)
      window.removeEventListener('scroll', end)
    }
  }, [])
  return (
    <Popover
      className="popover"
      isOpen={isOpen}
      onOpenChange={() => {
        if (!isByPage.current) state?.close()
      }}
    >
      {children}
    </Popover>
  )
}

/** A click into it opens the list, as an arrow key does. */
function Field({ placeholder }: { readonly placeholder: string }): ReactNode {
  const state = useContext(ComboBoxStateContext)
  return (
    <Input
      placeholder={placeholder}
      onFocus={(event) => event.currentTarget.select()}
      onClick={() => {
        if (state?.isOpen === false) state.open(null, 'manual')
      }}
      className="box-input"
    />
  )
}

/**
 * Accounts that begin with words; without words those looked at last, and then the newest. `type`: of one connector.
 * `isWithin`: where none begins with the words, those that have them anywhere.
 */
export function useAccounts(
  words: string,
  {
    type = null,
    isWithin = false,
  }: { readonly type?: string | null; readonly isWithin?: boolean } = {},
): {
  readonly accounts: readonly Instance[]
  /** The accounts are those of the words before. */
  readonly isLooking: boolean
} {
  const answer = useAnswer(`${type ?? ''} ${words}`, async (signal) => {
    const query = {
      sort: '-created_at',
      limit: OFFERED,
      ...(type === null ? {} : { connector_type: type }),
    }
    const [newest, ...recent] = await Promise.all([
      isWithin ? firstNamed(words, query, signal) : named(words, 'starts_with', query, signal),
      ...(words === '' ? recentAccounts() : []).map((id) =>
        // One that is gone is offered no more.
        call<Instance>('GET', instancePath(id), { signal }).catch(() => null),
      ),
    ])
    const known = recent
      .filter((each) => each !== null)
      .filter((each) => type === null || each.connector_type === type)
    const all = [...known, ...newest.data]
    return [...new Map(all.map((each) => [each.id, each])).values()]
  })
  return { accounts: answer.last ?? [], isLooking: answer.kind === 'loading' }
}
