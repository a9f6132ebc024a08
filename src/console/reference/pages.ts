// The pages of the documentation, as the service lists them.
import { useQuery } from '@tanstack/react-query'
import { ROOT } from '../place.tsx'
import type { ListedPage } from './page-place.ts'

/** Empty where the list is not there or cannot be read: the page itself says what is wrong. */
export function usePages(): readonly ListedPage[] {
  const { data } = useQuery({
    queryKey: ['pages'],
    queryFn: async () => (await read('pages.json')) as readonly ListedPage[],
    staleTime: Infinity,
  })
  return data ?? NONE
}

const NONE: readonly ListedPage[] = []

/** Read from below `/docs`. */
export async function read(name: string): Promise<unknown> {
  const response = await fetch(`${ROOT}/docs/${name}`)
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  return await response.json()
}
