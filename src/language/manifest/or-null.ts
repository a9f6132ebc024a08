/** What a key is resolved to; null where it is left out. */
export function orNull<T, R>(value: T | undefined, resolve: (value: T) => R): R | null {
  return value === undefined ? null : resolve(value)
}
