// Tabs: arrows move, the panel follows.
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'
import './tabs.css'

export function Tabs(props: {
  readonly label: string
  readonly tabs: Readonly<Record<string, readonly [title: string, content: () => ReactNode]>>
  readonly chosen: string
  readonly choose: (id: string) => void
}): ReactNode {
  const ids = Object.keys(props.tabs)
  const shown = ids.includes(props.chosen) ? props.chosen : (ids[0] ?? '')
  return (
    <AriaTabs
      className="tabs"
      selectedKey={shown}
      onSelectionChange={(id) => {
        if (id !== shown) props.choose(String(id))
      }}
    >
      <TabList aria-label={props.label} className="tab-list">
        {Object.entries(props.tabs).map(([id, [title]]) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      <TabPanel key={shown} id={shown} className="pile">
        {props.tabs[shown]?.[1]()}
      </TabPanel>
    </AriaTabs>
  )
}
