/** A page in the menu and the search of the documentation. */
export interface ListedPage {
  readonly path: string
  readonly group: string
  readonly title: string
  /** In Markdown, as they stand in the text, with their marks. */
  readonly headings: readonly string[]
}
