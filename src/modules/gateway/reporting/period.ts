/** Days in Bangladesh time by their numbers (kernel/counter-rules.ts), both inclusive. */
export type Period = { first: number; last: number }
