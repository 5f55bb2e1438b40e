/*
 * npm run bench -- webhooks          delivery of webhooks beside BullMQ (docs/benchmarks.md explains it)
 *   --quick                          half a minute, to see that it works: its figures mean nothing
 *   --rounds 5                       how many, interleaved
 *   --deliveries 20000               of each in a round's backlog
 *   --rate 100  --seconds 5          events a second, and how long, where latency is measured
 *   --concurrency 128                of BullMQ's worker
 *   --only gateway                   or bullmq, hanging
 *   --json <file>                    the figures, round by round
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { bundle } from "../../scripts/lib/bundle.mjs"
import { Complaint, ROOT, say } from "../../scripts/lib/console.mjs"
import { buildDispatcher, startDispatcher } from "../../scripts/lib/dispatchers.mjs"
import { inFrame, wholeNumbers } from "./frame.mjs"
import { startProcess } from "./processes.mjs"
import { machine } from "./report.mjs"
import { quantile, report } from "./webhooks/report.mjs"
import { startRedis } from "./webhooks/redis.mjs"

const FULL = { rounds: 5, deliveries: 20_000, rate: 100, seconds: 5, concurrency: 128 }
const QUICK = { rounds: 1, deliveries: 1_000, rate: 50, seconds: 1, concurrency: 128 }
const ENDPOINTS = 100
/** Of the endpoints, one in this many hangs. */
const HANGING = 10
const BATCH = 1_000
const LONGEST_SILENCE_MS = 60_000

function readOptions(args) {
  const numbers = Object.fromEntries(Object.keys(FULL).map((name) => [name, { type: "string" }]))
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      json: { type: "string" },
      ...numbers,
    },
  })
  const only = values.only?.split(",") ?? ["gateway", "bullmq", "hanging"]
  return { ...wholeNumbers(values, values.quick ? QUICK : FULL), only, json: values.json }
}

/**
 * Starts PostgreSQL, Redis, the receiver, both workers, and the event writer. `running` is stopped in reverse order.
 */
async function prepare(home, options, running) {
  const { startOwnServer } = await import("../../scripts/lib/test-server.mjs")
  say("starting PostgreSQL, with everything forced to disk as in production, and Redis ...")
  const postgres = await startOwnServer()
  running.push(postgres.remove)
  const redis = await startRedis(home)
  running.push(redis.stop)
  const receiver = startProcess("./webhooks/receiver.mjs", { cwd: ROOT, log: join(home, "receiver.log") })
  running.push(receiver.stop)
  const { url } = await receiver.ready
  const file = bundle(join(ROOT, "lab/bench/webhooks/emitter.ts"))
  running.push(() => rmSync(dirname(file), { recursive: true, force: true }))
  const { BenchEmitter } = createRequire(import.meta.url)(file)
  const emitter = new BenchEmitter(postgres.url, redis)
  running.push(() => emitter.close())
  await emitter.prepare()
  const workers = await startWorkers(home, options, { postgres, redis, running })
  const urls = (kind) => Array.from({ length: ENDPOINTS }, (_, index) => `${url}/${kind}-${index}`)
  const hanging = (kind) => urls(kind).map((one, index) => (index < HANGING ? one.replace(kind, `hang-${kind}`) : one))
  const targets = {
    gateway: await emitter.targets(urls("gateway"), true),
    bullmq: await emitter.targets(urls("bullmq"), false),
    some_hang: (round) => emitter.targets(hanging(`round-${round}`), true),
  }
  return { emitter, receiver, targets, workers, last: 0 }
}

async function startWorkers(home, { only, concurrency }, { postgres, redis, running }) {
  const workers = {}
  if (only.includes("gateway") || only.includes("hanging")) {
    const file = buildDispatcher()
    running.push(() => rmSync(dirname(file), { recursive: true, force: true }))
    const dispatcher = await startDispatcher(file, postgres.url)
    running.push(() => dispatcher.kill("SIGTERM"))
    workers.gateway = dispatcher.pid
  }
  if (only.includes("bullmq")) {
    const file = bundle(join(ROOT, "lab/bench/webhooks/bullmq-process.ts"))
    running.push(() => rmSync(dirname(file), { recursive: true, force: true }))
    const env = {
      DATABASE_URL: postgres.url,
      REDIS_HOST: redis.host,
      REDIS_PORT: String(redis.port),
      CONCURRENCY: String(concurrency),
    }
    const worker = startProcess(file, { cwd: ROOT, env, log: join(home, "bullmq.log") })
    running.push(worker.stop)
    await worker.ready
    workers.bullmq = worker.pid
  }
  return workers
}

