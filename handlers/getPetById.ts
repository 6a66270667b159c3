import { errorResponse } from '../spec/errors.ts'
import type { Handler } from './types.ts'

export const getPetById: Handler<'getPetById'> = async ({ path: { petId } }, { orders }) =>
  (await orders.hasPet(petId)) ? { status: 200, body: { id: petId } } : errorResponse('pet_not_found')
