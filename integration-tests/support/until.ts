import { setTimeout as sleep } from "node:timers/promises"

/** Each look at a database costs both sides: let less than 20 ms pass only between looks at memory. */
const EVERY_MS = 20
const LIMIT_MS = 100_000

/** Waits until a condition holds. `what` says what is waited for; after the limit it fails with that. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { everyMs = EVERY_MS, limitMs = LIMIT_MS }: { everyMs?: number; limitMs?: number } = {}
): Promise<void> {
  for (const deadline = performance.now() + limitMs; !(await holds()); await sleep(everyMs)) {
    if (performance.now() > deadline) {
      throw new Error(`waited ${limitMs / 1_000} s in vain until ${what}`)
    }
  }
}
