import Medusa from "@medusajs/js-sdk"

/** What `config.json` beside index.html holds. */
type Config = { backend_url: string; publishable_key: string; region_id: string }

export type Store = { sdk: Medusa; regionId: string }

let opened: Promise<Store> | null = null

/** The connection to the Medusa store. Reads `config.json` once, so one build serves every environment. */
export function openStore(): Promise<Store> {
  opened ??= connect().catch((error) => {
    // A failed start must not be remembered: the shopper's "Try again" asks anew.
    opened = null
    throw error
  })
  return opened
}

async function connect(): Promise<Store> {
  const response = await fetch("./config.json")
  if (!response.ok) {
    throw new Error(`config.json answered ${response.status}`)
  }
  const config: Partial<Config> = await response.json()
  if (!config.publishable_key || !config.region_id) {
    throw new Error("config.json needs publishable_key and region_id")
  }
  const sdk = new Medusa({
    // An empty backend_url means: the store that serves this page.
    baseUrl: config.backend_url ?? "",
    publishableKey: config.publishable_key,
    // Shoppers are guests here. Without this the SDK would send a token that another page of this origin has stored.
    auth: { type: "jwt", jwtTokenStorageMethod: "nostore" },
  })
  return { sdk, regionId: config.region_id }
}
