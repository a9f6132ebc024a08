// XML to values. Source: Extensible Markup Language (XML) 1.0, fifth edition; the form of the values is our own choice.
import type { Json } from '../../language/json/json.ts'
import { xmlParser } from '../../late-modules.ts'

/** The text is no XML that is read here; the message quotes nothing of it. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
}

/** Objects and lists within one another, as of JSON. */
const MAX_DEPTH = 64

/** Elements and attributes: each costs many times the bytes that it is written in. As many characters written as `&…;`. */
const MAX_NODES = 1_000_000

/** An element that is open. */
interface Open {
  readonly name: string
  /** Attributes (`@name`) and elements; of several of one name a list. */
  readonly members: Map<string, Json>
  /** Names of elements that came twice, whose member is our own list. */
  readonly lists: Map<string, Json[]>
  text: string
  isNil: boolean
}

/**
 * Reads one XML document: an object with one member, its element.
 *
 * An element without attributes and elements is its text ('' when it is empty). Any other is an object: its elements by
 * name, those of one name together as a list; its attributes as `@name`; its text, if it has any, as `#text`. Names keep
 * their prefixes, declarations of namespaces are left out, `xsi:nil="true"` is null. Values are texts.
 * Nothing is expanded but the five entities of XML and characters by number; a document type declaration is refused.
 * Throws XmlError for what is not well-formed, is nested too deep, or has too many elements, attributes or characters
 * written as entities.
 */
export function parseXml(text: string): Json {
  if (hasMore(text, '&', MAX_NODES))
    throw new XmlError(`it has more than ${MAX_NODES} characters that are written as entities`)
  const { SaxesParser } = xmlParser()
  const parser = new SaxesParser()
  const root = opened('')
  const open: Open[] = [root]
  const here = (): Open => open.at(-1) ?? root
  parser.on('error', () => {
    throw new XmlError(`it is not XML at line ${parser.line}, character ${parser.column}`)
  })
  parser.on('doctype', () => {
    throw new XmlError('it has a document type declaration, which is not read')
  })
  let nodes = 0
  const count = (): void => {
    if (++nodes > MAX_NODES)
      throw new XmlError(`it has more than ${MAX_NODES} elements and attributes`)
  }
  parser.on('opentagstart', count)
  parser.on('attribute', count)
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) throw tooDeep()
    const element = opened(name)
    for (const [attribute, value] of Object.entries(attributes))
      readAttribute(element, attribute, value)
    open.push(element)
  })
  const addText = (characters: string): void => {
    here().text += characters
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop() ?? root
    addElement(here(), element.name, valueOf(element))
  })
  parser.write(text).close()
  const value = Object.fromEntries(root.members)
  if (isDeeper(value, MAX_DEPTH)) throw tooDeep()
  return value
}

function hasMore(text: string, mark: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1))
    if (++count > most) return true
  return false
}

function opened(name: string): Open {
  return { name, members: new Map(), lists: new Map(), text: '', isNil: false }
}

function readAttribute(element: Open, name: string, value: string): void {
  if (name === 'xmlns' || name.startsWith('xmlns:')) return
  if (NIL.test(name)) element.isNil = value === 'true' || value === '1'
  else element.members.set(`@${name}`, value)
}

const NIL = /^[^:]+:nil$/

function addElement({ members, lists }: Open, name: string, value: Json): void {
  const before = members.get(name)
  const list = lists.get(name)
  if (list !== undefined) list.push(value)
  else if (before === undefined) members.set(name, value)
  else {
    const started = [before, value]
    lists.set(name, started)
    members.set(name, started)
  }
}

function valueOf({ members, text, isNil }: Open): Json {
  if (isNil) return null
  if (members.size === 0) return text
  const isMixed = [...members.keys()].some((name) => !name.startsWith('@'))
  const kept = isMixed ? text.trim() : text
  return Object.fromEntries(kept === '' ? members : [...members, ['#text', kept]])
}

function isDeeper(value: Json, room: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return room === 0 || Object.values(value).some((member: Json) => isDeeper(member, room - 1))
}

function tooDeep(): XmlError {
  return new XmlError('its XML is nested too deep')
}
