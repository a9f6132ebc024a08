// Names of the wire as names of TypeScript.

/** `facebook-marketing` → `FacebookMarketing`, `issue_fields` → `IssueFields`, `api_search` → `ApiSearch`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

/** A member as it is written: quoted where the wire's spelling is no identifier. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
    ? name
    : `'${name.replaceAll("'", String.raw`\'`)}'`
}

/** A name that no other has yet: `Shape`, `Shape2`, … */
export function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
  taken.add(name)
  return name
}
