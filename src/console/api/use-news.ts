// A sentence about what was just done, which goes again: left standing it would be told of what has changed since.
import { useEffect, useState } from 'react'

const SHOWN_MS = 15_000

/** `none`: there is nothing to tell. `isHeld`: what it tells of is still under way. */
export function useNews<T>(
  none: T,
  isHeld = false,
): readonly [news: T, setNews: (news: T) => void] {
  const [told, setTold] = useState({ news: none })
  useEffect(() => {
    if (told.news === none || isHeld) return
    const timer = window.setTimeout(() => setTold({ news: none }), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [told, none, isHeld])
  return [told.news, (news) => setTold({ news })]
}
