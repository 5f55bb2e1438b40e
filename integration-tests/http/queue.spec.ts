import { newMerchant, type ApiMerchant } from "../support/api"
import { crashedPayment } from "../support/crashed-payment"
import { freePort } from "../support/ports"
import { useStore } from "../support/store"
import { METRICS_TOKEN } from "../support/store-options"
import { until } from "../support/until"

const store = useStore()

const row = (id: string) => store.db("gateway_transaction").where({ id }).first()
const types = async (owner: ApiMerchant, id: string) => (await owner.events(id)).map(({ event_type }) => event_type)
const crashed = (owner: ApiMerchant, asked: boolean, changes?: Record<string, unknown>) =>
  crashedPayment(store, owner, asked, changes)

describe("design: Background work — the queue runs the jobs", () => {
  const jobs = ["expire-sessions", "reconcile-payments", "reconcile-refunds", "purge-idempotency-keys", "purge-sandbox"]

  it("a worker process knows every schedule, and a job does what its service does", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await owner.open()
    const lost = await crashed(owner, true)
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id, environment: "sandbox" })
      .update({ clock_offset_seconds: 1_800 })
    const port = await freePort()
    const watched = { GATEWAY_WORKER_PORT: String(port), GATEWAY_METRICS_TOKEN: METRICS_TOKEN }
    const server = await store.startServerProcess({ env: { MEDUSA_WORKER_MODE: "worker", ...watched } })
    const { rows } = await store.db.raw("SELECT identifier FROM graphile_worker._private_known_crontabs")
    expect(rows.map(({ identifier }: { identifier: string }) => identifier)).toEqual(expect.arrayContaining(jobs))
    for (const job of jobs) {
      await store.db.raw("SELECT graphile_worker.add_job(?)", [job])
    }
    const ended = async () => [(await row(transaction_id)).state, (await row(lost.transaction_id)).state]
    await until("the worker has ended both payments", async () =>
      (await ended()).every((state) => state !== "OPEN" && state !== "PROCESSING")
    )
    expect(await ended()).toEqual(["EXPIRED", "SUCCESS"])
    expect([await types(owner, transaction_id), await types(owner, lost.transaction_id)]).toEqual([
      ["payment.expired"],
      ["payment.succeeded"],
    ])
    // docs/decisions/30: what a worker counts can be read, although Medusa loads no routes there.
    const metrics = await fetch(`http://localhost:${port}/gateway/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    expect(await metrics.text()).toContain('gateway_amount_mismatches_total{kind="payment"} 0\n')
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200)
    await server.kill("SIGTERM")
  })
})
