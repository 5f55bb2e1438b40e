import { createHash } from "node:crypto"
import { startStandIn as startBkash, CREDENTIALS } from "../../../integration-tests/acquirers/bkash/stand-in.mjs"
import {
  startStandIn as startNagad,
  CREDENTIALS as NAGAD_CREDENTIALS,
} from "../../../integration-tests/acquirers/nagad/stand-in.mjs"
import {
  startStandIn as startShurjopay,
  CREDENTIALS as SHURJOPAY_CREDENTIALS,
} from "../../../integration-tests/acquirers/shurjopay/stand-in.mjs"
import { startStandIn as startSslcommerz } from "../../../integration-tests/acquirers/sslcommerz/stand-in.mjs"
import { startStandIn as startStripe } from "../../../integration-tests/acquirers/stripe/stand-in.mjs"

const chance = (share) => Math.random() < share
const poisha = (text) => Math.round(Number(text) * 100)
const HOUR = 3_600
const NAGAD_NAME_CHARS = 14
/** What an order number at shurjoPay has behind the attempt's id. */
const SHURJOPAY_TAIL_CHARS = 6

/**
 * What the scenario needs of each stand-in:
 * - `service`: the payment service; `secrets`: the account's credentials
 * - `url(address)`: shows this address to shoppers instead of its own; `isSafe(path)`: of which nothing gets lost
 * - `mischief()`: faults for the next calls, besides those of the line
 * - `lateShoppers(pages)`: some shoppers pay pages that they had left, and those that are not among the addresses
 *   `pages` nobody has ever seen; returns the number of them
 * - `later()`: what has taken its time at the provider ends; only of a provider that takes it
 * - `movements()`: `[{ kind: "payment" | "refund", id, key, amount }]`; `id` is the provider's own, amounts are poisha
 * - `isUnknowable(open)`: whether this attempt or refund of ours stays open by design, because nobody but an operator
 *   can say what became of it
 * - `named(id)`: what the provider's book calls an attempt or refund of ours, where that is not its id
 * - `keptCards(count)`: tokens of cards that were kept earlier; only of a provider that charges without the shopper
 */
export const PROVIDERS = { sslcommerz, bkash, nagad, shurjopay, stripe }

async function sslcommerz() {
  const standIn = await startSslcommerz()
  const { book, faults } = standIn
  return {
    standIn,
    service: "CARD",
    secrets: { store_id: standIn.store_id, store_passwd: standIn.store_passwd },
    isSafe: (path) => path.startsWith("/gwprocess/v4/gw.php"),
    mischief() {
      faults.clear()
      const some = [
        ["page", "twice", 0.6],
        ["create", "failed", 0.2, { reason: "Store is De-active" }],
        ["query", "html", 0.3],
        ["refund", "processing_without_reference", 0.3],
        ["*", "status", 0.3, { status: 503 }],
      ]
      some.filter(([, , share]) => chance(share)).forEach(([call, name, , details]) => faults.add(call, name, details))
    },
    async lateShoppers(pages) {
      faults.clear()
      const open = book.sessions.filter(({ ended }) => !ended).map(({ sessionkey }) => standIn.pageUrl(sessionkey))
      const left = open.filter((page) => pages.has(page) && chance(0.3))
      for (const page of left) {
        await standIn.shopper.pay(page)
      }
      return left.length
    },
    /** `surplus`: return keys of payments that must not be cancelled, because only an operator could go on then. */
    later(surplus) {
      for (const { refund_ref_id, refund_trans_id, status } of book.refunds) {
        if (status === "processing") {
          const isCancelled = chance(0.1) && !surplus.has(`rfd_${refund_trans_id}`)
          standIn.finishRefund(refund_ref_id, isCancelled ? "cancelled" : "refunded")
        }
      }
    },
    movements: () => [
      ...book.transactions
        .filter(({ status }) => status === "VALID")
        .map(({ tran_id, bank_tran_id, amount }) => ({
          kind: "payment",
          id: bank_tran_id,
          key: tran_id,
          amount: poisha(amount),
        })),
      ...book.refunds
        .filter(({ status }) => status !== "cancelled")
        .map(({ refund_ref_id, refund_trans_id, amount }) => ({
          kind: "refund",
          id: refund_ref_id,
          key: `rfd_${refund_trans_id}`,
          amount: poisha(amount),
        })),
    ],
    isUnknowable: () => false,
  }
}

