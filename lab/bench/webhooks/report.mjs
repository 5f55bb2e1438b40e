import { median } from "../rounds.mjs"

const number = (value, digits, width) => (value === null ? "-" : value.toFixed(digits)).padStart(width)

export function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/** The median of the rounds' ratios: both sides of a ratio ran on the same machine. */
function ratio(of, by) {
  return median(of.map((value, index) => value / by[index]))
}

const cpuOf = (rounds) =>
  rounds.some(({ worker_cpu_ms }) => worker_cpu_ms === null)
    ? null
    : median(rounds.map(({ worker_cpu_ms }) => worker_cpu_ms))

const verdict = (reached) => (reached ? "reached" : "not reached")

/** The figures of all rounds as text lines. */
export function report({ gateway, bullmq, undisturbed, disturbed }) {
  const of = (rounds, name) => median(rounds.map((round) => round[name]))
  const line = (title, rounds) =>
    `${title.padEnd(28)}${number(of(rounds, "per_second"), 0, 14)}${number(of(rounds, "p50_ms"), 1, 10)}${number(of(rounds, "p99_ms"), 1, 10)}${number(cpuOf(rounds), 3, 16)}`
  const rate = ratio(
    gateway.map(({ per_second }) => per_second),
    bullmq.map(({ per_second }) => per_second)
  )
  const p50 = of(gateway, "p50_ms")
  const hanging = ratio(
    disturbed.map(({ p99_ms }) => p99_ms),
    undisturbed.map(({ p99_ms }) => p99_ms)
  )
  return [
    "",
    `${"".padEnd(28)}  deliveries/s    p50 ms    p99 ms   CPU-ms/delivery`,
    line("gateway", gateway),
    line("BullMQ", bullmq),
    "",
    "commit to request, healthy endpoints only",
    `${"none hangs".padEnd(28)}${"".padStart(14)}${number(of(undisturbed, "p50_ms"), 1, 10)}${number(of(undisturbed, "p99_ms"), 1, 10)}`,
    `${"one endpoint in ten hangs".padEnd(28)}${"".padStart(14)}${number(of(disturbed, "p50_ms"), 1, 10)}${number(of(disturbed, "p99_ms"), 1, 10)}`,
    "",
    `gateway : BullMQ, deliveries a second   ${rate.toFixed(2)}   aim 1.2: ${verdict(rate >= 1.2)}`,
    `commit to request, p50                  ${p50.toFixed(1)} ms   aim below 5 ms: ${verdict(p50 < 5)}`,
    `p99 with hanging : undisturbed          ${hanging.toFixed(2)}   aim at most 2: ${verdict(hanging <= 2)}`,
  ].join("\n")
}
