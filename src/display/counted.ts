// A number of things in words.

/** `1 entity`, `1,200 entities`. */
export function counted(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`
}
