import type { StoreWork } from "../api/process-services"
import type { Gateway } from "../modules/gateway/container"
import type { PaymentRecord } from "../modules/gateway/payments/records"
import type { MoveClockInput, StoreCalls } from "../modules/gateway/store-port"
import { pageUrl } from "../store/page-url"

/**
 * The store's work in a process without a store. A checkout that the API has opened needs nothing of the store. A cart's
 * and a subscription's get an order, and a moved clock sends e-mails: a store process does that, and is awaited. Each of
 * these calls may be repeated: what was done by a process that died is found in the database.
 */
export function storeWorkOf(gateway: Gateway): StoreWork {
  const { payments, inquiries, transactions } = gateway
  const ask = <Kind extends keyof StoreCalls>(kind: Kind, input: Parameters<StoreCalls[Kind]>[0]) =>
    gateway.storeCalls.ask(kind, input) as ReturnType<StoreCalls[Kind]>
  const isStores = async (session_id: string) => needsStore(await transactions.bySession(session_id))
  const ofPage = ({ session_id, public_url }: { session_id: string; public_url?: string }) => ({
    session_id,
    page_url: pageUrl(gateway, { session_id, public_url }),
  })
  return {
    pay: async (input) =>
      (await isStores(input.session_id))
        ? ask("pay", input)
        : payments.pay({ ...input, keep: false, ...ofPage(input) }),
    cancel: async (input) =>
      (await isStores(input.session_id)) ? ask("cancel", input) : payments.cancel(ofPage(input)),
    leave: async (input) => ((await isStores(input.session_id)) ? ask("leave", input) : inquiries.leave(ofPage(input))),
    confirm: async (input) =>
      (await isStores(input.session_id)) ? ask("confirm", input) : inquiries.confirm(ofPage(input)),
    followHint: async (input) => {
      const known = await transactions.ofAttempt(input.attempt_id)
      if (known !== null && needsStore(known)) {
        return ask("follow_hint", input)
      }
      const record = await inquiries.hinted(input.attempt_id, input.hint, { back: input.back })
      const { page_url } = ofPage({ ...record, public_url: input.public_url })
      return { state: record.state, outcome: inquiries.outcome(record, page_url) }
    },
    completeCart: async (transaction_id) => void (await ask("complete_cart", { transaction_id })),
    moveClock: async ({ merchant_id, environment, actor, key_id, origin }, { advance_seconds, now }) => {
      const tenant: MoveClockInput["tenant"] = { merchant_id, environment, actor, key_id, origin }
      const moved = await ask("move_clock", { tenant, advance_seconds, now: now?.toISOString() })
      return { ...moved, now: new Date(moved.now) }
    },
  }
}

/** A cart's payment makes an order, a subscription's renews it, a verification's goes back. */
function needsStore({ source, subscription_id }: Pick<PaymentRecord, "source" | "subscription_id">): boolean {
  return source !== "api" || subscription_id !== null
}
