import { Complaint } from "../../scripts/lib/console.mjs"
import { RATIOS, SCENARIOS } from "./scenarios.mjs"

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** One round: the load's figures, and the server's CPU time (all its threads, user and system) from start to end. */
async function measure({ load, connections, measured: { server, url } }, scenario, length) {
  const before = await server.ask("cpu")
  const result = await load.ask("round", { url, scenario, connections, ...length })
  const after = await server.ask("cpu")
  if (result.failed > 0 || result.requests === 0) {
    throw new Complaint(
      `${scenario}: ${result.failed} requests failed, ${result.requests} were answered. See the server's log.`
    )
  }
  const cpuMs = (after.user + after.system - before.user - before.system) / 1000
  return {
    rps: result.requests / result.seconds,
    cpu_ms: cpuMs / result.requests,
    server_busy: cpuMs / 1000 / result.seconds,
    p50_ms: result.p50,
    p99_ms: result.p99,
  }
}

/**
 * Sends more and more requests until one round of them takes `seconds`; returns its rate. A server answers its first
 * thousands of requests more slowly, because hot code has yet to be compiled: the more code a route has, the longer
 * that takes.
 */
async function warmUp(parts, scenario, seconds) {
  for (let amount = parts.connections; ; amount *= 4) {
    const { rps } = await measure(parts, scenario, { amount })
    if (amount / rps >= seconds) {
      return rps
    }
  }
}

const requestsIn = (seconds, rps, { connections }) =>
  Math.max(2, Math.round((rps * seconds) / connections)) * connections

/**
 * Measures the scenarios in interleaved rounds, every second round in the opposite order, so that disturbances of the
 * machine affect all alike. Each round of a scenario has as many requests as it answered in `seconds` when it warmed
 * up. A second of the same requests comes before it and is not measured: the first second after
 * a process was idle during the other rounds costs up to twice as much.
 * @returns by scenario: the median of each figure over the rounds, and the rounds themselves
 */
export async function measureRounds(parts, { names, rounds, seconds, warm_up_seconds }, progress = () => {}) {
  const chosen = SCENARIOS.filter(({ name }) => names.includes(name)).map(({ name }) => name)
  const amounts = {}
  const before = {}
  for (const name of chosen) {
    progress(`warming up ${name}`)
    const rps = await warmUp(parts, name, warm_up_seconds)
    amounts[name] = requestsIn(seconds, rps, parts)
    before[name] = requestsIn(Math.min(1, seconds), rps, parts)
  }
  const measured = Object.fromEntries(chosen.map((name) => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`)
    for (const name of round % 2 ? chosen : [...chosen].reverse()) {
      await measure(parts, name, { amount: before[name] })
      measured[name].push(await measure(parts, name, { amount: amounts[name] }))
    }
  }
  return Object.fromEntries(
    chosen.map((name) => {
      const of = (figure) => median(measured[name].map((round) => round[figure]))
      const [rps, cpu_ms, server_busy] = [of("rps"), of("cpu_ms"), of("server_busy")]
      return [name, { rps, cpu_ms, server_busy, p50_ms: of("p50_ms"), p99_ms: of("p99_ms"), rounds: measured[name] }]
    })
  )
}

/**
 * The ratios between scenarios: each is taken within one round, where both had the same machine, and the median of the
 * rounds is reported. By requests per second, and by the server's CPU time (inverted: less is better).
 */
export function ratiosOf(figures) {
  return RATIOS.filter(({ of, by }) => figures[of] && figures[by]).map(({ of, by, aim }) => {
    const pairs = figures[of].rounds.map((round, index) => [round, figures[by].rounds[index]])
    return {
      of,
      by,
      aim: aim ?? null,
      rps: median(pairs.map(([one, other]) => one.rps / other.rps)),
      cpu: median(pairs.map(([one, other]) => other.cpu_ms / one.cpu_ms)),
    }
  })
}
