import type { StoreWork } from "../api/v2-kit/exchange"
import type { Gateway } from "../modules/gateway/container"
import type { MoveClockInput, StoreCalls } from "../modules/gateway/store-port"
import { pageUrl } from "../store/page-url"

/**
 * The store's work in a process without a store. A checkout that the API has opened needs nothing of the store. A cart's
 * and a subscription's get an order, and a moved clock sends e-mails: a store process does that, and is awaited.
 */
export function storeWorkOf(gateway: Gateway): StoreWork {
  const ask = <Kind extends keyof StoreCalls>(kind: Kind, input: Parameters<StoreCalls[Kind]>[0]) =>
    gateway.storeCalls.ask(kind, input) as ReturnType<StoreCalls[Kind]>
  const needsStore = async (session_id: string) => {
    const { source, subscription_id } = await gateway.transactions.bySession(session_id)
    return source !== "api" || subscription_id !== null
  }
  return {
    pay: async (input) =>
      (await needsStore(input.session_id))
        ? ask("pay", input)
        : gateway.payments.pay({ ...input, keep: false, page_url: pageUrl(gateway, input) }),
    cancel: async (input) =>
      (await needsStore(input.session_id))
        ? ask("cancel", input)
        : gateway.payments.cancel({ session_id: input.session_id, page_url: pageUrl(gateway, input) }),
    moveClock: async ({ merchant_id, environment, actor, key_id, origin }, { advance_seconds, now }) => {
      const tenant: MoveClockInput["tenant"] = { merchant_id, environment, actor, key_id, origin }
      const moved = await ask("move_clock", { tenant, advance_seconds, now: now?.toISOString() })
      return { ...moved, now: new Date(moved.now) }
    },
  }
}
