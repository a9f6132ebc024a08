// The contract of the store on a real Citus, which its migrations distribute the tables over.
import { describe, test } from 'vitest'
import { citusSubject } from '../contracts/store/subject.ts'
import { storeContract } from '../contracts/store/store-contract.ts'
import { NO_CITUS } from '../fixtures/citus.ts'

const subject = await citusSubject()

describe('the store on Citus', () => {
  if (subject === null) test.skip(NO_CITUS)
  else storeContract(subject)
})