const numbers = (parts, count) => Array.from({ length: count }, () => (parts.last += 1))

/** Waits until this many have arrived; returns `[[number, milliseconds], ...]`. */
async function arrived({ receiver }, count) {
  for (let had = 0, since = Date.now(); ; await sleep(20)) {
    const has = await receiver.ask("count")
    if (has >= count) {
      return receiver.ask("take")
    }
    if (has > had) {
      had = has
      since = Date.now()
    } else if (Date.now() - since > LONGEST_SILENCE_MS) {
      throw new Complaint(`${has} of ${count} deliveries have arrived, and no other has for a minute.`)
    }
  }
}

/** Writes a backlog in steps of a thousand while it is being delivered: deliveries per second. */
async function throughput(parts, kind, { deliveries }) {
  const before = cpuMs(parts.workers[kind])
  for (let left = deliveries; left > 0; left -= BATCH) {
    await parts.emitter[kind](parts.targets[kind], numbers(parts, Math.min(BATCH, left)))
  }
  const times = (await arrived(parts, deliveries)).map(([, at]) => at)
  await parts.emitter.allRecorded(kind)
  const per_second = (deliveries - 1) / ((Math.max(...times) - Math.min(...times)) / 1_000)
  const after = cpuMs(parts.workers[kind])
  return { per_second, worker_cpu_ms: before === null || after === null ? null : (after - before) / deliveries }
}

/** The user and system CPU time of a process; null where the operating system does not report it. */
function cpuMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

/**
 * Single events at a steady rate: milliseconds from the acknowledged COMMIT to the request, for those that are
 * answered.
 */
async function latencies(parts, kind, targets, { rate, seconds }) {
  const committed = new Map()
  const emitting = []
  const started = performance.now()
  const all = numbers(parts, rate * seconds)
  for (const [index, number] of all.entries()) {
    await sleep(Math.max(0, started + (index * 1_000) / rate - performance.now()))
    emitting.push(parts.emitter[kind](targets, [number]).then((at) => committed.set(number, at)))
  }
  await Promise.all(emitting)
  const answered = all.filter((number) => !targets[number % targets.length].url.includes("/hang"))
  const times = (await arrived(parts, answered.length)).map(([number, at]) => at - committed.get(number))
  return { p50_ms: quantile(times, 0.5), p99_ms: quantile(times, 0.99) }
}

async function rounds(parts, options) {
  const figures = { gateway: [], bullmq: [], undisturbed: [], disturbed: [] }
  const pairs = ["gateway", "bullmq"].filter((kind) => options.only.includes(kind))
  for (const kind of pairs) {
    say(`warming up ${kind}`)
    await throughput(parts, kind, { deliveries: Math.ceil(options.deliveries / 4) })
  }
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds}`)
    for (const kind of round % 2 ? pairs : [...pairs].reverse()) {
      const rate = await throughput(parts, kind, options)
      figures[kind].push({ ...rate, ...(await latencies(parts, kind, parts.targets[kind], options)) })
    }
    if (options.only.includes("hanging")) {
      figures.undisturbed.push(await latencies(parts, "gateway", parts.targets.gateway, options))
      figures.disturbed.push(await latencies(parts, "gateway", await parts.targets.some_hang(round), options))
      await parts.receiver.ask("release")
    }
  }
  return figures
}

/** Runs the whole benchmark; returns the process's exit code. */
export async function benchWebhooks(args) {
  const options = readOptions(args)
  return inFrame(async (home, running) => {
    const figures = await rounds(await prepare(home, options, running), options)
    process.stdout.write(`${report(figures)}\n`)
    if (options.json) {
      writeFileSync(resolve(options.json), `${JSON.stringify({ machine: machine(), options, figures }, null, 2)}\n`)
    }
    return 0
  })
}
