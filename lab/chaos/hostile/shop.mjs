import { ADDRESS } from "../../../scripts/demo/payment.mjs"
import { ask, bearer, merchantKey, must } from "./client.mjs"

const PROVIDER = "pp_gateway_default"
/** What one piece costs with its delivery, in taka. */
export const CART_TOTAL = 520

/** A region, a delivery, a product and a storefront's key, made over Medusa's Admin API as a shop's owner would. */
export async function openShop(url, token) {
  const admin = (method, path, json) => must(url, method, path, { headers: bearer(token), json })
  const { stores } = await admin("GET", "/admin/stores?fields=id,default_sales_channel_id")
  const [{ id: storeId, default_sales_channel_id: channel }] = stores
  await admin("POST", "/admin/tax-regions", { country_code: "bd", provider_id: "tp_system" })
  const { region } = await admin("POST", "/admin/regions", {
    name: "Bangladesh",
    currency_code: "bdt",
    countries: ["bd"],
    payment_providers: [PROVIDER],
  })
  await admin("POST", `/admin/stores/${storeId}`, {
    supported_currencies: [{ currency_code: "bdt", is_default: true }],
  })
  const { shipping_option } = await makeDelivery(admin, channel)
  const { product } = await admin("POST", "/admin/products", {
    title: "Clay mug",
    status: "published",
    options: [{ title: "Type", values: ["One"] }],
    variants: [
      {
        title: "One",
        options: { Type: "One" },
        manage_inventory: false,
        prices: [{ currency_code: "bdt", amount: CART_TOTAL - 60 }],
      },
    ],
    sales_channels: [{ id: channel }],
    shipping_profile_id: shipping_option.shipping_profile_id,
  })
  const { api_key } = await admin("POST", "/admin/api-keys", { title: "Storefront", type: "publishable" })
  await admin("POST", `/admin/api-keys/${api_key.id}/sales-channels`, { add: [channel] })
  const merchant_id = (await admin("GET", "/admin/gateway")).default_merchant_id
  const made = await admin("POST", `/admin/gateway/api-keys?merchant_id=${merchant_id}&environment=sandbox`, {
    name: "attacks",
  })
  return new Shop(url, {
    key: api_key.token,
    apiKey: made.key,
    merchant_id,
    region: region.id,
    variant: product.variants[0].id,
    option: shipping_option.id,
  })
}

async function makeDelivery(admin, channel) {
  const { stock_location } = await admin("POST", "/admin/stock-locations", {
    name: "Dhaka",
    address: { address_1: "Tejgaon", city: "Dhaka", country_code: "bd" },
  })
  const path = `/admin/stock-locations/${stock_location.id}`
  await admin("POST", `${path}/sales-channels`, { add: [channel] })
  await admin("POST", `${path}/fulfillment-providers`, { add: ["manual_manual"] })
  await admin("POST", `${path}/fulfillment-sets`, { name: "Delivery", type: "shipping" })
  const [{ id: set }] = (await admin("GET", `${path}?fields=*fulfillment_sets`)).stock_location.fulfillment_sets
  const { fulfillment_set } = await admin("POST", `/admin/fulfillment-sets/${set}/service-zones`, {
    name: "Bangladesh",
    geo_zones: [{ type: "country", country_code: "bd" }],
  })
  const { shipping_profiles } = await admin("GET", "/admin/shipping-profiles?type=default")
  const profile =
    shipping_profiles[0] ??
    (await admin("POST", "/admin/shipping-profiles", { name: "Default", type: "default" })).shipping_profile
  return admin("POST", "/admin/shipping-options", {
    name: "Inside Dhaka",
    service_zone_id: fulfillment_set.service_zones[0].id,
    shipping_profile_id: profile.id,
    provider_id: "manual_manual",
    price_type: "flat",
    type: { label: "Inside Dhaka", description: "Two days", code: "dhaka" },
    prices: [{ currency_code: "bdt", amount: 60 }],
    rules: [
      { attribute: "enabled_in_store", value: "true", operator: "eq" },
      { attribute: "is_return", value: "false", operator: "eq" },
    ],
  })
}

/** The Store API as anybody on the internet may use it. */
export class Shop {
  constructor(url, { key, apiKey, merchant_id, region, variant, option }) {
    Object.assign(this, { url, key, apiKey, merchant_id, region, variant, option })
  }

  store(method, path, json, headers = {}) {
    return ask(this.url, method, path, { headers: { "x-publishable-api-key": this.key, ...headers }, json })
  }

  async must(method, path, json) {
    const answer = await this.store(method, path, json)
    if (answer.status !== 200) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`)
    }
    return answer.body
  }

  /** A cart of one piece that is ready to be paid, and its payment collection. */
  async cart() {
    const { cart } = await this.must("POST", "/store/carts", {
      region_id: this.region,
      email: "ayesha@example.com",
      items: [{ variant_id: this.variant, quantity: 1 }],
      shipping_address: ADDRESS,
      billing_address: ADDRESS,
    })
    await this.must("POST", `/store/carts/${cart.id}/shipping-methods`, { option_id: this.option })
    const { payment_collection } = await this.must("POST", "/store/payment-collections", { cart_id: cart.id })
    return { id: cart.id, collection: payment_collection.id }
  }

  /** Never throws for a status: a forged one may be refused. */
  initiate({ collection }, data) {
    return this.store("POST", `/store/payment-collections/${collection}/payment-sessions`, {
      provider_id: PROVIDER,
      data,
    })
  }

  complete({ id }) {
    return this.store("POST", `/store/carts/${id}/complete`)
  }

  /** Pays a session of the gateway as its hosted page does. */
  pay(session_id) {
    const json = { payment_method: "card", card_number: "4242424242424242" }
    return ask(this.url, "POST", `/api/v2/sandbox/sessions/${session_id}/pay`, {
      headers: merchantKey(this.apiKey),
      json,
    })
  }
}
