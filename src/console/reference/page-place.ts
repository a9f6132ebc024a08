// A page of the documentation as the service lists it, and where it is.
export interface ListedPage {
  /** Below `/docs`. */
  readonly path: string
  readonly group: string
  readonly title: string
  /** One sentence. */
  readonly about: string
}

/** The path of a page, or of a place in it. */
export function pathOf({ path }: ListedPage, id = ''): string {
  const [, operation] = /^operations\/(\w+)$/.exec(path) ?? []
  // Operations stand on the page of the reference, their fields behind a dot.
  if (operation !== undefined) return `/docs#${operation}${id === '' ? '' : `.${id}`}`
  // The codes have a page that can be searched.
  if (path === 'reference/errors') return `/docs/errors${id === '' ? '' : `#${id}`}`
  return `/docs/${path}${id === '' ? '' : `#${id}`}`
}
