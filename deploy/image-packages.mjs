// Makes the packages that a service asks for by name, where they are there, part of what `npm ci --omit=dev` installs: the
// image has them all, in the versions of the lockfile. Runs next to package.json and writes it.
import { readFileSync, writeFileSync } from 'node:fs'

/** For host apps that program against Tenon, and for their tests. */
const OF_HOSTS = /^(?:ai|fastify|undici|@pollyjs\/.*)$/

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const { devDependencies, peerDependencies = {} } = manifest
const dependencies = (manifest.dependencies ??= {})
for (const name of Object.keys(peerDependencies)) {
  delete peerDependencies[name]
  if (OF_HOSTS.test(name)) continue
  dependencies[name] = devDependencies[name]
  delete devDependencies[name]
}
writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
