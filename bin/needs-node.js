// Imported first by each entry of the built package: an old Node says one sentence, and fails at nothing else before it.
import { PACKAGE, tooOld } from './node-version.js'

const sentence = tooOld(PACKAGE)
if (sentence !== null) throw new Error(sentence)
