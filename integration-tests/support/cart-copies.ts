import { generateEntityId } from "@medusajs/framework/utils"
import type { Store } from "./store"

/**
 * Copies of carts that the Store API made: three requests for a cart are a third of what a test about payments costs.
 * A copy has every row of the cart under new ids. Carts of one kind are copied until something changes that a cart is
 * made from: a price, a delivery option, a tax rate.
 */
export class CartCopies<Cart> {
  readonly #originals = new Map<string, { of: string; rows: string; answer: string }>()

  constructor(private readonly store: Store) {}

  /** `kind`: equal for carts that must be equal. `make` asks the Store API for one and answers its id with it. */
  async next(kind: string, make: () => Promise<Cart & { id: string }>): Promise<Cart> {
    const of = await this.source()
    const original = this.#originals.get(kind)
    if (original?.of === of) {
      return this.copy(original)
    }
    const cart = await make()
    this.#originals.set(kind, { of, rows: await this.rowsOf(cart.id), answer: JSON.stringify(cart) })
    return cart
  }

  /** Changes when something changes that a cart is made from. */
  private async source(): Promise<string> {
    const parts = SOURCES.map(
      (table) => `SELECT max(updated_at) AS at, count(*) AS rows, count(deleted_at) AS deleted FROM ${table}`
    )
    const { rows } = await this.store.db.raw(
      `SELECT string_agg(concat_ws('/', at, rows, deleted), ' ') AS source FROM (${parts.join(" UNION ALL ")}) parts`
    )
    return rows[0].source
  }

  /** Every row of a cart, by table, as one JSON text. */
  private async rowsOf(cartId: string): Promise<string> {
    const parts = Object.entries(ROWS).map(
      ([table, condition]) => `'${table}', (SELECT jsonb_agg(to_jsonb(x)) FROM ${table} x WHERE ${condition})`
    )
    const { rows } = await this.store.db.raw(`SELECT jsonb_build_object(${parts.join(", ")}) AS rows`, { id: cartId })
    return JSON.stringify(rows[0].rows)
  }

  private async copy({ rows, answer }: { rows: string; answer: string }): Promise<Cart> {
    const tables = JSON.parse(rows) as Record<string, { id: string }[] | null>
    const fresh = new Map<string, string>()
    for (const { id } of Object.values(tables).flatMap((of) => of ?? [])) {
      fresh.set(id, generateEntityId("", id.slice(0, id.indexOf("_"))))
    }
    const ids = new RegExp([...fresh.keys()].join("|"), "g")
    const renamed = (text: string) => text.replace(ids, (id) => fresh.get(id) as string)
    const now = new Date().toISOString()
    const inserts = Object.keys(ROWS).map(
      (table) =>
        `INSERT INTO ${table} SELECT (jsonb_populate_record(CAST(NULL AS ${table}), x || CAST(:now AS jsonb))).*
         FROM jsonb_array_elements(NULLIF(CAST(:rows AS jsonb) -> '${table}', 'null')) x`
    )
    const given = { rows: renamed(rows), now: JSON.stringify({ created_at: now, updated_at: now }) }
    await this.store.db.transaction(async (sql) => {
      for (const insert of inserts) {
        await sql.raw(insert, given)
      }
    })
    return JSON.parse(renamed(answer)) as Cart
  }
}

/** Tables whose rows decide what a new cart holds. */
const SOURCES = [
  "product",
  "product_variant",
  "price",
  "shipping_option",
  "tax_rate",
  "tax_region",
  "region",
  "promotion",
]

/** A cart's tables in the order in which their rows can be inserted, and which rows are the cart's (:id). */
const ITEMS = "(SELECT id FROM cart_line_item WHERE cart_id = :id)"
const METHODS = "(SELECT id FROM cart_shipping_method WHERE cart_id = :id)"
const ROWS = {
  cart_address: "id IN (SELECT unnest(ARRAY[shipping_address_id, billing_address_id]) FROM cart WHERE id = :id)",
  cart: "id = :id",
  cart_line_item: "cart_id = :id",
  cart_line_item_tax_line: `item_id IN ${ITEMS}`,
  cart_line_item_adjustment: `item_id IN ${ITEMS}`,
  cart_shipping_method: "cart_id = :id",
  cart_shipping_method_tax_line: `shipping_method_id IN ${METHODS}`,
  cart_shipping_method_adjustment: `shipping_method_id IN ${METHODS}`,
}
