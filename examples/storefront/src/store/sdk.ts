import Medusa from "@medusajs/js-sdk"
import * as storage from "../lib/storage"
import { locale } from "../text"

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
    // Products and deliveries in the shop's language, where the store has translations.
    globalHeaders: { "x-medusa-locale": locale },
    // A bearer token, which a browser never sends automatically as it does a cookie: no other site can act for the
    // shopper. Every tab has it, until it expires or one of them signs out. A foreign script could read it, and the CSP
    // lets none run.
    auth: {
      type: "jwt",
      jwtTokenStorageMethod: "custom",
      jwtTokenStorageKey: TOKEN,
      storage: {
        getItem: async (key) => storage.read(key),
        setItem: async (key, value) => storage.write(key, value),
        removeItem: async (key) => storage.remove(key),
      },
    },
  })
  return { sdk, regionId: config.region_id }
}

/** Whether this browser has a token; only the store knows whether it is still valid. */
export const hasToken = (): boolean => Boolean(storage.read(TOKEN))

export const dropToken = (): void => storage.remove(TOKEN)

/** Calls `listener` when another tab has signed in, as somebody else perhaps, or out. */
export function onOtherTab(listener: () => void): void {
  // Without a key: everything was removed.
  addEventListener("storage", ({ key }) => (key === TOKEN || key === null) && listener())
}
