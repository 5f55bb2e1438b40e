import { Database } from "../../src/modules/gateway/kernel/database/database"
import { newAttemptId } from "../../src/modules/gateway/kernel/text/ids"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import { paymentRequest } from "./acquirer"
import type { ApiMerchant, Data } from "./api"
import type { Store } from "./store"

const CARD = { method: "card", card: { number: "4242424242424242" } } as const

/**
 * A payment as a process leaves it that dies between reservation and settlement. `asked`: the sandbox's acquirer has
 * made the charge.
 */
export async function crashedPayment(
  store: Store,
  owner: ApiMerchant,
  asked: boolean,
  changes: Record<string, unknown> = {}
): Promise<Data> {
  const opened = await owner.open(changes)
  const started = new Date(Date.now() - 600_000)
  const key = newAttemptId()
  const transaction = () => store.db("gateway_transaction").where({ id: opened.transaction_id })
  const { amount_minor: amount } = await transaction().first()
  if (asked) {
    const request = paymentRequest({ key, amount: BigInt(amount), instrument: CARD, now: started })
    await new SandboxAcquirer(new Database(store.db)).start(request)
  }
  await transaction().update({
    state: "PROCESSING",
    attempts: 1,
    attempt_id: key,
    acquirer: "sandbox",
    payment_method: "card",
    payment_service: "CARD",
    charge_minor: 100,
  })
  await store.db("gateway_payment_attempt").insert({
    id: key,
    transaction_id: opened.transaction_id,
    merchant_id: owner.id,
    environment: "sandbox",
    number: 1,
    acquirer: "sandbox",
    payment_method: "card",
    payment_service: "CARD",
    currency: "BDT",
    amount_minor: amount,
    charge_minor: 100,
    started_at: started,
    inquiry_at: new Date(Date.now() - 1_000),
  })
  return opened
}
