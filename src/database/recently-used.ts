// What was used last, up to a maximum; what was used longest ago leaves first.

export class RecentlyUsed<K, V> {
  readonly #max: number
  /** What was used last stands at the end. */
  readonly #values = new Map<K, V>()

  constructor(max: number) {
    this.#max = max
  }

  /** The value of a key; `make` makes it where there is none. */
  of(key: K, make: () => V): V {
    const value = this.#values.get(key) ?? make()
    this.#values.delete(key)
    this.#values.set(key, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest)
    return value
  }

  clear(): void {
    this.#values.clear()
  }
}
