import { inOwnLanguage } from "../text"
import { openStore } from "./sdk"

/**
 * A link to the gateway's own pages with the signed-in shopper's subscriptions, invoices and payment methods. It is made
 * when it is needed, and kept nowhere: whoever has it acts as the shopper.
 */
export async function openPortal(): Promise<string> {
  const { sdk } = await openStore()
  const { url } = await sdk.client.fetch<{ url: string }>("/store/gateway/portal-sessions", {
    method: "POST",
    body: { return_url: `${location.origin}${location.pathname}` },
  })
  if (!/^https?:\/\//.test(url)) {
    throw new Error("The answer has no url")
  }
  return inOwnLanguage(url)
}
