import { setTimeout as sleep } from "node:timers/promises"
import { ask } from "./client.mjs"

const STEPS = 6
const COMMITTED_MAX_MS = 10_000
const AT_ONCE = 4
const SETTLED_MS = 3_000

/**
 * What a shopper types as a payment session's `data` proves nothing: paid sessions' data is posted to other carts, whose
 * calls go in every order and at once. However that goes, Medusa never captures more than was paid, and no transaction
 * pays two orders. `counts.carts`: forged carts.
 */
export async function sessions({ counts, random, report, say, shop, query }) {
  const bought = []
  for (let at = 0; at < counts.carts; at += AT_ONCE) {
    // A new honest payment each time: its data is tried before, while and after its own cart is completed.
    bought.push(await buy(shop, random))
    const forged = Array.from({ length: Math.min(AT_ONCE, counts.carts - at) }, (_, nth) =>
      random.fork(`cart ${at + nth}`)
    )
    await Promise.all(forged.map((own) => attack(shop, { query, paid: own.pick(bought), random: own, all: bought })))
    say(`${at + forged.length}/${counts.carts} carts forged from ${bought.length} payments`)
  }
  for (const { cart } of bought) {
    await shop.complete(cart)
  }
  await sleep(SETTLED_MS)
  return judge({ query, report })
}

/** An honest cart that is paid; half of them stay without their order for now. */
async function buy(shop, random) {
  const cart = await shop.cart()
  const answer = await shop.initiate(cart, {})
  if (answer.status !== 200) {
    throw new Error(`payment session: ${answer.status} ${answer.text.slice(0, 300)}`)
  }
  const [session] = answer.body.payment_collection.payment_sessions
  const paid = await shop.pay(session.data.session_id)
  const transaction_id = paid.body.data.transaction_id
  if (random.chance(0.5)) {
    await shop.complete(cart)
  }
  return { cart, id: session.id, data: { ...session.data, transaction_id, status: "SUCCESS" } }
}

/** One cart that is never paid, and the calls about it in an order drawn by lot, some of them at once. */
async function attack(shop, { query, paid, random, all }) {
  const cart = await shop.cart()
  const forged = () => {
    const other = random.pick(all)
    return random.pick([
      paid.data,
      { ...paid.data, order_id: paid.id.replace("payses_", "") },
      { ...other.data, session_id: paid.data.session_id },
      { ...paid.data, verified: true, amount: "520.00", currency: "BDT", captured: true },
    ])
  }
  const calls = {
    initiate: () => shop.initiate(cart, forged()),
    honest: () => shop.initiate(cart, {}),
    complete: () => shop.complete(cart),
    add: () => shop.store("POST", `/store/carts/${cart.id}/line-items`, { variant_id: shop.variant, quantity: 1 }),
    comeBack: () => ask(shop.url, "GET", `/gateway/return?transaction_id=${paid.data.transaction_id}&status=SUCCESS`),
    notify: () =>
      ask(shop.url, "POST", "/hooks/payment/gateway_default", {
        json: {
          event_type: "payment.succeeded",
          transaction_id: paid.data.transaction_id,
          data: { transaction_id: paid.data.transaction_id, session_id: paid.data.session_id },
        },
      }),
    status: () => shop.store("GET", `/store/gateway/status?session_id=${paid.data.session_id}`),
    payAgain: () => shop.pay(paid.data.session_id),
  }
  const race = async () => {
    let running = true
    const initiated = calls.initiate().finally(() => (running = false))
    await untilCommitted(query, cart, () => !running)
    await Promise.all([calls.complete(), calls.complete()])
    await initiated
  }
  const names = Object.keys(calls)
  // The one order that was exploited is always there; the rest is drawn.
  const steps = random.shuffled([
    race,
    ...Array.from(
      { length: STEPS - 1 },
      () => () => Promise.all(Array.from({ length: random.between(1, 3) }, () => calls[random.pick(names)]()))
    ),
  ])
  for (const step of steps) {
    await step()
  }
  await calls.complete()
}

/** Medusa commits a payment session before it calls the provider. */
async function untilCommitted(query, { collection }, isOver) {
  for (const deadline = Date.now() + COMMITTED_MAX_MS; Date.now() < deadline && !isOver(); await sleep(10)) {
    const rows = await query("SELECT 1 FROM payment_session WHERE payment_collection_id = $1 AND deleted_at IS NULL", [
      collection,
    ])
    if (rows.length > 0) {
      return
    }
  }
}

const BOOKS = {
  "more is captured in Medusa than was paid": `
    SELECT captured, paid FROM
      (SELECT COALESCE(sum(amount), 0)::numeric(14, 2) AS captured FROM capture WHERE deleted_at IS NULL) c,
      (SELECT COALESCE(sum(amount_minor), 0)::numeric / 100 AS paid FROM gateway_transaction WHERE state IN ('SUCCESS', 'REFUNDED')) p
    WHERE captured > paid`,
  "there are more orders than paid transactions": `
    SELECT orders, paid FROM
      (SELECT count(*)::int AS orders FROM "order" WHERE deleted_at IS NULL) o,
      (SELECT count(*)::int AS paid FROM gateway_transaction WHERE state IN ('SUCCESS', 'REFUNDED')) p
    WHERE orders > paid`,
  "one transaction has two payments in Medusa": `
    SELECT data ->> 'session_id' AS subject, count(*)::int AS payments FROM payment
    WHERE deleted_at IS NULL AND canceled_at IS NULL GROUP BY 1 HAVING count(*) > 1`,
  "a cart has two orders":
    "SELECT cart_id AS subject, count(*)::int AS orders FROM order_cart WHERE deleted_at IS NULL GROUP BY 1 HAVING count(*) > 1",
}

async function judge({ query, report }) {
  for (const [what, sql] of Object.entries(BOOKS)) {
    for (const row of await query(sql)) {
      report({ what, detail: JSON.stringify(row) })
    }
  }
  const [figures] = await query(
    `SELECT (SELECT count(*)::int FROM "order") AS orders, (SELECT count(*)::int FROM payment WHERE deleted_at IS NULL) AS payments,
            (SELECT count(*)::int FROM gateway_transaction WHERE state IN ('SUCCESS', 'REFUNDED')) AS paid`
  )
  return figures
}
