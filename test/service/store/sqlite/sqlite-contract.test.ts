import { storeContract } from '../../../contracts/store/store-contract.ts'
import { sqliteSubject } from '../../../contracts/store/subject.ts'

storeContract(await sqliteSubject())
