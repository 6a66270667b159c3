import t from 'tap'
import { integer, list, makes, self, string } from '../fixtures/examples.ts'

t.test('a list has what it must contain, and no more items than have a schema', async (t) =>
  makes(t, [
    [{ contains: { const: 7 }, minContains: 2 }, [7, 7]],
    [{ prefixItems: [string], contains: { const: 7 } }, ['string', 7]],
    [list(self), []],
    [{ prefixItems: [string, false] }, ['string']],
    [{ prefixItems: [integer, string], contains: { const: 7 }, maxItems: 2 }, [7, 'string']],
    [{ type: 'array', unevaluatedItems: { const: 3 }, minItems: 1 }, [3]],
  ]),
)
