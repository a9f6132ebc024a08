// Data keys as a store keeps them, in memory: for tests of what stands on top of the port.
import type { DataKeyRow, DataKeyStore } from '../../../src/service/store/data-keys.ts'

export interface MemoryDataKeys extends DataKeyStore {
  /** The rows by owner, oldest version first. */
  readonly rows: Map<string, DataKeyRow[]>
}

export function memoryDataKeys(now: () => number = () => 0): MemoryDataKeys {
  const rows = new Map<string, DataKeyRow[]>()
  const madeAt = new Map<string, number>()
  const newestOf = () =>
    [...rows]
      .map(([ownerId, all]) => ({ ownerId, version: all.at(-1)?.version ?? 0, count: all.length }))
      .toSorted((a, b) => (a.ownerId < b.ownerId ? -1 : 1))
  const madeAtOf = (owner: string, version: number): number =>
    madeAt.get(`${owner}#${version}`) ?? 0
  const ofOwner = (owner: string): DataKeyRow[] => rows.get(owner) ?? []
  const change = (owner: string, version: number, to: (row: DataKeyRow) => DataKeyRow): void =>
    void rows.set(
      owner,
      ofOwner(owner).map((row) => (row.version === version ? to(row) : row)),
    )
  return {
    rows,
    async get(owner, version) {
      const all = ofOwner(owner)
      return (
        (version === undefined ? all.at(-1) : all.find((row) => row.version === version)) ?? null
      )
    },
    async put(owner, key) {
      if (ofOwner(owner).some(({ version }) => version === key.version)) return false
      rows.set(owner, [...ofOwner(owner), { ...key, uses: 0 }])
      madeAt.set(`${owner}#${key.version}`, now())
      return true
    },
    async succeed(owner, key) {
      const isThere = ofOwner(owner).some(({ version }) => version === key.version - 1)
      return isThere && (await this.put(owner, key))
    },
    async versions(owner) {
      return ofOwner(owner)
        .map((row) => ({ ...row, ageMs: now() - madeAtOf(owner, row.version) }))
        .toReversed()
    },
    async madeBefore(beforeMs, limit, after = '') {
      return newestOf()
        .filter(({ ownerId, version }) => ownerId > after && madeAtOf(ownerId, version) < beforeMs)
        .slice(0, limit)
    },
    async superseded(ageMs, limit, after = '') {
      return newestOf()
        .filter(
          ({ ownerId, version, count }) =>
            ownerId > after && count > 1 && madeAtOf(ownerId, version) <= now() - ageMs,
        )
        .slice(0, limit)
    },
    async addUses(owner, version, count) {
      change(owner, version, (row) => ({ ...row, uses: row.uses + count }))
      return ofOwner(owner).find((row) => row.version === version)?.uses ?? 0
    },
    async rewrap(owner, from, next) {
      const row = ofOwner(owner).find(({ version }) => version === next.version)
      if (row?.keyId !== from) return false
      change(owner, next.version, ({ uses }) => ({ ...next, uses }))
      return true
    },
    async onKey(keyId, limit, after) {
      return [...rows]
        .flatMap(([ownerId, all]) => all.map((row) => ({ ...row, ownerId })))
        .filter((row) => row.keyId === keyId)
        .toSorted((a, b) => (a.ownerId < b.ownerId ? -1 : 1) || a.version - b.version)
        .filter(
          ({ ownerId, version }) =>
            after === undefined ||
            ownerId > after.ownerId ||
            (ownerId === after.ownerId && version > after.version),
        )
        .slice(0, limit)
    },
    async removeOlder(owner, version) {
      const kept = ofOwner(owner).filter((row) => row.version >= version)
      const removed = ofOwner(owner).length - kept.length
      rows.set(owner, kept)
      return removed
    },
    async countByKey() {
      const counts: Record<string, number> = {}
      for (const { keyId } of [...rows.values()].flat()) counts[keyId] = (counts[keyId] ?? 0) + 1
      return counts
    },
  }
}
