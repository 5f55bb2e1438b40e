import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Store } from "./store"
import { until } from "./until"

export const rowLock = (table: string, id: string) => (held: Knex.Transaction) => held(table).where({ id }).forUpdate()

/** Does the work while a row is locked, so that other users of the row wait; releases it afterwards. */
export async function holding<Result>(
  store: Store,
  table: string,
  id: string,
  work: () => Promise<Result>
): Promise<Result> {
  const held = await store.db.transaction()
  try {
    await rowLock(table, id)(held)
    return await work()
  } finally {
    await held.rollback()
  }
}

/** How many statements on the store's database wait for a lock. */
export async function waitingForLocks(store: Store): Promise<number> {
  const { rows } = await store.db.raw(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  )
  return rows[0].count
}

/** A point at which some work waits until the test opens it; `begun` resolves when the work has arrived. */
export function latch(): { begun: Promise<void>; open: () => void; wait: () => Promise<void> } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  let reached = (): void => undefined
  const begun = new Promise<void>((resolve) => (reached = resolve))
  const wait = () => {
    reached()
    return opened
  }
  return { begun, open: () => open(), wait }
}

/** Waits until `count` statements wait for a lock. */
export async function blocked(store: Store, count: number): Promise<void> {
  await until(`${count} statements wait for a lock`, async () => (await waitingForLocks(store)) >= count)
}

/**
 * Whether some work, which tries again until another lets it, has tried in vain: true when it comes for the same lock a
 * second time, false when it ends. `lock` must stop each of its tries, and nothing else that runs meanwhile.
 */
export async function keepsTrying(
  store: Store,
  lock: (held: Knex.Transaction) => PromiseLike<unknown>,
  work: Promise<unknown>
): Promise<boolean> {
  let hasEnded = false
  const end = (): void => void (hasEnded = true)
  work.then(end, end)
  for (const attempt of ["first", "second"]) {
    const held = await store.db.transaction()
    try {
      await lock(held)
      await until(
        `the ${attempt} try waits, or none follows`,
        async () => hasEnded || (await waitingForLocks(store)) > 0
      )
    } finally {
      await held.rollback()
    }
    // Otherwise the next lock could be granted before this try goes on, and the same try would be counted twice.
    await until(`the ${attempt} try has its lock`, async () => (await waitingForLocks(store)) === 0)
  }
  return !hasEnded
}
