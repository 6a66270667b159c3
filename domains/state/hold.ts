// An authority's wait: until it is over, no order is placed there. The time is ISO 8601, in UTC.
import type { Problem } from './domain.ts'

/** Stored as JSON. */
export interface Hold {
  until: string
  /** The authority's reason. */
  problem: Problem
}
