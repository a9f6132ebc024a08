import { expect, test } from 'vitest'
import { readParts } from '../../../src/sandbox/wire/multipart.ts'

const body = Buffer.from(
  [
    '--xyz',
    'Content-Disposition: form-data; name="title"',
    '',
    'Größe',
    '--xyz',
    'Content-Disposition: form-data; name="file"; filename="a \\"b\\".txt"',
    'Content-Type: text/plain',
    '',
    'line 1\r\nline 2',
    '--xyz--',
    '',
  ].join('\r\n'),
)

test('parts have names, file names, types and bodies', () => {
  const parts = readParts('multipart/form-data; boundary=xyz', body)
  expect(
    parts?.map((part) => [
      part.name,
      part.filename,
      part.headers['content-type'],
      part.body.toString(),
    ]),
  ).toEqual([
    ['title', null, undefined, 'Größe'],
    ['file', 'a "b".txt', 'text/plain', 'line 1\r\nline 2'],
  ])
})

test.for([
  { name: 'no boundary', type: 'multipart/form-data', given: body },
  {
    name: 'a body that never ends',
    type: 'multipart/form-data; boundary=xyz',
    given: body.subarray(0, 80),
  },
  { name: 'another boundary', type: 'multipart/form-data; boundary=abc', given: body },
])('$name is refused', ({ type, given }) => expect(readParts(type, given)).toBeNull())
