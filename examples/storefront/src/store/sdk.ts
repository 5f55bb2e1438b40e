import Medusa from "@medusajs/js-sdk"
import * as storage from "../lib/storage"
import { locale } from "../text"

/** A name of our own: another page of this origin may store a token there that belongs to no shopper. */
const TOKEN = "shop.token"

/** The contents of `config.json` beside index.html. */
type Config = { backend_url: string; publishable_key: string; region_id: string }

export type Store = { sdk: Medusa; regionId: string }

let opened: Promise<Store> | null = null
/** While a shopper is signing in; null otherwise. */
let draft: { token: string | null } | null = null

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
        getItem: async (key) => (draft ? draft.token : storage.read(key)),
        setItem: async (key, value) => (draft ? void (draft.token = value) : storage.write(key, value)),
        removeItem: async () => dropToken(),
      },
    },
  })
  return { sdk, regionId: config.region_id }
}

/** Whether this browser has a token; only the store knows whether it is still valid. */
export const hasToken = (): boolean => Boolean(draft ? draft.token : storage.read(TOKEN))

export function dropToken(): void {
  if (draft) {
    draft.token = null
  }
  storage.remove(TOKEN)
}

/**
 * Runs `work` with tokens of this tab alone. Those of a registration and of a login that is not checked yet are refused
 * by most of the store: another tab that took one for a sign-in would be refused, and sign this one out. `isKept`: the
 * last token becomes every tab's when `work` resolves.
 */
export async function withDraftToken(isKept: boolean, work: () => Promise<void>): Promise<void> {
  const mine: { token: string | null } = { token: null }
  draft = mine
  try {
    await work()
    if (isKept && mine.token) {
      storage.write(TOKEN, mine.token)
    }
  } finally {
    draft = null
  }
}

/** Calls `listener` when another tab has signed in, as somebody else perhaps, or out. */
export function onOtherTab(listener: () => void): void {
  // Without a key: everything was removed.
  addEventListener("storage", ({ key }) => (key === TOKEN || key === null) && listener())
}
