// A process that opens a store: `node migrating-process.ts '{"folder":"…"}'` prints the steps that it ran; with `die` as
// second argument it is killed in the middle of them.
import {
  databaseOf,
  openStore,
  type StoreLocation,
} from '../../../../../src/service/store/open/open-store.ts'
import { runMigrations } from '../../../../../src/service/store/sql/migrate.ts'
import { MIGRATIONS } from '../../../../../src/service/store/sql/migrations/all-migrations.ts'

const location = JSON.parse(process.argv[2] ?? '{}') as StoreLocation
const store = await openStore(location, { migrate: false })
const deadly = {
  name: 'deadly',
  statements: () => {
    process.kill(process.pid, 'SIGKILL')
    return []
  },
}
const dies = process.argv[3] === 'die'
const names = await runMigrations(databaseOf(store), dies ? [...MIGRATIONS, deadly] : MIGRATIONS)
process.stdout.write(JSON.stringify(names))
await store.close()
