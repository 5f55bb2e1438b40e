import type { Store } from "./store"
import { until } from "./until"

/** Does the work while a row is locked, so that other users of the row wait; releases it afterwards. */
export async function holding<Result>(
  store: Store,
  table: string,
  id: string,
  work: () => Promise<Result>
): Promise<Result> {
  const held = await store.db.transaction()
  try {
    await held(table).where({ id }).forUpdate().first()
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
