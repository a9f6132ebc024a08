// Helpers that change the type of a value. No digit is ever lost on the way.
import type { Json } from '../json/json.ts'
import { parseJson } from '../json/parse-json.ts'
import { isExactNumber } from '../json/exact-number.ts'
import { type Helper, kindOf, printed, unary } from './helper.ts'
import type { TypeHelper } from './syntax.ts'
import { ValueError } from './value-error.ts'

const MAX_NUMBER = 400
const INTEGER = /^[+-]?\d+$/
const DECIMAL = /^([+-]?)(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?$/

export const TYPE_HELPERS: Readonly<Record<TypeHelper, Helper>> = {
  /** `int x`: an integer of any size, from a number without fraction or from its text. */
  int: unary(
    (value) => {
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value
      const text = numberText(value)
      if (text.length > MAX_NUMBER || !INTEGER.test(text))
        throw new ValueError('this is no integer')
      return parseJson(
        text
          .replace(/^\+/, '')
          .replace(/^(-?)0+(?=\d)/, '$1')
          .replace(/^-0$/, '0'),
      )
    },
    { gives: 'integer' },
  ),
  /** `float x`: a number, from a number or its text. */
  float: unary(
    (value) => {
      if (typeof value === 'number' && Number.isFinite(value)) return value
      const text = numberText(value)
      const match = text.length <= MAX_NUMBER ? DECIMAL.exec(text) : null
      if (match === null) throw new ValueError('this is no number')
      const [, sign = '', digits = '', exponent = ''] = match
      // JSON wants a digit on both sides of the point and no zero in front.
      const [whole = '', fraction = ''] = digits.split('.')
      const point = fraction === '' ? '' : `.${fraction}`
      return parseJson(
        (sign === '-' ? '-' : '') + (whole.replace(/^0+(?=\d)/, '') || '0') + point + exponent,
      )
    },
    { gives: 'number' },
  ),
  /** `string x`: text of a text, number or boolean. */
  string: unary(printed, { gives: 'string' }),
  json: unary((value) => JSON.stringify(value), { gives: 'string' }),
}

function numberText(value: Json): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  throw new ValueError(`a number is needed here, not ${kindOf(value)}`)
}
