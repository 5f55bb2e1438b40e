import type { Store } from "./store"

/** Sets the number of pieces in stock, reserved ones included. */
export async function setStock(store: Store, sku: string, quantity: number): Promise<void> {
  await store.db.raw(
    `UPDATE inventory_level SET stocked_quantity = :quantity, raw_stocked_quantity = jsonb_build_object('value', :quantity::text, 'precision', 20)
     FROM inventory_item i WHERE i.id = inventory_item_id AND i.sku = :sku`,
    { quantity, sku }
  )
}

/** Pieces in stock that are not reserved. */
export async function freeStock(store: Store, sku: string): Promise<number> {
  const { rows } = await store.db.raw(
    `SELECT sum(stocked_quantity - reserved_quantity)::int AS free FROM inventory_level l
     JOIN inventory_item i ON i.id = l.inventory_item_id WHERE i.sku = ?`,
    [sku]
  )
  return rows[0].free
}
