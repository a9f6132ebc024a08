// Tabs: arrows move, the panel follows.
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'
import './tabs.css'

export function Tabs(props: {
  readonly label: string
  /** Null: a tab that is not there. */
  readonly tabs: Readonly<Record<string, readonly [title: string, content: () => ReactNode] | null>>
  readonly chosen: string
  readonly choose: (id: string) => void
}): ReactNode {
  const tabs = Object.entries(props.tabs).filter(([, tab]) => tab !== null)
  const [shown = '', tab] = tabs.find(([id]) => id === props.chosen) ?? tabs[0] ?? []
  return (
    <AriaTabs
      className="tabs"
      selectedKey={shown}
      onSelectionChange={(id) => {
        if (id !== shown) props.choose(String(id))
      }}
    >
      <TabList aria-label={props.label} className="tab-list">
        {tabs.map(([id, each]) => (
          <Tab key={id} id={id} className="tab">
            {each?.[0]}
          </Tab>
        ))}
      </TabList>
      <TabPanel key={shown} id={shown} className="pile">
        {tab?.[1]()}
      </TabPanel>
    </AriaTabs>
  )
}
