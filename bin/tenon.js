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
  const source = new URL('../src/cli/main.ts', import.meta.url)
  // A checkout runs its sources; the package carries JavaScript only.
  const program = existsSync(source) ? source : new URL('../dist/cli/main.js', import.meta.url)
  const { main } = await import(program.href)
  process.exitCode = await main(process.argv.slice(2))
}
