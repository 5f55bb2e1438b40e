import { randomBytes } from "node:crypto"
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import { Database } from "../../src/modules/gateway/kernel/database"
import { ApiKeyService } from "../../src/modules/gateway/merchants/api-keys"
import { MerchantService } from "../../src/modules/gateway/merchants/service"
import type { Cradle } from "../../src/modules/gateway/kernel/types"
import { call, type Answer } from "./api"
import { copyTemplate, dropDatabase } from "./database"
import { startServer, type ServerProcess } from "./server-process"

/**
 * The connection to the other deployment, which a test can disturb: `shut` breaks connections before a request arrives;
 * `cut` breaks those of the paths that contain it; `answerless` lets that many POSTs arrive and then breaks the
 * connection instead of answering; new checkouts wait until `holdCheckouts` is released. `remaining`, when set, is the
 * remaining quota of 100 in every answer. `asked` are the requested paths.
 */
export class Way {
  shut = false
  cut: string | null = null
  answerless = 0
  readonly asked: string[] = []
  remaining: number | null = null
  url = ""
  #held: Promise<void> = Promise.resolve()
  readonly #server: Server

  /** Returns the function that releases the checkouts. */
  holdCheckouts(): () => void {
    let release = () => {}
    this.#held = new Promise((done) => (release = done))
    return release
  }

  constructor(target: string) {
    const { hostname, port } = new URL(target)
    this.#server = createServer(async (incoming, outgoing) => {
      this.asked.push(incoming.url ?? "")
      if (incoming.url?.endsWith("/payments/checkout")) {
        await this.#held
      }
      if (this.shut || (this.cut !== null && incoming.url?.includes(this.cut))) {
        incoming.socket.destroy()
        return
      }
      const { method, url: path, headers } = incoming
      const onward = httpRequest({ hostname, port, method, path, headers }, (answer) => {
        if (this.answerless > 0 && method === "POST") {
          this.answerless -= 1
          answer.resume()
          answer.on("end", () => outgoing.destroy())
          return
        }
        const quota = this.remaining === null ? {} : quotaHeaders(this.remaining)
        outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...quota })
        answer.pipe(outgoing)
      })
      onward.on("error", () => outgoing.destroy())
      incoming.pipe(onward)
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, "localhost", done))
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}

function quotaHeaders(remaining: number): Record<string, string> {
  const reset = Math.ceil(Date.now() / 1_000) + 60
  return { "x-ratelimit-limit": "100", "x-ratelimit-remaining": String(remaining), "x-ratelimit-reset": String(reset) }
}

/** A gateway in a deployment of its own, with its own database and worker, and a merchant there. */
export class OtherDeployment {
  db!: Knex
  key = ""
  way!: Way
  /**
   * Whether the next payments are announced to the shop. Medusa handles a delivery five seconds after it came, in the
   * middle of whatever a test does then: only tests about deliveries switch this on.
   */
  announces = false
  #server!: ServerProcess
  readonly #databaseName = `other_${randomBytes(6).toString("hex")}`

  async start(): Promise<void> {
    const databaseUrl = await copyTemplate(this.#databaseName)
    this.db = knex({ client: "pg", connection: databaseUrl, pool: { min: 0, max: 2 } })
    const cradle = { database: new Database(this.db) } as Cradle
    const { id } = await new MerchantService(cradle).create({ name: "The shop over there" })
    this.key = (await new ApiKeyService(cradle).create({ merchant_id: id, environment: "sandbox", name: "shop" })).key
    // A file's tests send more in a minute than a merchant may; those about the quota change what answers say of it.
    await this.db("gateway_merchant_environment").where({ merchant_id: id }).update({ rate_limit_requests: 100_000 })
    this.#server = await startServer(databaseUrl, {})
    this.way = new Way(this.#server.url)
    await this.way.listen()
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return call(this.#server.url, method, path, body, { key: this.key })
  }

  /** Registers an endpoint for the payments' events; returns its secret. */
  async register(endpoint_url: string): Promise<string> {
    const event_types = ["payment.succeeded", "payment.failed", "payment.cancelled", "payment.expired"]
    const { body } = await this.call("POST", "/merchants/webhooks", { endpoint_url, event_types })
    return (body.data as unknown as { secret: string }).secret
  }

  async ipnSecret(): Promise<string> {
    return ((await this.call("GET", "/merchants/ipn-secret")).body.data as unknown as { secret: string }).secret
  }

  /** Pays as the shopper on the other deployment's hosted page. */
  async pay(session_id: string, card_number = "4242424242424242"): Promise<Answer> {
    await this.db("gateway_webhook_endpoint").update({ is_active: this.announces })
    if (!this.announces) {
      await this.db("gateway_checkout_session").update({ ipn_url: null })
    }
    return this.call("POST", `/sandbox/sessions/${session_id}/pay`, { payment_method: "card", card_number })
  }

  async cancel(session_id: string): Promise<Answer> {
    return this.call("POST", `/sandbox/sessions/${session_id}/cancel`)
  }

  sessionsOf(order_id: string): Promise<Record<string, unknown>[]> {
    return this.db("gateway_checkout_session").where({ order_id })
  }

  refundsOf(transaction_id: string): Promise<{ state: string; amount_minor: number }[]> {
    return this.db("gateway_refund").where({ transaction_id }).orderBy("created_at").select("state", "amount_minor")
  }

  async close(): Promise<void> {
    await this.way?.close()
    await this.#server?.kill("SIGKILL")
    await this.db?.destroy()
    await dropDatabase(this.#databaseName)
  }
}
