import { ADDRESS, TEST_CARD } from "../../../scripts/demo/payment.mjs"

/** Shoppers of the sample shop: each fills a cart, pays it and completes it as a storefront does. */
export class Shoppers {
  /** By the cart's id: `{ cart_id, session_id, order_id }` of the carts whose payment was acknowledged. */
  carts = new Map()
  #stopped = false
  #store
  #api
  #region_id

  /**
   * @param store a Caller of the store's own routes
   * @param api one of `/api/v2`, which pays instead of the shopper
   */
  constructor(store, api, region_id) {
    this.#store = store
    this.#api = api
    this.#region_id = region_id
  }

  async work() {
    const variants = (await this.#store.ask("GET", "/products?limit=5&fields=*variants"))?.products ?? []
    for (let number = 0; !this.#stopped; number += 1) {
      await this.#buy(variants[number % variants.length].variants[0].id)
    }
  }

  stop() {
    this.#stopped = true
  }

  async #buy(variant_id) {
    const post = (path, body) => this.#store.ask("POST", path, { body })
    const items = [{ variant_id, quantity: 1 }]
    const addresses = { shipping_address: ADDRESS, billing_address: ADDRESS }
    const made = { region_id: this.#region_id, email: "ayesha@example.com", items, ...addresses }
    const cart_id = (await post("/carts", made))?.cart?.id
    const options = cart_id && (await this.#store.ask("GET", `/shipping-options?cart_id=${cart_id}`))?.shipping_options
    if (!options?.length || !(await post(`/carts/${cart_id}/shipping-methods`, { option_id: options[0].id }))) {
      return
    }
    // Empty when Medusa was interrupted in the middle of an earlier try.
    const collection = (await post("/payment-collections", { cart_id }))?.payment_collection?.id
    const path = `/payment-collections/${collection}/payment-sessions`
    const opened = collection && (await post(path, { provider_id: "pp_gateway_default" }))
    const session_id = opened?.payment_collection?.payment_sessions?.at(-1)?.data.session_id
    if (!session_id) {
      return
    }
    const paid = await this.#api.ask("POST", `/sandbox/sessions/${session_id}/pay`, {
      key: session_id,
      body: TEST_CARD,
    })
    if (paid?.data.status === "SUCCESS") {
      const cart = { cart_id, session_id, order_id: null }
      this.carts.set(cart_id, cart)
      cart.order_id = (await post(`/carts/${cart_id}/complete`))?.order?.id ?? null
    }
  }
}
