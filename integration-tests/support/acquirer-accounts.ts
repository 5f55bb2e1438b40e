import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { SEALED } from "../../src/modules/gateway/kernel/database/sealed-columns"
import type { Store } from "./store"

interface Account {
  id: string
  merchant_id: string
  acquirer: string
  services?: string[]
  settings?: object
  secrets: object
}

/** Stores a merchant's account in the sandbox of an acquirer, untested: the admin's route would ask the acquirer first. */
export async function insertAccount(
  store: Store,
  { services = [], settings = {}, secrets, ...account }: Account
): Promise<void> {
  const secretBox = secretBoxOf(store.gateway.options)
  await store.db("gateway_acquirer_account").insert({
    ...account,
    environment: "sandbox",
    services,
    settings: JSON.stringify(settings),
    credentials: secretBox.seal(JSON.stringify(secrets), SEALED.acquirerCredentials, account.id),
  })
}
