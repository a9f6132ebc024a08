// Bytes packed as an action of the manifest unpacks them.
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import { nodeZlib } from '../../late-modules.ts'

type Packing = NonNullable<ResponseRules['unpack']>[number]

const PACK: Readonly<Record<Packing, (file: Buffer) => Buffer>> = {
  gzip: (file) => nodeZlib().gzipSync(file),
  zip: zipOfOne,
}

/** Packs one file; what is unpacked first is packed last. */
export function pack(file: Buffer, packings: readonly Packing[]): Buffer {
  return packings.reduceRight((packed, packing) => PACK[packing](packed), file)
}

const NAME = Buffer.from('answer')
/** 1 January 1980, the first day of the format. */
const FIRST_DAY = 0x21

/** An archive of one deflated file. Source: the ZIP file format specification, 4.3. */
function zipOfOne(file: Buffer): Buffer {
  const { crc32, deflateRawSync } = nodeZlib()
  const packed = deflateRawSync(file)
  // Version needed, flags, deflate, time, day, checksum, both sizes, lengths of the name and of nothing further.
  const about = Buffer.alloc(26)
  about.writeUInt16LE(20, 0)
  about.writeUInt16LE(8, 4)
  about.writeUInt16LE(FIRST_DAY, 8)
  about.writeUInt32LE(crc32(file), 10)
  about.writeUInt32LE(packed.length, 14)
  about.writeUInt32LE(file.length, 18)
  about.writeUInt16LE(NAME.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, NAME, packed])
  // Made by version 2.0; no comment, first disk, no attributes, at the beginning.
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0', 'latin1'),
    about,
    Buffer.alloc(14),
    NAME,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, entry, end])
}
