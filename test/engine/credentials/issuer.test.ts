import { expect, test } from 'vitest'
import { isFromIssuer } from '../../../src/engine/credentials/issuer.ts'

const AT = { issuer: null, consentUrl: 'https://login.example.com/authorize?client_id=1' }

test.for([
  { name: 'no iss, none declared', iss: undefined, known: AT, want: true },
  { name: 'the origin of the page', iss: 'https://login.example.com', known: AT, want: true },
  { name: 'a path below it', iss: 'https://login.example.com/tenant', known: AT, want: true },
  { name: 'another host', iss: 'https://evil.example', known: AT, want: false },
  { name: 'a look-alike', iss: 'https://login.example.com.evil.example', known: AT, want: false },
  {
    name: 'user information',
    iss: 'https://login.example.com@evil.example',
    known: AT,
    want: false,
  },
  { name: 'another scheme', iss: 'http://login.example.com', known: AT, want: false },
  { name: 'another port', iss: 'https://login.example.com:444', known: AT, want: false },
  { name: 'no URL', iss: 'login.example.com', known: AT, want: false },
  {
    name: 'an opaque origin',
    iss: 'data:,x',
    known: { ...AT, consentUrl: 'data:,y' },
    want: false,
  },
  { name: 'empty', iss: '', known: AT, want: false },
  {
    name: 'the declared one',
    iss: 'https://a.example',
    known: { ...AT, issuer: 'https://a.example' },
    want: true,
  },
  {
    name: 'a slash more than declared',
    iss: 'https://a.example/',
    known: { ...AT, issuer: 'https://a.example' },
    want: false,
  },
  {
    name: 'none, although declared',
    iss: undefined,
    known: { ...AT, issuer: 'https://a.example' },
    want: false,
  },
])('O3 $name: $want', ({ iss, known, want }) => expect(isFromIssuer(iss, known)).toBe(want))
