import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Complaint } from "../../scripts/lib/console.mjs"
import { connected, withDatabase } from "../../scripts/lib/database.mjs"
import { ADDRESS, payOnce, payWithTestCard } from "../../scripts/demo/payment.mjs"
import { request } from "./merchant.mjs"

const PATIENCE_MS = 30_000

/**
 * Uses every part of a deployment once, through nginx, and throws a Complaint for the first one that fails: a payment at
 * a store, its webhook from a worker, a cart and its order, the sandbox's clock, the id of a request in all logs, a page,
 * the metrics of each process, the replica, PgBouncer.
 */
export async function checkDeployment(cluster, credentials, print) {
  const { base_url, api_key } = credentials
  const headers = { "X-Merchant-API-Key": api_key }
  const receiver = await startReceiver()
  const endpoint = await request("POST", `${base_url}/merchants/webhooks`, {
    headers,
    body: { endpoint_url: receiver.url, event_types: ["payment.succeeded"] },
  })
  try {
    await payOnce(credentials, print)
    const { data } = await until("a worker delivers the payment's webhook", () => receiver.received[0])
    print(`worker: webhook payment.succeeded of ${data.transaction_id} delivered`)
    print(`stores: order ${await payCart(credentials)} of a cart that was paid`)
    await request("POST", `${base_url}/sandbox/clock`, { headers, body: { advance_seconds: 1 } })
    print("stores: the sandbox's clock has moved")
    print(`${await findRequest(cluster, headers)} answered a request, whose id is in its log and in nginx's`)
    print(`${await findPage(cluster)} answered a payment page`)
    print(`metrics of ${(await readAllMetrics(cluster)).join(", ")}: answered; a worker counts acknowledged webhooks`)
    await until("the replica has the payment", () => isOnReplica(cluster, data.transaction_id))
    print("replica: has the payment")
    print(await pooled(cluster))
  } finally {
    await request("DELETE", `${base_url}/merchants/webhooks/${endpoint.data.id}`, { headers })
    receiver.close()
  }
}

async function until(what, look) {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(100)) {
    const found = await look()
    if (found) {
      return found
    }
  }
  throw new Complaint(`Waited ${PATIENCE_MS / 1_000} seconds in vain until ${what}.`)
}

