import { expect, test } from 'vitest'
import { type Claims, roleOf, type RoleSettings } from '../../../src/service/console/roles.ts'

const NOTHING: RoleSettings = {
  oidcRoleClaim: null,
  oidcViewers: [],
  oidcDevelopers: [],
  oidcAdministrators: [],
  oidcDefaultRole: null,
}
const ADA = { email: 'Ada@Example.com', email_verified: true }

test.for<{ name: string; claims: Claims; settings: Partial<RoleSettings>; want: string | null }>([
  { name: 'nobody is named', claims: ADA, settings: {}, want: null },
  {
    name: 'everybody else has the default',
    claims: ADA,
    settings: { oidcAdministrators: ['bob@example.com'], oidcDefaultRole: 'viewer' },
    want: 'viewer',
  },
  {
    name: 'addresses are the same in any case',
    claims: ADA,
    settings: { oidcAdministrators: ['aDA@EXAMPLE.com'] },
    want: 'administrator',
  },
  {
    name: 'a domain has all its addresses',
    claims: ADA,
    settings: { oidcDevelopers: ['@example.com'] },
    want: 'developer',
  },
  {
    name: 'a domain has no addresses that only end like it',
    claims: { email: 'ada@evil-example.com', email_verified: true },
    settings: { oidcDevelopers: ['@example.com'] },
    want: null,
  },
  {
    name: 'an address below a domain is of another one',
    claims: { email: 'ada@example.com.evil.example', email_verified: true },
    settings: { oidcDevelopers: ['@example.com', 'ada@example.com'] },
    want: null,
  },
  {
    name: 'an address with two signs is none',
    claims: { email: 'ada@evil.example@example.com', email_verified: true },
    settings: { oidcDevelopers: ['@example.com'] },
    want: null,
  },
  {
    name: 'an address that is not proved is none',
    claims: { ...ADA, email_verified: false },
    settings: { oidcDevelopers: ['@example.com'] },
    want: null,
  },
  {
    name: 'a text that says true proves nothing',
    claims: { ...ADA, email_verified: 'true' },
    settings: { oidcDevelopers: ['@example.com'] },
    want: null,
  },
  {
    name: 'the highest of several lists counts',
    claims: { ...ADA, groups: ['staff', 'sre'] },
    settings: {
      oidcRoleClaim: 'groups',
      oidcViewers: ['@example.com'],
      oidcAdministrators: ['sre'],
    },
    want: 'administrator',
  },
  {
    name: 'a claim may be one text',
    claims: { team: 'sre' },
    settings: { oidcRoleClaim: 'team', oidcDevelopers: ['sre'] },
    want: 'developer',
  },
  {
    name: 'a value of the claim that looks like an address is none',
    claims: { groups: ['ada@example.com', '@example.com'] },
    settings: { oidcRoleClaim: 'groups', oidcAdministrators: ['ada@example.com', '@example.com'] },
    want: null,
  },
  {
    name: 'a claim that nobody asked for is nothing',
    claims: { groups: ['sre'] },
    settings: { oidcAdministrators: ['sre'] },
    want: null,
  },
  {
    name: 'without lists the claim names the role',
    claims: { roles: ['other', 'developer'] },
    settings: { oidcRoleClaim: 'roles' },
    want: 'developer',
  },
  {
    name: 'with lists it names groups only',
    claims: { roles: ['administrator'] },
    settings: { oidcRoleClaim: 'roles', oidcViewers: ['staff'] },
    want: null,
  },
  {
    name: 'a claim of another shape is nothing',
    claims: { roles: { administrator: true } },
    settings: { oidcRoleClaim: 'roles' },
    want: null,
  },
])('$name', ({ claims, settings, want }) =>
  expect(roleOf(claims, { ...NOTHING, ...settings })).toBe(want),
)
