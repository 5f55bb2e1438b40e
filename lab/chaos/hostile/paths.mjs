import { setTimeout as sleep } from "node:timers/promises"
import { residentBytes } from "../../../scripts/lib/process-state.mjs"
import { heldTolerance, megabytes, MemoryWatch, RESIDENT_FROM, residentTolerance } from "./memory.mjs"
import { faultsOf } from "./oracle.mjs"
import { curlOf } from "./curl.mjs"
import { requestBytes, Wire } from "./wire.mjs"

const CONNECTIONS = 48
const PROGRESS_MS = 5_000
const WARM_UP = 0.25
const METHODS = ["GET", "GET", "GET", "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"]

const long = (random, letter) => letter.repeat(random.between(4_000, 7_500))

/** Ours and Medusa's, known and unknown, each with something in it that was never there before. */
const SHAPES = [
  (random) => `/api/v2/payments/verify/txn${random.hex(32)}`,
  (random) => `/api/v2/payments/refund/${random.hex(16)}`,
  (random) => `/api/v2/${random.hex(12)}`,
  (random) => `/sandbox/api/v2/payments/verify/txn${random.hex(32)}`,
  (random) => `/pay/ses_${random.hex(32)}`,
  (random) => `/pay/invoice/inp_${random.hex(32)}`,
  (random) => `/pay/${random.hex(16)}/${random.hex(8)}`,
  (random) => `/gateway/return?transaction_id=txn${random.hex(32)}`,
  (random) => `/gateway/${random.hex(16)}`,
  (random) => `/hooks/payment/${random.hex(16)}`,
  (random) => `/store/gateway/status/${random.hex(16)}`,
  (random) => `/store/products/${random.hex(16)}`,
  (random) => `/admin/gateway/payments/${random.hex(16)}`,
  (random) => `/admin/gateway/${random.hex(16)}`,
  (random) => `/auth/${random.hex(8)}/${random.hex(8)}`,
  (random) => `/${random.hex(16)}`,
  (random) => `/${Array.from({ length: random.between(5, 100) }, () => random.hex(6)).join("/")}`,
  (random) => `/api/v2/payments/verify/%${random.pick(["ff", "00", "c0"])}${random.hex(20)}`,
]
/** The same where a long path costs most: half of all. */
const LONG_SHAPES = [
  (random) => `/api/v2/payments/verify/${long(random, "a")}${random.hex(16)}`,
  (random) => `/store/${long(random, "b")}${random.hex(16)}`,
  (random) => `/admin/${long(random, "c")}${random.hex(16)}`,
  (random) => `/pay/${long(random, "e")}${random.hex(16)}`,
  (random) => `/hooks/payment/${long(random, "f")}${random.hex(16)}`,
  (random) => `/gateway/${long(random, "g")}${random.hex(16)}`,
  (random) => `/store/gateway/status/${long(random, "h")}${random.hex(16)}`,
  (random) => `/${long(random, "d")}/${random.hex(16)}`,
]

/** `counts.paths` anonymous requests, no two with the same path: what a store keeps of them has a limit. */
export async function paths({ store, counts, random, report, say, heap }) {
  const run = { sent: 0, done: 0, warm: null, startedAt: performance.now(), statuses: {} }
  const watch = new MemoryWatch(store.pid)
  const drive = async (own) => {
    const wire = new Wire({ port: store.port })
    while (run.sent < counts.paths && store.isRunning()) {
      run.sent += 1
      const request = requestOf(own)
      const answer = await wire.send(request.bytes, { method: request.method })
      run.done += 1
      const status = answer.fault ?? answer.status
      run.statuses[status] = (run.statuses[status] ?? 0) + 1
      faultsOf(request, answer).forEach((what) =>
        report({
          what: `${what} at a path that is not there`,
          detail: request.target.slice(0, 200),
          curl: curlOf(request, store.url),
        })
      )
      if (run.warm === null && run.done >= counts.paths * WARM_UP) {
        run.warm = 0
        run.warm = await heap.held(store.pid)
      }
    }
    wire.close()
  }
  const rate = () => Math.round(run.done / ((performance.now() - run.startedAt) / 1_000))
  const timer = setInterval(
    () =>
      say(
        `${run.done}/${counts.paths}, ${rate()}/s, RSS ${megabytes(residentBytes(store.pid) ?? 0)}, ${JSON.stringify(run.statuses)}`
      ),
    PROGRESS_MS
  )
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => drive(random.fork(`connection ${at}`)))).finally(
    () => clearInterval(timer)
  )
  const per_second = rate()
  const { second, last } = watch.stop()
  if (!store.isRunning()) {
    return { paths: run.done }
  }
  await sleep(2_000)
  const held = await heap.held(store.pid)
  say(
    `kept after a collection: ${megabytes(run.warm)} when warm, ${megabytes(held)} at the end; RSS ${megabytes(second)} → ${megabytes(last)}`
  )
  if (held - run.warm > heldTolerance(counts.paths)) {
    report({
      what: `memory: ${megabytes(held - run.warm)} more are kept after ${run.done} distinct paths`,
      detail: `tolerance ${megabytes(heldTolerance(counts.paths))}`,
    })
  }
  if (counts.paths >= RESIDENT_FROM && last - second > residentTolerance({ second })) {
    report({
      what: `memory: RSS grew from ${megabytes(second)} to ${megabytes(last)}`,
      detail: `tolerance ${megabytes(residentTolerance({ second }))}`,
    })
  }
  return { paths: run.done, per_second, by_status: run.statuses }
}

function requestOf(random) {
  const method = random.pick(METHODS)
  const target = random.pick(random.chance(0.5) ? LONG_SHAPES : SHAPES)(random)
  const headers = { Host: "localhost", ...(["POST", "PUT", "PATCH"].includes(method) ? { "Content-Length": 0 } : {}) }
  const isApi = /^\/api\/v2\//.test(target)
  return {
    surface: isApi ? "api" : "open",
    method,
    target,
    path: target.replace("/api/v2", "").split("?")[0],
    headers,
    bytes: requestBytes({ method, target, headers }),
  }
}
