// The Link header. Source: RFC 8288, section 3 and appendix B.

export interface Link {
  /** As written: may be relative. */
  readonly target: string
  /** In lower case. */
  readonly relations: readonly string[]
  /** By name in lower case; of several with one name the first counts. */
  readonly attributes: ReadonlyMap<string, string>
}

const TARGET = /[\s,]*<([^>]*)>/y
const ATTRIBUTE = /\s*;\s*([^\s=;,"]*)(?:\s*=\s*(?:"((?:\\.|[^"\\])*)"?|([^\s;,]*)))?/sy

/** The links of a Link header, in order. What cannot be read ends the list: everything before it counts. */
export function parseLinkHeader(header: string): readonly Link[] {
  const links: Link[] = []
  let offset = 0
  for (;;) {
    TARGET.lastIndex = offset
    const target = TARGET.exec(header)
    if (target === null) return links
    offset = TARGET.lastIndex
    const attributes = new Map<string, string>()
    for (;;) {
      ATTRIBUTE.lastIndex = offset
      const attribute = ATTRIBUTE.exec(header)
      if (attribute === null) break
      offset = ATTRIBUTE.lastIndex
      const [, name = '', quoted, bare = ''] = attribute
      const value = quoted === undefined ? bare : quoted.replace(/\\(.)/gs, '$1')
      if (name !== '' && !attributes.has(name.toLowerCase()))
        attributes.set(name.toLowerCase(), value)
    }
    const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
    links.push({
      target: (target[1] ?? '').trim(),
      relations: relations.filter((relation) => relation !== ''),
      attributes,
    })
  }
}

/** The first link of that relation, or undefined. Links with an `anchor` speak of another resource and do not count. */
export function findLink(header: string, relation: string): Link | undefined {
  const wanted = relation.toLowerCase()
  return parseLinkHeader(header).find(
    ({ relations, attributes }) => relations.includes(wanted) && !attributes.has('anchor'),
  )
}
