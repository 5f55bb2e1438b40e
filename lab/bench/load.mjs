/*
 * The load: a process of its own, so that its work is not counted as the server's. bench.mjs starts it and sends over
 * IPC `{ context }` once and `{ id, ask: "round", with: { url, scenario, connections, amount or seconds } }` for each
 * round.
 */
import autocannon from "autocannon"
import { SCENARIOS } from "./scenarios.mjs"

let context

/**
 * Sends each request as soon as a connection is free. A round by `amount` ends when all requests are answered, so that
 * all of the server's work is counted.
 */
async function round({ url, scenario, connections, amount, seconds }) {
  const { request } = SCENARIOS.find(({ name }) => name === scenario)
  const requests = [{ ...request(context), setupRequest: (previous) => ({ ...previous, ...request(context) }) }]
  const length = amount ? { amount } : { duration: seconds }
  const latencies = []
  const begin = performance.now()
  let end = begin
  const running = autocannon({ url, connections, requests, timeout: 30, ...length })
  running.on("response", (_client, _status, _bytes, milliseconds) => {
    latencies.push(milliseconds)
    end = performance.now()
  })
  const { errors, timeouts, non2xx } = await running
  latencies.sort((one, other) => one - other)
  const percentile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
  return {
    requests: latencies.length,
    failed: errors + timeouts + non2xx,
    seconds: (end - begin) / 1000,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }
}

// Keeps the process running between rounds, as long as its parent's channel is open.
process.channel.ref()
process.on("message", async ({ id, context: given, with: input }) => {
  if (given) {
    context = given
    return
  }
  try {
    process.send({ id, answer: await round(input) })
  } catch (error) {
    process.send({ id, failed: String(error?.stack ?? error) })
  }
})
