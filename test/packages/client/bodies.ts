// Bodies for property tests: mostly valid, with arbitrary values in some places.
import { fc } from 'test-kit/properties'

/** JSON.stringify writes them in plain digits, so every parser reads them as integers. */
const number = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.double({ min: -1e3, max: 1e3, noNaN: true }))
const date = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const anything = fc.anything({ values: [number, fc.boolean(), fc.constant(null), fc.string(), date] })
const mostly = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 9, arbitrary }, anything)

const ids = { id: mostly(fc.maxSafeInteger()), petId: mostly(fc.maxSafeInteger()) }
const others = { quantity: mostly(fc.integer()), shipDate: mostly(date), complete: mostly(fc.boolean()) }
const order = fc.record({ ...ids, ...others, later: anything }, { requiredKeys: [] })

const texts = { code: mostly(fc.string()), message: mostly(fc.string()) }
const error = fc.record({ ...texts, status: mostly(fc.constantFrom(404, 500, 503)) }, { requiredKeys: [] })
/** An Error, mostly with status 404, 500 or 503. */
export const errorText: fc.Arbitrary<string> = error.map((error) => JSON.stringify(error))

/** An order, a pet, a list, an Error or anything else. */
export const bodyText: fc.Arbitrary<string> = fc.oneof(
  fc.oneof(order, fc.array(mostly(order)), anything).map((value) => JSON.stringify(value)),
  errorText,
)
