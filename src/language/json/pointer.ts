// JSON pointers. Source: RFC 6901.

/** The JSON pointer of a place below another one. */
export function pointerTo(pointer: string, path: readonly (string | number)[]): string {
  const names = path.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1'))
  return [pointer, ...names].join('/')
}

/** The names and indices that a pointer is made of. */
export function pathIn(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
