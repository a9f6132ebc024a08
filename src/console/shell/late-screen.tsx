// Screens that are loaded when they are opened, or once nothing else is to be done.
import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { problemOf, unreachable } from '../api/problem.ts'
import { answers } from '../api/use-answer.ts'
import { ProblemNotice, Skeleton } from '../parts/answer.tsx'
import type { ScreenProps } from '../place.tsx'

type Shown = ComponentType<ScreenProps>

const ALL: (() => Promise<unknown>)[] = []

/** A screen by the name that its module exports it under. */
export function screen<Name extends string>(
  load: () => Promise<Readonly<Record<Name, Shown>>>,
  name: Name,
): Shown {
  const asked = {
    queryKey: ['screen', name],
    queryFn: async (): Promise<{ readonly Loaded: Shown }> => {
      const module = await load().catch(() => {
        throw unreachable()
      })
      return { Loaded: module[name] }
    },
    staleTime: Infinity,
    gcTime: Infinity,
  }
  ALL.push(() => answers.prefetchQuery(asked))
  return function LateScreen(props: ScreenProps): ReactNode {
    const { data, error, refetch } = useQuery(asked)
    if (data !== undefined) return <data.Loaded {...props} />
    return (
      <div className="screen">
        {error === null ? (
          <Skeleton />
        ) : (
          <ProblemNotice problem={problemOf(error)} retry={() => void refetch()} />
        )}
      </div>
    )
  }
}

/** Loads what is left: the next screen opens at once, also while the service is away. */
export async function loadAllScreens(): Promise<void> {
  for (const load of ALL) await load()
}
