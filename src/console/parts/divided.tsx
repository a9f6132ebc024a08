// Two parts side by side, and between them what moves their border: dragged, or by the arrow keys. Stacked where it is narrow.
import { type CSSProperties, type ReactNode, useState } from 'react'
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import './divided.css'

/** The width of the first part in percent, as it is where nobody has moved the border, and how far it can be moved. */
const USUAL = 55
const LEAST = 35
const MOST = 70

/** `keptAs`: under which name this browser keeps the width. */
export function Divided(props: {
  readonly label: string
  readonly keptAs: string
  readonly children: readonly [first: ReactNode, second: ReactNode]
}): ReactNode {
  const { keptAs } = props
  const [percent, setPercent] = useState(() => kept(keptAs))
  const [first, second] = props.children
  // React has no type for properties of one's own.
  const style = { '--divided': percent } as CSSProperties
  return (
    <div className="sides divided" style={style}>
      {first}
      <Slider
        className="divided-bar"
        aria-label={props.label}
        minValue={LEAST}
        maxValue={MOST}
        value={percent}
        formatOptions={{ style: 'unit', unit: 'percent' }}
        onChange={setPercent}
        onChangeEnd={(width) => window.localStorage.setItem(keptAs, String(width))}
      >
        <SliderTrack className="divided-track">
          <SliderThumb className="divided-thumb" />
        </SliderTrack>
      </Slider>
      {second}
    </div>
  )
}

function kept(keptAs: string): number {
  const stored = Number(window.localStorage.getItem(keptAs) ?? USUAL)
  return stored >= LEAST && stored <= MOST ? stored : USUAL
}
