import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { developmentKey } from "../../src/modules/gateway/kernel/database/encryption-keys"
import { SEALED, type SealedColumn } from "../../src/modules/gateway/kernel/database/sealed-columns"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { SecretBox } from "../../src/modules/gateway/kernel/database/secret-box"
import { SecretRotationService, type RotatedColumn } from "../../src/modules/gateway/merchants/secret-rotation"
import { DatabaseTokens } from "../../src/modules/gateway/acquirers/tokens"
import { InstrumentService } from "../../src/modules/gateway/saved-methods/instruments"
import { CORE_TASKS } from "../../src/modules/gateway/worker/tasks"
import { verifyWebhook } from "../../src/webhooks"
import { gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { expectLoggedErrors } from "../support/logged-errors"
import { useReceiver } from "../support/receiver"
import { rowsWith, tokenOf } from "../support/secrets"
import { ROOT, useStore } from "../support/store"
import { clockTo, DAY, Subscriber } from "../support/subscriptions"

expectLoggedErrors(
  /delivery .* cannot be signed: .* (is not encrypted|does not decrypt)/,
  /subscription .* cannot be charged: .* is not encrypted/
)

const store = useStore({ prepare: prepareAdmin })
const receiver = useReceiver()
const WEBHOOKS = "/merchants/webhooks"
const COLUMNS: SealedColumn[] = Object.values(SEALED)

interface Endpoint {
  id: number
  uuid: string
  secret: string
}

const endpointOf = (answer: Answer) => answer.body.data as unknown as Endpoint
const rowOf = ({ uuid }: { uuid: string }) => store.db("gateway_webhook_endpoint").where({ uuid }).first()
const environmentOf = (owner: ApiMerchant) =>
  store.db("gateway_merchant_environment").where({ merchant_id: owner.id, environment: "sandbox" }).first()
const once = (name: string) => ({ headers: { "Idempotency-Key": name } })

async function register(owner: ApiMerchant, path = "/hook", options = {}): Promise<Endpoint> {
  const answer = await owner.call(
    "POST",
    WEBHOOKS,
    { endpoint_url: `${receiver.url}${path}`, event_types: ["*"] },
    options
  )
  expect(answer.status).toBe(201)
  return endpointOf(answer)
}

async function paid(owner: ApiMerchant, changes: Record<string, unknown> = {}) {
  const session = await owner.open(changes)
  await owner.pay(session.session_id)
  return session
}

/** An account at acquirers, switched off so that this merchant's payments stay in the sandbox, and its access token. */
async function accountAt(owner: ApiMerchant): Promise<{ webhook_secret: string; token: string }> {
  const tenant = { merchant_id: owner.id, environment: "sandbox" } as const
  const webhook_secret = `whsec_${randomBytes(30).toString("hex")}`
  const credentials = { secret_key: `sk_test_${randomBytes(20).toString("hex")}`, webhook_secret }
  await gatewayOf(store).acquirerAccounts.save(tenant, "stripe", { credentials, is_active: false })
  const secretBox = secretBoxOf(gatewayOf(store).options)
  const tokens = new DatabaseTokens(new Database(store.db), secretBox, `${owner.id}:sandbox:bkash:x`)
  const random = `sbt_${randomBytes(30).toString("hex")}`
  const expires_at = new Date(Date.now() + 3_600_000)
  const token = await tokens.get(async () => ({ token: random, refresh_token: `${random}r`, expires_at }))
  return { webhook_secret, token }
}

describe("decisions: secrets are encrypted at rest — what lies in the database", () => {
  it("no issued secret and no kept token is in any column of any table, and all keep working", async () => {
    const owner = await newMerchant(store)
    const admin = new Admin(store, await signIn(store), owner.id)
    const issued: string[] = []
    const issue = (secret: string) => (issued.push(secret), secret)
    const endpoint = await register(owner, "/hook", once("register"))
    issue(endpoint.secret)
    const current = issue(
      endpointOf(await owner.call("POST", `${WEBHOOKS}/${endpoint.id}/rotate-secret`, {}, once("rotate"))).secret
    )
    issue(endpointOf(await owner.call("GET", "/merchants/ipn-secret")).secret)
    const ipn = issue(endpointOf(await owner.call("POST", "/merchants/ipn-secret/rotate", {}, once("ipn"))).secret)
    issue((await register(owner, "/other")).secret)
    const made = await admin.post("/webhooks", { endpoint_url: `${receiver.url}/admin`, event_types: ["*"] })
    issue((made.body as unknown as Endpoint).secret)

    const subscriber = await Subscriber.create(owner)
    await subscriber.pay({ payment_method: "card", card_number: "4242424242424242" })
    const instrument = await store.db("gateway_instrument").where({ merchant_id: owner.id }).first()
    issue(tokenOf(store, instrument))
    const { transaction_id } = await paid(owner, {
      ipn_url: `${receiver.url}/ipn`,
      payment_info: { is_recurring: true },
    })
    const kept = (await store.db("gateway_transaction").where({ id: transaction_id }).first()).kept_instrument.token
    issue(secretBoxOf(gatewayOf(store).options).open(kept, SEALED.keptToken, transaction_id))

    const account = await accountAt(owner)
    issue(account.webhook_secret)
    issue(account.token)

    expect((await owner.advance(1)).status).toBe(200)
    const [delivered] = receiver.at("/hook")
    expect(verifyWebhook(delivered.raw, delivered.headers, current)).toBe(true)
    const [notified] = receiver.at("/ipn")
    expect(verifyWebhook(notified.raw, notified.headers, ipn)).toBe(true)
    expect(
      (await admin.post("/test-deliveries", { event: "refund.completed", webhook_id: endpoint.uuid })).body
        .test_delivery.delivered
    ).toBe(true)
    await clockTo(owner, new Date(Date.now() + 32 * DAY * 1_000).toISOString())
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS"])

    expect(issued.every((secret) => /^(whsec|sbt)_.{36,}/.test(secret))).toBe(true)
    const bare = issued.map((secret) => secret.slice(secret.indexOf("_") + 1))
    expect(await rowsWith(store, bare)).toEqual([])
    // Proves that the search finds what exists.
    expect((await rowsWith(store, [`${receiver.url}/admin`])).length).toBeGreaterThan(0)
  })

  it("decisions: Idempotency — an answer with a secret is replayed to the byte, from a row that does not show it", async () => {
    const owner = await newMerchant(store)
    const body = { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }
    const first = await owner.call("POST", WEBHOOKS, body, once("register"))
    const { id } = endpointOf(first)
    const requests = [
      () => owner.call("POST", WEBHOOKS, body, once("register")),
      () => owner.call("POST", `${WEBHOOKS}/${id}/rotate-secret`, {}, once("rotate")),
      () => owner.call("POST", "/merchants/ipn-secret/rotate", {}, once("ipn")),
    ]
    const answers = [first, await requests[1](), await requests[2]()]
    for (const [index, request] of requests.entries()) {
      const again = await request()
      expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([
        answers[index].status,
        answers[index].text,
        "true",
      ])
    }
    const stored = await store.db("gateway_idempotency_key").where({ merchant_id: owner.id }).select("body")
    expect(stored.map((row) => row.body.slice(0, 13))).toEqual(Array(3).fill("enc:v1:tests:"))
  })

  it("every column whose name suggests a secret is encrypted, hashed, or known to grant nothing", async () => {
    const { rows } = await store.db.raw<{ rows: { name: string }[] }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_name LIKE 'gateway\\_%' AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I', table_name)::regclass)
         AND column_name ~ 'secret|token|password|hash|credential|kept|(^|_)key$' ORDER BY 1`
    )
    const harmless = /\.(lock_token|lease_token|trial_ending_notified)$/
    const known = [
      ...COLUMNS.map(({ table, column }) => `${table}.${column}`),
      // Keyed, and over after ten minutes.
      "gateway_cash_code.code_hash",
      // Hashes of random secrets; the last part of a link that is sent by e-mail; what identifies requests, payments,
      // lines of files and receivers.
      "gateway_api_key.key_hash",
      "gateway_invoice.pay_token",
      "gateway_payment_link.token",
      "gateway_portal_session.token_hash",
      "gateway_idempotency_key.key",
      "gateway_sandbox_operation.key",
      "gateway_settlement_line.key",
      "gateway_sandbox_operation.charge_key",
      "gateway_customer.email_key",
      "gateway_invoice.customer_email_key",
      "gateway_subscription.customer_email_key",
      "gateway_payment_attempt.return_key",
      "gateway_capture.request_key",
      "gateway_cash_collection.request_key",
      "gateway_refund.request_key",
      "gateway_webhook_delivery.receiver_key",
    ]
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name) && !harmless.test(name))).toEqual([])
    const named = await Promise.all(COLUMNS.map(({ table, column }) => store.db.schema.hasColumn(table, column)))
    expect(named).toEqual(COLUMNS.map(() => true))
  })

  it("a secret that was copied from another endpoint, column or merchant signs nothing: the attempt fails and says so", async () => {
    const owner = await newMerchant(store)
    const [from, to] = [await register(owner, "/from"), await register(owner, "/to")]
    await store
      .db("gateway_webhook_endpoint")
      .where({ uuid: to.uuid })
      .update({ secret: (await rowOf(from)).secret })
    await paid(owner)
    await owner.advance(1)
    expect([receiver.at("/from").length, receiver.at("/to").length]).toEqual([1, 0])
    const answer = await owner.call("GET", `/webhooks/deliveries?endpoint_id=${to.id}`)
    expect(answer.body.data).toMatchObject([
      { status: "pending", attempts: 1, error: "The gateway cannot read the secret to sign with" },
    ])
    const { secret } = endpointOf(await owner.call("POST", `${WEBHOOKS}/${to.id}/rotate-secret`))
    await owner.advance(90)
    const [got] = receiver.at("/to")
    expect(verifyWebhook(got.raw, got.headers, secret)).toBe(true)
  })
})

describe("decisions: secrets are encrypted at rest — what is deleted is erased at once", () => {
  it("a deleted endpoint's secrets, current and previous, and the database lets none come back", async () => {
    const owner = await newMerchant(store)
    const endpoint = await register(owner)
    await owner.call("POST", `${WEBHOOKS}/${endpoint.id}/rotate-secret`)
    expect((await owner.call("DELETE", `${WEBHOOKS}/${endpoint.id}`)).status).toBe(200)
    expect(await rowOf(endpoint)).toMatchObject({ secret: null, previous_secrets: null })
    const back = store.db("gateway_webhook_endpoint").where({ uuid: endpoint.uuid }).update({ secret: "whsec_back" })
    await expect(back).rejects.toThrow(/gateway_webhook_endpoint_secrets/)
  })

  it("rotated secrets, each once it no longer signs deliveries", async () => {
    const owner = await newMerchant(store)
    const endpoint = await register(owner)
    await owner.call("POST", `${WEBHOOKS}/${endpoint.id}/rotate-secret`)
    await owner.call("GET", "/merchants/ipn-secret")
    await owner.call("POST", "/merchants/ipn-secret/rotate")
    const erase = () => CORE_TASKS["erase-rotated-secrets"](gatewayOf(store))
    const previous = async () => [
      (await rowOf(endpoint)).previous_secrets,
      (await environmentOf(owner)).previous_ipn_secrets,
    ]
    await owner.advance(DAY - 60)
    await owner.call("POST", `${WEBHOOKS}/${endpoint.id}/rotate-secret`)
    await owner.call("POST", "/merchants/ipn-secret/rotate")
    const two = await previous()
    await erase()
    expect(two).toEqual([expect.stringMatching(/^enc:/), expect.stringMatching(/^enc:/)])
    expect(await previous()).toEqual(two)
    await owner.advance(120)
    await erase()
    const one = await previous()
    expect(one).toEqual([expect.stringMatching(/^enc:/), expect.stringMatching(/^enc:/)])
    expect(one.map((list, at) => list.length < two[at].length)).toEqual([true, true])
    await owner.advance(DAY)
    await erase()
    expect(await previous()).toEqual([null, null])
    expect((await rowOf(endpoint)).secret).toMatch(/^enc:/)
  })

  const instrumentOf = async ({ uuid }: Subscriber) => {
    const { instrument_id } = await store.db("gateway_subscription").where({ uuid }).first()
    return store.db("gateway_instrument").where({ id: instrument_id }).first()
  }
  const cancel = (subscriber: Subscriber) => subscriber.call("POST", "/cancel", { cancel_at_period_end: false })

  it("an instrument's token with the last subscription that it was kept for; what may be shown of it stays", async () => {
    const owner = await newMerchant(store)
    const first = await Subscriber.create(owner)
    const { customer_id } = await first.get()
    const second = await Subscriber.create(owner, { customer: undefined, customer_id })
    await Promise.all([first.pay(), second.pay()])
    const { id } = await instrumentOf(first)
    await store.db("gateway_subscription").where({ uuid: second.uuid }).update({ instrument_id: id })
    await cancel(first)
    await owner.advance(60)
    expect(await first.status()).toBe("EXPIRED")
    expect(await instrumentOf(first)).toMatchObject({ id, token: expect.stringMatching(/^enc:/) })
    await cancel(second)
    await owner.advance(60)
    expect(await instrumentOf(second)).toMatchObject({ id, token: null, method: "card", service: "CARD" })
  })

  it("the token of an instrument that another one has replaced; the subscription is charged with the new one", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay({ payment_method: "card", card_number: "4242424242424242" })
    const old = await instrumentOf(subscriber)
    await subscriber.pay({ payment_method: "card", card_number: "5555555555554444" })
    const current = await instrumentOf(subscriber)
    expect([current.last_four, current.token?.slice(0, 4)]).toEqual(["4444", "enc:"])
    expect(await store.db("gateway_instrument").where({ id: old.id }).first()).toMatchObject({
      token: null,
      last_four: "4242",
    })
    await clockTo(owner, new Date(Date.now() + 65 * DAY * 1_000).toISOString())
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"])
  })

  it("a payment's own copy of the token, once the instrument is kept or the money has gone back", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const ofSubscription = await subscriber.pay()
    const recurring = await paid(owner, { payment_info: { is_recurring: true } })
    const kept = async ({ transaction_id }: { transaction_id: string }) =>
      (await store.db("gateway_transaction").where({ id: transaction_id }).first()).kept_instrument
    const { transaction_id } = await store
      .db("gateway_transaction")
      .where({ session_id: ofSubscription.session_id })
      .first("id as transaction_id")
    expect(await kept({ transaction_id })).toBeNull()
    expect(await kept(recurring)).toMatchObject({ token: expect.stringMatching(/^enc:/) })
    await owner.call("POST", "/payments/refund", {
      transaction_id: recurring.transaction_id,
      refund_reason: "returned",
    })
    expect(await owner.verified(recurring.transaction_id)).toMatchObject({ status: "REFUNDED" })
    expect(await kept(recurring)).toBeNull()
  })

  it("a token that a customer has on file already stays one instrument, however many payments bring it at once", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    const instrument = await instrumentOf(subscriber)
    const secretBox = secretBoxOf(gatewayOf(store).options)
    const { transaction_id } = await paid(owner)
    const token = secretBox.seal(tokenOf(store, instrument), SEALED.keptToken, transaction_id)
    const payment = { ...(await gatewayOf(store).transactions.byId(transaction_id)), kept_instrument: { token } }
    const keep = () =>
      new Database(store.db).transaction((sql) =>
        new InstrumentService({ secretBox }).keep(sql, instrument, payment, new Date())
      )
    expect(await Promise.all([keep(), keep(), keep()])).toEqual(Array(3).fill(instrument.id))
    expect(await store.db("gateway_instrument").where({ customer_id: instrument.customer_id })).toHaveLength(1)
  })
})

describe("decisions: secrets are encrypted at rest — rotate-secrets", () => {
  const own = () => gatewayOf(store).options.encryptionKeys ?? ""
  const rotate = (encryptionKeys: string) => {
    const gatewayOptions = { ...gatewayOf(store).options, encryptionKeys }
    return new SecretRotationService({ database: new Database(store.db), gatewayOptions } as never).run()
  }
  const sum = (columns: RotatedColumn[], member: "rotated" | "unreadable" | "left") =>
    columns.reduce((total, column) => total + column[member], 0)
  const allTexts = () =>
    Promise.all(
      COLUMNS.map(async ({ table, column, member }): Promise<string[]> => {
        const text = member === undefined ? column : `${column} ->> '${member}'`
        const { rows } = await store.db.raw<{ rows: { text: string }[] }>(
          `SELECT ${text} AS text FROM ${table} WHERE ${column} IS NOT NULL`
        )
        return rows.map((row) => row.text)
      })
    )

  /** The texts of an earlier key: the store reads what the development key has encrypted, and writes with its own. */
  const earlier = new SecretBox([developmentKey()])

  /** One row in each of the columns, and one endpoint whose secret an earlier key has encrypted. */
  async function prepared() {
    const owner = await newMerchant(store)
    const endpoint = await register(owner, "/hook", once("register"))
    await owner.call("POST", `${WEBHOOKS}/${endpoint.id}/rotate-secret`)
    await owner.call("GET", "/merchants/ipn-secret")
    await owner.call("POST", "/merchants/ipn-secret/rotate")
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    await paid(owner, { payment_info: { is_recurring: true } })
    await accountAt(owner)
    const old = await register(owner, "/old")
    await writeSecret(old, earlier.seal(old.secret, SEALED.endpointSecret, (await rowOf(old)).id))
    await paid(owner)
    return { owner, subscriber, old }
  }

  const writeSecret = ({ uuid }: Endpoint, secret: string) =>
    store.db("gateway_webhook_endpoint").where({ uuid }).update({ secret })

  it("everything is encrypted with the first key; again there is nothing to do; the old key is not needed any more", async () => {
    const { owner, subscriber, old } = await prepared()
    const next = `next:${randomBytes(32).toString("base64")}`
    const first = await rotate(`${next},${own()}`)
    expect(first.map(({ table, column, rotated }) => [`${table}.${column}`, rotated > 0])).toEqual(
      COLUMNS.map(({ table, column }) => [`${table}.${column}`, true])
    )
    expect([sum(first, "unreadable"), sum(first, "left")]).toEqual([0, 0])
    expect((await allTexts()).flat().filter((text) => !text.startsWith("enc:v1:next:"))).toEqual([])
    expect(sum(await rotate(`${next},${own()}`), "rotated")).toBe(0)
    // Back under the store's own key with the other one configured too: the store works.
    expect(sum(await rotate(`${own()},${next}`), "left")).toBe(0)
    expect(sum(await rotate(own()), "unreadable")).toBe(0)
    const replayed = await owner.call(
      "POST",
      WEBHOOKS,
      { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] },
      once("register")
    )
    expect(replayed.headers.get("idempotent-replayed")).toBe("true")
    await owner.advance(1)
    const [got] = receiver.at("/old")
    expect(verifyWebhook(got.raw, got.headers, old.secret)).toBe(true)
    await clockTo(owner, new Date(Date.now() + 32 * DAY * 1_000).toISOString())
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS"])
  })

  it("the program says what it did to each column, and ends well when nothing is left", async () => {
    const { old } = await prepared()
    const cli = join(ROOT, "node_modules/@medusajs/cli/cli.js")
    const child = spawn(process.execPath, [cli, "exec", "./src/scripts/rotate-secrets.ts"], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let printed = ""
    child.stdout.on("data", (chunk) => (printed += chunk))
    child.stderr.on("data", (chunk) => (printed += chunk))
    const code = await new Promise((done) => child.once("exit", done))
    expect([code, printed]).toEqual([
      0,
      expect.stringMatching(/gateway_webhook_endpoint\.secret: 1 encrypted anew, 0 left/),
    ])
    expect(printed).not.toMatch(/whsec_|enc:v1/)
    expect((await rowOf(old)).secret).toMatch(/^enc:v1:tests:/)
  })

  it("a text that is not encrypted is read by nobody: the error names its row, nothing is signed or charged with it, and it stays", async () => {
    const { owner, subscriber, old } = await prepared()
    const endpoint = await rowOf(old)
    const instrument = await store.db("gateway_instrument").where({ merchant_id: owner.id }).first()
    const writeToken = (token: string) => store.db("gateway_instrument").where({ id: instrument.id }).update({ token })
    await writeSecret(old, old.secret)
    await writeToken(tokenOf(store, instrument))
    const logged = jest.spyOn(store.container.resolve(ContainerRegistrationKeys.LOGGER), "error")
    await clockTo(owner, new Date(Date.now() + 32 * DAY * 1_000).toISOString())
    const errors = logged.mock.calls.map(([message]) => String(message))
    logged.mockRestore()
    expect(receiver.at("/old")).toEqual([])
    expect([await subscriber.status(), (await subscriber.history()).map(({ status }) => status)]).toEqual([
      "ACTIVE",
      ["SUCCESS"],
    ])
    const named = [
      `gateway_webhook_endpoint.secret of ${endpoint.id} holds a text that is not encrypted`,
      `gateway_instrument.token of ${instrument.id} holds a text that is not encrypted`,
    ]
    expect(named.map((sentence) => errors.some((message) => message.includes(sentence)))).toEqual([true, true])
    expect(errors.join()).not.toContain(old.secret)
    const columns = await rotate(own())
    const ofColumn = (table: string, column: string) =>
      columns.find((found) => found.table === table && found.column === column)
    expect(ofColumn("gateway_webhook_endpoint", "secret")).toMatchObject({ unreadable: 1, examples: [endpoint.id] })
    expect(ofColumn("gateway_instrument", "token")).toMatchObject({ unreadable: 1, examples: [instrument.id] })
    expect((await rowOf(old)).secret).toBe(old.secret)
    await writeSecret(old, endpoint.secret)
    await writeToken(instrument.token)
    expect(sum(await rotate(own()), "left")).toBe(0)
  })

  it("what no key decrypts is counted and named, and stays as it is", async () => {
    const { old } = await prepared()
    const [{ secret }, lost] = [await rowOf(old), "enc:v1:lost:AAAA"]
    await writeSecret(old, lost)
    const columns = await rotate(own())
    expect(columns[0]).toMatchObject({ column: "secret", unreadable: 1, left: 1, examples: [(await rowOf(old)).id] })
    expect((await rowOf(old)).secret).toBe(lost)
    await writeSecret(old, secret)
    expect(sum(await rotate(own()), "left")).toBe(0)
  })

  it("a row that changes while it is being rotated keeps its change", async () => {
    const { owner, old } = await prepared()
    const { id, secret } = await rowOf(old)
    const database = new Database(store.db)
    const others = secretBoxOf({
      ...gatewayOf(store).options,
      encryptionKeys: `other:${randomBytes(32).toString("base64")}`,
    })
    let changed = ""
    const racing = {
      query: async (text: string, values: unknown[]) => {
        if (text.startsWith("UPDATE gateway_webhook_endpoint") && changed === "") {
          changed = others.seal(old.secret, SEALED.endpointSecret, id)
          await writeSecret(old, changed)
        }
        return database.query(text, values)
      },
    }
    const service = new SecretRotationService({ database: racing, gatewayOptions: gatewayOf(store).options } as never)
    const columns = await service.run()
    expect((await rowOf(old)).secret).toBe(changed)
    expect(columns[0].left).toBe(1)
    await writeSecret(old, secret)
    expect(sum(await rotate(own()), "left")).toBe(0)
    expect((await owner.call("GET", `${WEBHOOKS}/${old.id}`)).status).toBe(200)
  })
})
