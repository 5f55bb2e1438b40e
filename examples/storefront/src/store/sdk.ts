import Medusa from "@medusajs/js-sdk"
import { tab } from "../lib/storage"

/** A name of our own: another page of this origin may store a token there that belongs to no shopper. */
const TOKEN = "shop.token"

/** The contents of `config.json` beside index.html. */
type Config = { backend_url: string; publishable_key: string; region_id: string }

export type Store = { sdk: Medusa; regionId: string }

let opened: Promise<Store> | null = null

/** The connection to the Medusa store. Reads `config.json` once, so one build serves every environment. */
export function openStore(): Promise<Store> {
  opened ??= connect().catch((error) => {
    // A failed start must not be cached: the shopper's "Try again" starts anew.
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
    // A bearer token, which a browser never sends automatically as it does a cookie: no other site can act for the
    // shopper. It lives and dies with this tab. A foreign script could read it, and the CSP lets none run.
    auth: {
      type: "jwt",
      jwtTokenStorageMethod: "custom",
      jwtTokenStorageKey: TOKEN,
      storage: {
        getItem: async (key) => tab.read(key),
        setItem: async (key, value) => tab.write(key, value),
        removeItem: async (key) => tab.remove(key),
      },
    },
  })
  return { sdk, regionId: config.region_id }
}

/** Whether this tab has a token; only the store knows whether it is still valid. */
export const hasToken = (): boolean => Boolean(tab.read(TOKEN))

export const dropToken = (): void => tab.remove(TOKEN)