async function bkash() {
  const standIn = await startBkash()
  const { book, faults } = standIn
  return {
    standIn,
    service: "BKASH",
    secrets: {
      app_key: CREDENTIALS.app_key,
      app_secret: CREDENTIALS.app_secret,
      username: CREDENTIALS.username,
      password: CREDENTIALS.password,
    },
    // A lost token counts against the two that bKash issues in an hour.
    isSafe: (path) => path.startsWith("/redirect/") || path.includes("/token/"),
    mischief() {
      faults.clear()
      const some = [
        [{ on: "execute", kind: "html_after" }, 0.3],
        [{ on: "execute", kind: "message_only_after" }, 0.3],
        [{ on: "query", kind: "html" }, 0.3],
        [{ on: "create", kind: "http", status: 500 }, 0.2],
        [{ on: "refund", kind: "pending" }, 0.3],
        [{ on: "refund", kind: "html_after" }, 0.3],
        [{ on: "refund_status", kind: "http", status: 500 }, 0.3],
      ]
      some.filter(([, share]) => chance(share)).forEach(([fault]) => faults.add(fault))
    },
    async lateShoppers(pages) {
      faults.clear()
      const hashes = new Set([...pages].map((page) => new URL(page).searchParams.get("hash")))
      const open = book.payments.filter(({ shopper, hash }) => shopper === "open" && hashes.has(hash))
      const left = open.filter(() => chance(0.3))
      left.forEach((payment) => Object.assign(payment, { shopper: "agreed", wallet: "01770618575" }))
      return left.length
    },
    later() {
      book.refunds.filter(({ state }) => state === "Pending").forEach((refund) => (refund.state = "Completed"))
    },
    movements: () =>
      standIn.movements().map(({ type: kind, amount, ...movement }) => ({ ...movement, kind, amount: Number(amount) })),
    /**
     * bKash knows no idempotency keys. What was marked as sent, and is not in its book, may have got lost with a killed
     * process or on the line, or may still be on its way: sending it again could move the money twice. A later refund of
     * the same payment waits behind it.
     */
    isUnknowable({ kind, state, ids, key, behind }) {
      const hasMoved = standIn.movements().some((movement) => movement.key === key)
      return kind === "attempt"
        ? state === "CONFIRMING" && ids.execute === "sent" && !hasMoved
        : !hasMoved && (ids.request === "sent" || behind.some((one) => this.isUnknowable({ ...one, behind: [] })))
    },
  }
}

async function nagad() {
  const standIn = await startNagad()
  const { book, faults, operations } = standIn
  return {
    standIn,
    service: "NAGAD",
    secrets: NAGAD_CREDENTIALS,
    isSafe: (path) => path.startsWith("/check-out/"),
    mischief() {
      faults.clear()
      const some = [
        [{ on: "initialize", kind: "html" }, 0.2],
        [{ on: "initialize", kind: "forged" }, 0.2],
        [{ on: "complete", kind: "html_after" }, 0.3],
        [{ on: "complete", kind: "http", status: 500 }, 0.2],
        [{ on: "verify", kind: "html" }, 0.3],
        [{ on: "verify", kind: "empty" }, 0.2],
        [{ on: "cancel", kind: "http", status: 500 }, 0.2],
        [{ on: "cancel", kind: "html_after" }, 0.2],
        [{ on: "cancel", kind: "unreadable" }, 0.2],
        [{ on: "callback", kind: "lost_query" }, 0.3],
      ]
      some.filter(([, share]) => chance(share)).forEach(([fault]) => faults.add(fault))
    },
    async lateShoppers(pages) {
      faults.clear()
      const references = new Set([...pages].map((page) => decodeURIComponent(new URL(page).pathname.split("/").at(-1))))
      const open = book.payments.filter(
        ({ status, paymentRefId }) => status === "OrderInitiated" && references.has(paymentRefId)
      )
      const left = open.filter(() => chance(0.3))
      left.forEach((payment) => operations.act(payment, "pay", "01711223344"))
      return left.length
    },
    named: (id) =>
      BigInt(`0x${createHash("sha256").update(id).digest("hex")}`)
        .toString(36)
        .slice(-NAGAD_NAME_CHARS),
    movements: () =>
      standIn.movements().map(({ type: kind, id, key, amount }) => ({
        kind,
        id,
        key: kind === "payment" ? key.slice(0, NAGAD_NAME_CHARS) : key.slice(-NAGAD_NAME_CHARS),
        amount: Number(amount),
      })),
    /** Nagad cannot be asked about one refund of several. A later refund of the same payment waits behind it. */
    isUnknowable: ({ kind, ids, behind }) =>
      kind === "refund" && [ids, ...behind.map((one) => one.ids)].some(({ request }) => request === "sent"),
  }
}

