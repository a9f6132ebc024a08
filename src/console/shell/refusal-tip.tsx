// What is disabled for a role says why to the finger and the keyboard; a mouse that rests on it has the title.
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import './refusal-tip.css'

const BARRED = '[aria-disabled="true"][title]'

export function RefusalTip(): ReactNode {
  const [barred, setBarred] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const reach = ({ type, target }: Event): void => {
      const reached = target instanceof Element ? target.closest<HTMLElement>(BARRED) : null
      const isMeant = type === 'pointerup' || reached?.matches(':focus-visible') === true
      // A finger gives the focus after it has pressed.
      setBarred((before) => (isMeant || reached === before ? reached : null))
    }
    const escape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setBarred(null)
    }
    document.addEventListener('focusin', reach)
    document.addEventListener('pointerup', reach)
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('focusin', reach)
      document.removeEventListener('pointerup', reach)
      document.removeEventListener('keydown', escape)
    }
  }, [])
  const trigger = useMemo(() => ({ current: barred }), [barred])
  if (barred === null) return null
  return (
    <TooltipTrigger isOpen>
      <Tooltip className="popover refusal-tip" triggerRef={trigger} placement="bottom" offset={6}>
        {barred.title}
      </Tooltip>
    </TooltipTrigger>
  )
}
