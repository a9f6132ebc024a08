// The colour of an application: which texts are one, and that what has it can be read.
import { expect, test } from 'vitest'
import { accentColours, accentProblem, contrast } from '../../../src/service/connect/accent.ts'

test.for([
  ['#0f766e', true],
  ['#ABCDEF', true],
  ['0f766e', false],
  ['#fff', false],
  ['#0f766e80', false],
  ['#0f766g', false],
  ['teal', false],
  ['', false],
  ['#0f766e;} body{', false],
] as const)('"%s" is a colour: %s', ([text, is]) => expect(accentProblem(text) === null).toBe(is))

test.for([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
] as const)('%s on %s has the contrast %d', ([one, other, want]) =>
  expect(contrast(one, other)).toBeCloseTo(want, 1),
)

test.for([
  // As it is, where that is enough.
  { accent: '#0f766e', light: '#0f766e', dark: null, onButton: '#ffffff' },
  { accent: '#2dd4bf', light: null, dark: '#2dd4bf', onButton: '#000000' },
  { accent: '#ffcc00', light: null, dark: '#ffcc00', onButton: '#000000' },
  { accent: '#ff0000', light: null, dark: null, onButton: '#000000' },
  { accent: '#4f46e5', light: '#4f46e5', dark: null, onButton: '#ffffff' },
  { accent: '#777777', light: null, dark: null, onButton: '#000000' },
  { accent: '#ffffff', light: null, dark: '#ffffff', onButton: '#000000' },
  { accent: '#000000', light: '#000000', dark: null, onButton: '#ffffff' },
])('$accent is read on each ground', ({ accent, light, dark, onButton }) => {
  const colours = accentColours(accent)
  expect(colours).toMatchObject({ button: accent, onButton })
  expect(contrast(colours.button, colours.onButton)).toBeGreaterThanOrEqual(4.5)
  for (const ground of ['#ffffff', '#f6f7f8', '#f1f3f5'])
    expect(contrast(colours.links.light, ground)).toBeGreaterThanOrEqual(4.5)
  for (const ground of ['#101214', '#181b1f', '#20242a'])
    expect(contrast(colours.links.dark, ground)).toBeGreaterThanOrEqual(4.5)
  expect(colours.links.light === accent).toBe(light !== null)
  expect(colours.links.dark === accent).toBe(dark !== null)
})
