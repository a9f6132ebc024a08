// What the search of the documentation finds, each place with the sentence that has the words.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { Button } from '../parts/controls.tsx'
import { Marked } from '../parts/marked.tsx'
import { wordsOf } from '../parts/marked-words.ts'
import { ROOT } from '../place.tsx'
import { DOC_SEARCH } from './doc-search.ts'
import { pathOf } from './page-place.ts'

/** More hits than this are no help. */
const MAX_HITS = 60

export function Hits(props: { readonly typed: string }): ReactNode {
  const { data, isError, refetch } = useQuery(DOC_SEARCH)
  const typed = useDeferredValue(props.typed)
  const given = useMemo(() => wordsOf(typed), [typed])
  const [words, found] = useMemo(() => {
    const first = data?.find(given)
    // Nothing has a word that was mistyped.
    const meant = first?.length === 0 ? (data?.forgiven(given) ?? null) : null
    return meant === null ? [given, first] : [meant, data?.find(meant)]
  }, [data, given])
  if (isError)
    return (
      <div className="notice bad" role="alert">
        <p>The texts of the pages cannot be read.</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  if (data === undefined || found === undefined)
    return (
      <p className="fine" role="status">
        Looking into all pages …
      </p>
    )
  return (
    <>
      <p className="fine" role="status">
        {words === given ? '' : `Nothing has "${typed.trim()}"; with "${words.join(' ')}": `}
        {countOf(found.length)}
      </p>
      <ul aria-label="Found" className="doc-hits">
        {found.slice(0, MAX_HITS).map(({ page, id, heading, line, others }, index) => (
          <li key={index}>
            <a href={ROOT + pathOf(page, id)}>
              <Marked words={words} text={heading} />
              <span className="fine">
                {id === '' ? page.group : page.title}
                {others === 0 ? '' : `, and of ${others} other operations`}
              </span>
              <span className="doc-sentence">
                <Marked words={words} text={data.sentenceIn(words, line)} fromMark />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function countOf(count: number): string {
  if (count === 0)
    return 'Nothing in the documentation has these words. Fewer words, or parts of them, find more.'
  if (count > MAX_HITS)
    return `The first ${MAX_HITS} of ${count} places. Another word narrows them.`
  return count === 1 ? '1 place' : `${count} places`
}
