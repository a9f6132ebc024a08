// Published manifests: rows that stay, and a pointer for each major.
import type { ManifestChange, ManifestPlace, ManifestStore } from '../../../store/manifests.ts'
import { Undone } from '../database.ts'
import { below, given, matching, type Rows } from '../statements.ts'
import { appendAudit } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

export class Manifests extends StoreGroup implements ManifestStore {
  readonly publish: ManifestStore['publish'] = async (row, { major, before }, audit) =>
    await this.rows.transaction<ManifestChange>(async (tx) => {
      const { connectorType, version, manifest } = row
      const who = { publishedBy: audit.actor, publishedAt: this.now() }
      if (!(await tx.insertNew('manifest_version', { ...row, ...who }))) {
        const known = await tx.find('manifest_version', { connectorType, version })
        if (known?.manifest !== manifest) throw new Undone('taken')
      }
      const place = { connectorType, major, before }
      if (!(await this.#point(tx, place, version, audit.actor))) throw new Undone('moved')
      await appendAudit(tx, audit)
      return 'done'
    })

  readonly makeCurrent: ManifestStore['makeCurrent'] = async (place, version, audit) =>
    await this.rows.transaction<'done' | 'moved'>(async (tx) => {
      if (!(await this.#point(tx, place, version, audit.actor))) throw new Undone('moved')
      await appendAudit(tx, audit)
      return 'done'
    })

  readonly current: ManifestStore['current'] = () =>
    this.rows.list('manifest_current', {}, { by: ['connectorType', 'major'] })

  readonly find: ManifestStore['find'] = (connectorType, version) =>
    this.rows.find('manifest_version', { connectorType, version })

  readonly list: ManifestStore['list'] = async ({ connectorType, beforeId, limit }) =>
    await this.db
      .selectFrom('manifest_version')
      .select(['connectorType', 'version', 'manifestId', 'hash', 'publishedBy', 'publishedAt'])
      .select('note')
      .where(
        matching<'manifest_version'>({
          connectorType: given(connectorType),
          manifestId: given(beforeId === undefined ? undefined : below(beforeId)),
        }),
      )
      .orderBy('manifestId', 'desc')
      .limit(limit)
      .execute()

  readonly instances: ManifestStore['instances'] = async (connectorType) => {
    const query = this.db
      .selectFrom('connector_instance')
      .select(['connectorVersion as version', (eb) => eb.fn.countAll<number>().as('count')])
      .where(matching<'connector_instance'>({ connectorType }))
      .groupBy('connectorVersion')
      .compile()
    const { rows, isWhole } = await this.database.wide(query, 'connector_instance')
    // Nodes that answer alone count what they have.
    const counts = new Map<string, number>()
    for (const { version, count } of rows) counts.set(version, count + (counts.get(version) ?? 0))
    return { versions: [...counts].map(([version, count]) => ({ version, count })), isWhole }
  }

  /** False: another version is current than `before`. */
  async #point(
    tx: Rows,
    { before, ...place }: ManifestPlace & { readonly before: string | null },
    version: string | null,
    changedBy: string,
  ): Promise<boolean> {
    const there = before === null ? null : { ...place, version: before }
    if (version === null)
      return there !== null && (await tx.remove('manifest_current', there)) === 1
    const change = { version, changedBy, changedAt: this.now() }
    if (there === null) return await tx.insertNew('manifest_current', { ...place, ...change })
    return (await tx.update('manifest_current', there, { ...place, ...change })) === 1
  }
}
