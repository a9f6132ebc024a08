// The contract of the store through PgBouncer in transaction mode.
import { describe, test } from 'vitest'
import { storeContract } from '../contracts/store/store-contract.ts'
import { pooledSubject } from '../contracts/store/subject.ts'
import { NO_PGBOUNCER, POOLERS } from '../fixtures/pgbouncer.ts'

if (POOLERS.length === 0) test.skip(NO_PGBOUNCER)

for (const pooler of POOLERS) {
  const subject = await pooledSubject(pooler)
  describe.skipIf(subject === null)(`the store through ${pooler.name}`, () => {
    if (subject !== null) storeContract(subject)
  })
}