async function shurjopay() {
  const standIn = await startShurjopay()
  const { book, faults } = standIn
  return {
    standIn,
    service: "CARD",
    secrets: SHURJOPAY_CREDENTIALS,
    isSafe: (path) => path.startsWith("/spaycheckout/"),
    mischief() {
      faults.clear()
      const some = [
        [{ on: "token", kind: "html" }, 0.2],
        [{ on: "create", kind: "lost_after" }, 0.3],
        [{ on: "create", kind: "http", status: 500 }, 0.2],
        [{ on: "verification", kind: "html" }, 0.3],
        [{ on: "verification", kind: "none" }, 0.2],
        [{ on: "verification", kind: "twice" }, 0.2],
        [{ on: "status", kind: "object" }, 0.3],
        [{ on: "status", kind: "lost_after" }, 0.3],
      ]
      some.filter(([, share]) => chance(share)).forEach(([fault]) => faults.add(fault))
    },
    async lateShoppers(pages) {
      faults.clear()
      const numbers = new Set([...pages].map((page) => new URL(page).pathname.split("/").at(-1)))
      const open = book.payments.filter(({ state, sp_order_id }) => state === "waiting" && numbers.has(sp_order_id))
      const left = open.filter(() => chance(0.3))
      left.forEach((payment) => standIn.settle(payment, "paid", "Visa"))
      return left.length
    },
    movements: () =>
      book.payments
        .filter(({ bank_trx_id }) => bank_trx_id !== null)
        .map(({ sp_order_id, order_id, amount }) => ({
          kind: "payment",
          id: sp_order_id,
          key: order_id.slice(0, -SHURJOPAY_TAIL_CHARS),
          amount: Number(amount),
        })),
    /** It has no call for refunds: each waits for an operator, who makes none here. */
    isUnknowable: ({ kind, state }) => kind === "refund" || state === "SURPLUS",
  }
}

async function stripe() {
  const standIn = await startStripe()
  const { account, book, faults } = standIn
  return {
    standIn,
    service: "CARD",
    secrets: { secret_key: standIn.secret_key },
    isSafe: (path) => path.startsWith("/c/pay/"),
    mischief() {
      faults.clear()
      const some = [
        ["processing", 0.3],
        ["requires_action", 0.3],
        ["refund_pending", 0.3],
        ["html_after", 0.3],
        ["empty_500", 0.3],
        ["rate_limited", 0.3],
        ["truncate", 0.3],
        ["paid_before_expire", 0.2],
      ]
      some.filter(([, share]) => chance(share)).forEach(([name]) => faults.next(name))
    },
    async lateShoppers(pages) {
      faults.clear()
      const left = [...book.sessions.values()].filter(
        ({ status, url }) => status === "open" && pages.has(url) && chance(0.3)
      )
      for (const { id } of left) {
        await account.payOnPage(id, "4242424242424242")
      }
      // What is still open then has ended at Stripe.
      await account.advance(2 * HOUR)
      return left.length
    },
    async later() {
      for (const { id, status } of book.payment_intents.values()) {
        if (status === "processing") {
          await account.finish(id, chance(0.8))
        }
      }
      for (const { id, status } of book.refunds.values()) {
        if (status === "pending") {
          await account.finishRefund(id, chance(0.8) ? "succeeded" : "failed")
        }
      }
    },
    movements: () => book.movements(),
    isUnknowable: () => false,
    keptCards: (count) =>
      Array.from({ length: count }, () => {
        const customer = book.newCustomer({ email: "chaos@example.com" }).id
        const number = chance(0.1) ? "4000000000000341" : "4242424242424242"
        return `${customer}:${book.newPaymentMethod(number, { customer }).id}`
      }),
  }
}
