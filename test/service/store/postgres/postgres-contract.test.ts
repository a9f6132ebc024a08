import { describe, test } from 'vitest'
import { storeContract } from '../../../contracts/store/store-contract.ts'
import { postgresSubject } from '../../../contracts/store/subject.ts'

const subject = await postgresSubject()

describe('on PostgreSQL', () => {
  if (subject === null) test.skip('there is none')
  else storeContract(subject)
})
