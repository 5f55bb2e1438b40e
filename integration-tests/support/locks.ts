import type { Store } from "./store"

/** Does the work while a row is locked, so that whoever needs the row waits inside; lets go of it afterwards. */
export async function holding<Result>(store: Store, table: string, id: string, work: () => Promise<Result>): Promise<Result> {
  const held = await store.db.transaction()
  try {
    await held(table).where({ id }).forUpdate().first()
    return await work()
  } finally {
    await held.rollback()
  }
}
