import { join } from "node:path"
import type { AcquirerStandIn, Movement } from "../../src/acquirer-tests"
import { BkashAcquirer } from "../../src/modules/gateway/acquirers/bkash/adapter"
import { NagadAcquirer } from "../../src/modules/gateway/acquirers/nagad/adapter"
import type { AcquirerContext, Incoming } from "../../src/modules/gateway/acquirers/port"
import { ShurjopayAcquirer } from "../../src/modules/gateway/acquirers/shurjopay/adapter"
import { sslcommerz } from "../../src/modules/gateway/acquirers/sslcommerz"
import { formatAmount, parseAmount } from "../../src/modules/gateway/kernel/money/money"
import { importModule } from "../support/import-module.cjs"
import { contextOf, loadStandIn as loadBkash, MemoryTokens } from "./bkash/stand-in"
import { loadStandIn as loadNagad } from "./nagad/stand-in"
import { loadStandIn as loadShurjopay } from "./shurjopay/stand-in"
import { posted, type StandIn as SslcommerzStandIn } from "./sslcommerz/support"
import { adapterOf, startStandIn as startStripe, WEBHOOK_SECRET } from "./stripe/support"

/** A stand-in as the published tests of adapters use it. */
export type Tested = AcquirerStandIn & { close(): Promise<void> }

type Booked = { type: "payment" | "refund"; id: string; amount: bigint }
const inTaka = ({ type: kind, id: reference, amount }: Booked): Movement => ({
  kind,
  reference,
  amount,
  currency: "BDT",
})

/** What several processes of one account share: the tokens, and the log. */
function shared(credentials: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const write = (line: unknown) => void lines.push(String(line))
  const tokens = new MemoryTokens()
  const context = (url: string): AcquirerContext =>
    contextOf({ url }, credentials, { tokens, logger: { warn: write, error: write } })
  return { context, tokens, logged: () => lines }
}

/** The access token that was issued last. */
const keptIn = ({ kept }: MemoryTokens): string[] => (kept === null ? [] : [kept.token])

async function bkash(): Promise<Tested> {
  const { startStandIn, CREDENTIALS, TOPIC } = await loadBkash()
  const standIn = await startStandIn({ unattended: true })
  const { context, tokens, logged } = shared({ ...CREDENTIALS, topic_arn: TOPIC, unattended_agreements: "yes" })
  return {
    url: standIn.url,
    open: (address) => new BkashAcquirer(context(address)),
    movements: () => standIn.movements().map(inTaka),
    shopper: async (url, act) => ({ url: await standIn.shop(url, act) }),
    request: { service: "BKASH", instrument: { method: "wallet" } },
    smallest: 100n,
    get secrets() {
      return [CREDENTIALS.app_secret, CREDENTIALS.password, ...keptIn(tokens)]
    },
    logged,
    notification: ({ references }) => {
      const { body, headers } = standIn.message(references.paymentID)
      return { method: "POST", target: "/notify/default", headers, body: Buffer.from(body) }
    },
    signsNotifications: true,
    close: () => standIn.close(),
  }
}

async function nagad(): Promise<Tested> {
  const { startStandIn, CREDENTIALS } = await loadNagad()
  const standIn = await startStandIn()
  const { context, logged } = shared(CREDENTIALS)
  const { url } = standIn
  return {
    url,
    open: (address) => {
      Object.assign(standIn, { url: address })
      return new NagadAcquirer(context(address))
    },
    movements: () => standIn.movements().map(inTaka),
    shopper: async (page, act) => ({ url: await standIn.shop(page, act) }),
    request: { service: "NAGAD", instrument: { method: "wallet" } },
    secrets: [CREDENTIALS.private_key, CREDENTIALS.public_key],
    logged,
    // Its answers to refunds are encrypted.
    misstateRefund: (amount) =>
      standIn.faults.add({ on: "cancel", kind: "change", fields: { cancelAmount: formatAmount(amount) } }),
    close: () => standIn.close(),
  }
}

