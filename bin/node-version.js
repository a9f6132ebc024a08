// Which Node the package and its checkout need. In a syntax that every Node reads that has modules.

/** The engines of package.json: what undici needs. */
export const PACKAGE = '22.19.0'
/** Sources run as they are, `using` among them. */
export const CHECKOUT = '24.0.0'

/** The lines of Node that are kept up. */
const LINES = ['22', '24', '26']

/** The sentence for a Node that is too old; null: it is not, or there is no saying what it is. */
export function tooOld(needed, version = versionHere()) {
  if (version === null || isAtLeast(version, needed)) return null
  const good = LINES.filter((line) => Number(line) >= Number(needed.split('.')[0]))
  const some = `${good.slice(0, -1).join(', ')} or ${good[good.length - 1]}`
  // What package.json says is of the package.
  const what = needed === CHECKOUT ? 'tenon from its sources' : 'tenon'
  return `${what} needs Node >= ${needed}, this is v${version}: install a newer one (${some}).`
}

function versionHere() {
  return typeof process === 'object' && process.versions ? process.versions.node || null : null
}

function isAtLeast(version, needed) {
  const [given, wanted] = [version, needed].map((text) => text.split('.').map(Number))
  const at = wanted.findIndex((part, index) => given[index] !== part)
  return at === -1 || given[at] > wanted[at]
}
