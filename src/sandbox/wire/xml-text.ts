// A value as an XML document: the reverse of src/engine/response/xml.ts.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { scalarText } from './same-scalar.ts'

/** Writes an object of one member as its element; anything else stands in an element `answer`. */
export function encodeXml(body: Json): string {
  const members = isJsonObject(body) ? Object.entries(body) : []
  const [root] = members
  const [name, value] = root !== undefined && members.length === 1 ? root : ['answer', body]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, isList(value) ? { item: value } : value)}\n`
}

function element(written: string, value: Json): string {
  const name = NAME.test(written) ? written : `_${written.replace(NO_NAME, '_')}`
  if (isList(value)) return value.map((each) => element(name, each)).join('')
  if (value === null)
    return `<${name} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>`
  if (!isJsonObject(value)) return `<${name}>${escaped(scalarText(value) ?? '')}</${name}>`
  let attributes = ''
  let inside = ''
  for (const [member, each] of Object.entries(value)) {
    if (member === '#text') inside += escaped(scalarText(each) ?? '')
    else if (member.startsWith('@'))
      attributes += ` ${member.slice(1)}="${escaped(scalarText(each) ?? '')}"`
    else inside += element(member, each)
  }
  return `<${name}${attributes}>${inside}</${name}>`
}

const NAME = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/
const NO_NAME = /[^\w.-]/g

/** Characters that no XML holds are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(FORBIDDEN, '')
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

// oxlint-disable-next-line no-control-regex -- these are what XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
