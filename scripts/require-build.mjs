// What `npm pack` runs first: a package without its code is not made.
import { existsSync } from 'node:fs'

if (!existsSync(new URL('../dist/index.js', import.meta.url))) {
  process.stderr.write('The package is not built: run `npm run build`, then pack it.\n')
  process.exit(1)
}
