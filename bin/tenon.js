#!/usr/bin/env node
// The command line starts here. No static import: an old Node must get far enough to read the message.
const needed = 24

if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `tenon needs Node >= ${needed}, this is v${process.versions.node}. Install a newer one; in a checkout "npm run tenon -- …" brings its own.\n`,
  )
  process.exitCode = 1
} else {
  await start()
}

async function start() {
  const { existsSync } = await import('node:fs')
  // A checkout runs its sources. The package has them too, for source maps, but Node runs no TypeScript in node_modules.
  const isCheckout = existsSync(new URL('../tsconfig.json', import.meta.url))
  const program = isCheckout ? '../src/cli/main.ts' : '../dist/cli/main.js'
  const { main } = await import(program)
  process.exitCode = await main(process.argv.slice(2))
}
