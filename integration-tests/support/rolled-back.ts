import type { Store } from "./store"

/**
 * While `work` runs, Medusa rolls back each order after it has authorised the payment: the database refuses what it
 * writes then.
 */
export async function withoutOrderTransactions(store: Store, work: () => Promise<void>): Promise<void> {
  await store.db.raw(`
    CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room''; END';
    CREATE TRIGGER refuse_all BEFORE INSERT ON order_transaction FOR EACH ROW EXECUTE FUNCTION refuse_all()`)
  try {
    await work()
  } finally {
    await store.db.raw("DROP TRIGGER refuse_all ON order_transaction; DROP FUNCTION refuse_all()")
  }
}