async function sslcommerzs(): Promise<Tested> {
  const { startStandIn } = await importModule<{ startStandIn(): Promise<SslcommerzStandIn> }>(
    join(__dirname, "sslcommerz/stand-in.mjs")
  )
  const standIn = await startStandIn()
  const { url, store_id, store_passwd, book } = standIn
  const { context, logged } = shared({ store_id, store_passwd })
  const notified = (key: string): Incoming => {
    const sent = book.notifications.find(({ fields }) => fields.tran_id === key && fields.status === "VALID")
    return posted(sent?.fields ?? {})
  }
  return {
    url,
    open: (address) => {
      standIn.url = address
      return sslcommerz.open(context(address))
    },
    movements: () => {
      const paid = book.transactions.filter(({ status }) => status === "VALID")
      const back = book.refunds.filter(({ status }) => status === "refunded")
      return [
        ...paid.map((row) => ({ kind: "payment" as const, reference: row.bank_tran_id, ...moneyOf(row) })),
        ...back.map((row) => ({ kind: "refund" as const, reference: row.refund_ref_id, ...moneyOf(row) })),
      ]
    },
    shopper: async (page, act) => {
      const back = await standIn.shopper[act](page)
      return back === null ? null : { url: back.url, form: back.fields }
    },
    smallest: 1_000n,
    largest: 50_000_000n,
    secrets: [store_passwd],
    logged,
    notification: ({ key }) => notified(key),
    signsNotifications: true,
    finishRefunds: () =>
      book.refunds
        .filter(({ status }) => status === "processing")
        .forEach(({ refund_ref_id }) => standIn.finishRefund(refund_ref_id, "refunded")),
    close: () => standIn.close(),
  }
}

function moneyOf({ amount }: Readonly<Record<string, string>>): Pick<Movement, "amount" | "currency"> {
  return { amount: parseAmount(amount) ?? 0n, currency: "BDT" }
}

async function shurjopay(): Promise<Tested> {
  const { startStandIn, CREDENTIALS } = await loadShurjopay()
  const standIn = await startStandIn()
  const { context, tokens, logged } = shared(CREDENTIALS)
  const { url, book } = standIn
  return {
    url,
    open: (address) => {
      Object.assign(standIn, { url: address })
      return new ShurjopayAcquirer(context(address))
    },
    movements: () => [
      ...book.payments
        .filter(({ bank_trx_id }) => bank_trx_id !== null)
        .map(({ sp_order_id: id, amount }) => inTaka({ type: "payment", id, amount })),
      ...book.refunds.map(({ sp_order_id: id, amount }) => inTaka({ type: "refund", id, amount })),
    ],
    shopper: async (page, act) => ({ url: await standIn.shop(page, act) }),
    get secrets() {
      // It is kept behind the number of the store that it came with.
      return [CREDENTIALS.password, ...keptIn(tokens).map((kept) => kept.split(" ")[1])]
    },
    logged,
    notification: ({ references }) => posted({ order_id: references.sp_order_id }),
    refundByHand: ({ references }) => standIn.refundInPanel(references.sp_order_id),
    close: () => standIn.close(),
  }
}

async function stripe(): Promise<Tested> {
  const standIn = await startStripe()
  const { account, book, notifier, secret_key } = standIn
  return {
    url: standIn.url,
    open: (address) => adapterOf({ ...standIn, url: address }),
    movements: () =>
      book.movements().map(({ kind, id: reference, amount, currency }) => {
        return { kind, reference, amount: BigInt(amount), currency: currency.toUpperCase() }
      }),
    shopper: async (page, act) => {
      const id = new URL(page).pathname.split("/").at(-1) ?? ""
      const session = book.sessions.get(id)
      if (session?.status !== "open") {
        throw new Error("the session is over")
      }
      if (act === "cancel") {
        return { url: String(session.cancel_url) }
      }
      const { result } = await account.payOnPage(id, act === "pay" ? "4242424242424242" : "4000000000000002")
      // After a decline the shopper stays on the page.
      return result === "declined" ? null : { url: String(session.success_url) }
    },
    smallest: 10_000n,
    secrets: [secret_key, WEBHOOK_SECRET],
    notification: ({ key }) => {
      const event = [...book.events.values()].find(({ type, data }) => {
        return type === "checkout.session.completed" && data.object.client_reference_id === key
      })
      const { body, headers } = notifier.message(event, { secrets: [WEBHOOK_SECRET] })
      return { method: "POST", target: "/notify/default", headers, body: Buffer.from(body) }
    },
    signsNotifications: true,
    close: () => standIn.close(),
  }
}

/** By the acquirer's id; each starts a stand-in of its own. */
export const TESTED = { bkash, nagad, sslcommerz: sslcommerzs, shurjopay, stripe } as const
