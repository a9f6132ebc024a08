// The paths of this repository that a text names.

/** What follows a path without being a part of it. */
const END = /[.,;:!?]+$/

/**
 * The paths in a text that begin with one of `folders`, each once, in their order. Placeholders are globs: of
 * `manifests/<type>.yaml` it is `manifests/*.yaml`. A line number behind a path is left out, and so is the part of an
 * address or of a longer path: `https://host/docs/errors` and `node_modules/tenon/schemas/…` name nothing here.
 */
export function pathsIn(text: string, folders: readonly string[]): readonly string[] {
  const names = folders.map((folder) => folder.replaceAll('.', '\\.')).join('|')
  const word = new RegExp(`(?<![\\w./@{$<-])(?:\\./)?(?:${names})/[\\w./@{},*<>…:+[\\]-]*`, 'g')
  const paths = [...text.matchAll(word)].map(([path]) =>
    path
      .replace(/^\.\//, '')
      .replace(/<[^>/]*>/g, '*')
      .replace(/…/g, '*')
      .replace(/[\]<>].*$/, '')
      .replace(END, '')
      .replace(/(:\d+)+$/, ''),
  )
  return [...new Set(paths)]
}
