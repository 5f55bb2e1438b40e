import { createHash } from "node:crypto"
import { brief, type Answer, type ApiMerchant } from "./api"
import { post, visit } from "./pages"
import type { Store } from "./store"
import { Subscriber } from "./subscriptions"

/** Limits of pages that let the tests in, and stop mails with links. */
export const PORTAL_LIMITS = {
  GATEWAY_PAGE_LIMITS: "address=0,addressForms=0,session=0,sessionForms=0,pdf=0,portalMailsFrom=40,portalMailsTo=4",
}
export const SESSIONS = "/payments/portal-sessions"
export const BACK = "http://shop.example/account"
export const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

interface SessionData {
  portal_session_id: string
  url: string
  customer_id: number
  expires_at: string
  login_url: string
}
export const sessionOf = ({ body }: Answer) => body.data as unknown as SessionData
const hashOf = (url: string) =>
  createHash("sha256")
    .update(url.split("/").at(-1) ?? "")
    .digest("hex")

/** Opens a page with the form's own cookie and posts it, as a browser does. */
export const act = async (page: string, fields: Record<string, string> = {}, to = page) =>
  post(to, await visit(page), fields)

/** Customers of the test's merchant, and what a store knows of them. */
export function portalOf(store: Store, merchantOfTest: () => ApiMerchant) {
  const rowOf = (url: string) => store.db("gateway_portal_session").where({ token_hash: hashOf(url) })

  async function link(
    customer_id: number,
    changes: Record<string, unknown> = {},
    by = merchantOfTest()
  ): Promise<SessionData> {
    const answer = await by.call("POST", SESSIONS, { customer_id, return_url: BACK, ...changes })
    expect(brief(answer)).toBe("201")
    return sessionOf(answer)
  }

  /** A customer with a subscription that is paid, and a link to their portal. */
  async function customer(changes: Record<string, unknown> = {}, by = merchantOfTest()) {
    const subscriber = await Subscriber.create(by, changes)
    await subscriber.pay()
    const { customer_id } = await subscriber.get()
    const { url, login_url } = await link(customer_id, {}, by)
    return { subscriber, customer_id, url, login_url, page: `${url}/subscriptions/${subscriber.uuid}` }
  }

  /** What the sandbox has taken and given back of a checkout's transaction. */
  const moneyOf = async (session_id: string) => {
    const transaction = await store.db("gateway_transaction").where({ session_id }).first()
    const refunds = await store.db("gateway_refund").where({ transaction_id: transaction.id })
    const { state, amount_minor, refunded_minor, charge_minor, return_due_at } = transaction
    return {
      id: transaction.id as string,
      shown: { state, amount_minor, refunded_minor, charge_minor, return_due_at },
      refunds: refunds.map((refund: { state: string; amount_minor: number }) => [refund.state, refund.amount_minor]),
    }
  }

  const instrumentOf = async ({ uuid }: { uuid: string }) =>
    store
      .db("gateway_subscription as s")
      .join("gateway_instrument as i", "i.id", "s.instrument_id")
      .where("s.uuid", uuid)
      .first("i.id", "i.last_four", "i.token", "i.uuid")

  return { rowOf, link, customer, moneyOf, instrumentOf }
}
