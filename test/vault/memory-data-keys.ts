// Data keys as a store keeps them, in memory: for tests of what stands on top of the port.
import type { DataKeyRow, DataKeyStore } from '../../src/store/store.ts'

export interface MemoryDataKeys extends DataKeyStore {
  /** The rows by owner, oldest version first. */
  readonly rows: Map<string, DataKeyRow[]>
}

export function memoryDataKeys(): MemoryDataKeys {
  const rows = new Map<string, DataKeyRow[]>()
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
      return true
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
