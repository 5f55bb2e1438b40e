import type { Acquirer, ChargeRequest } from "../../../src/modules/gateway/acquirers/port"
import { SandboxAcquirer } from "../../../src/modules/gateway/acquirers/sandbox"
import type GatewayModuleService from "../../../src/modules/gateway/service"
import { billSubscriptions } from "../../../src/modules/gateway/worker/tasks"
import { processServices } from "../../../integration-tests/support/services"

/*
 * The store's billing task in a process of its own, with an acquirer that answers at once and keeps no book: what
 * remains is the gateway's own work. On "run" it bills until nothing is due, and returns the time that took.
 */

const SAMPLE_MS = 100

/** Every charge succeeds at once. */
class InstantAcquirer extends SandboxAcquirer implements Acquirer {
  override async charge({ key, amount, currency }: ChargeRequest) {
    return { result: "done" as const, reference: `ref_${key}`, amount, currency }
  }
}

const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20)

async function run() {
  const { billing, database } = processServices(process.env.DATABASE_URL as string, (of) => new InstantAcquirer(of))
  await database.query("SELECT 1")
  const memory: number[] = []
  const sampling = setInterval(() => memory.push(megabytes()), SAMPLE_MS)
  const before = process.cpuUsage()
  const started = performance.now()
  await billSubscriptions({ billing } as unknown as GatewayModuleService)
  const seconds = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(before)
  clearInterval(sampling)
  // The first tenth is warm-up: memory counts as flat if it is flat from there on.
  const early = Math.max(...memory.slice(0, Math.ceil(memory.length / 10)))
  return { seconds, cpu_seconds: (user + system) / 1e6, memory_early_mb: early, memory_most_mb: Math.max(...memory) }
}

process.on("message", ({ id }: { id: number }) => {
  run().then(
    (answer) => process.send?.({ id, answer }),
    (error: Error) => process.send?.({ id, failed: error.stack })
  )
})
// Keeps the process running while it waits for a message.
process.channel?.ref()
process.send?.("ready")