/** Receives webhooks on a port of this machine: `{ url, received, close() }`. */
async function startReceiver() {
  const received = []
  const server = createServer(async (incoming, response) => {
    const chunks = await incoming.toArray()
    received.push(JSON.parse(Buffer.concat(chunks).toString("utf8")))
    response.end()
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${server.address().port}/`, received, close: () => server.close() }
}

/** Buys something in the sample shop as a storefront does; answers the order's id. */
async function payCart({ store_url, base_url, api_key, publishable_key, region_id }) {
  const headers = { "x-publishable-api-key": publishable_key }
  const call = (method, path, body) => request(method, `${store_url}/store/${path}`, { headers, body })
  const { products } = await call("GET", "products?limit=1&fields=*variants")
  const { cart } = await call("POST", "carts", {
    region_id,
    email: "ayesha@example.com",
    items: [{ variant_id: products[0].variants[0].id, quantity: 1 }],
    shipping_address: ADDRESS,
    billing_address: ADDRESS,
  })
  const { shipping_options } = await call("GET", `shipping-options?cart_id=${cart.id}`)
  await call("POST", `carts/${cart.id}/shipping-methods`, { option_id: shipping_options[0].id })
  const collection = (await call("POST", "payment-collections", { cart_id: cart.id })).payment_collection.id
  const { payment_collection } = await call("POST", `payment-collections/${collection}/payment-sessions`, {
    provider_id: "pp_gateway_default",
  })
  const { status } = await payWithTestCard(base_url, api_key, payment_collection.payment_sessions[0].data.session_id)
  const { type, order } = await call("POST", `carts/${cart.id}/complete`)
  if (status !== "SUCCESS" || type !== "order") {
    throw new Complaint(`A cart's payment is ${status}, and completing the cart answered ${type} instead of an order.`)
  }
  return order.id
}

/** The store that answers a request through nginx, found by the request's id. */
async function findRequest(cluster, headers) {
  const id = newRequestId()
  await request("GET", `${cluster.base_url}/payments`, { headers: { ...headers, "X-Request-Id": id } })
  return whoAnswered(cluster, id)
}

/** The store that answers a page through nginx. */
async function findPage(cluster) {
  const id = newRequestId()
  const page = await fetch(`${new URL(cluster.base_url).origin}/pay/nothing`, { headers: { "X-Request-Id": id } })
  const name = await whoAnswered(cluster, id)
  if (page.status !== 404 || cluster.processes[name]?.role !== "store") {
    throw new Complaint(`${name} answered ${page.status} to a payment page that does not exist.`)
  }
  return name
}

const newRequestId = () => `cluster-${randomBytes(8).toString("hex")}`

/** The name of the process that answered a request; the request's id must be in its log, too. */
async function whoAnswered({ home, processes }, id) {
  const text = (file) => readFileSync(file, "utf8")
  const line = await until("nginx writes a request into its log", () =>
    text(join(home, "nginx/answered.log"))
      .split("\n")
      .find((one) => one.includes(id))
  )
  const found = Object.values(processes).find(({ port }) => line.includes(`127.0.0.1:${port} `))
  await until(`the log of ${found?.name} has the request`, () => found && text(found.log).includes(id))
  return found.name
}

const ACKNOWLEDGED = /^gateway_webhook_attempts_total\{outcome="acknowledged"\} (\d+)$/m

/** The names of the processes whose metrics answered: all of ours. One worker must have counted the payment's webhook. */
async function readAllMetrics({ processes, secrets }) {
  const measured = Object.values(processes).filter(({ metrics }) => metrics)
  await until("a worker counts an acknowledged webhook in its metrics", async () => {
    const texts = await Promise.all(measured.map(({ metrics }) => readMetrics(metrics, secrets.metrics)))
    return measured.some(({ name }, index) => {
      const [, count = "0"] = ACKNOWLEDGED.exec(texts[index]) ?? []
      return name.startsWith("worker") && Number(count) > 0
    })
  })
  return measured.map(({ name }) => name)
}

async function readMetrics(address, token) {
  const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } })
  const text = await response.text()
  if (!response.ok || !text.includes("gateway_queue_depth")) {
    throw new Complaint(`GET ${address} answered ${response.status}:\n${text}`)
  }
  return text
}

async function isOnReplica({ addresses }, transaction_id) {
  return connected(addresses.replica, async (client) => {
    const { rows } = await client.query(
      "SELECT state, pg_is_in_recovery() AS follows FROM gateway_transaction WHERE id = $1",
      [transaction_id]
    )
    return rows[0]?.state === "SUCCESS" && rows[0].follows
  })
}

/** What PgBouncer says about its connections. */
async function pooled({ addresses }) {
  const database = new URL(addresses.pooled).pathname.slice(1)
  return connected(withDatabase(addresses.pooled, "pgbouncer"), async (client) => {
    const { rows } = await client.query("SHOW POOLS")
    const pool = rows.find((row) => row.database === database)
    const sum = (...columns) => columns.reduce((total, column) => total + Number(pool?.[column] ?? 0), 0)
    const [clients, servers] = [sum("cl_active", "cl_waiting"), sum("sv_active", "sv_idle", "sv_used", "sv_tested")]
    if (pool?.pool_mode !== "transaction" || clients === 0) {
      throw new Complaint(`PgBouncer does not pool transactions of ${database}: ${JSON.stringify(rows)}`)
    }
    return `PgBouncer: ${clients} connections of stores and workers share ${servers} of PostgreSQL's`
  })
}
