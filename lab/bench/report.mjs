import { cpus, totalmem } from "node:os"
import { RATE_AIMS, SCENARIOS } from "./scenarios.mjs"

const titleOf = (name) => SCENARIOS.find((scenario) => scenario.name === name).title
const number = (value, digits, width) => value.toFixed(digits).padStart(width)

/** The machine of the measurement: without it the figures mean little. */
export function machine() {
  const all = cpus()
  return {
    cores: all.length,
    cpu: all[0].model.trim(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
}

/** One measurement as text lines. */
export function table({ title, figures, ratios }) {
  const lines = ["", title, "", `${"".padEnd(38)}     req/s  CPU-ms/req  server busy   p50 ms   p99 ms`]
  for (const [name, { rps, cpu_ms, server_busy, p50_ms, p99_ms }] of Object.entries(figures)) {
    const busy = `${Math.round(server_busy * 100)} %`.padStart(13)
    const latencies = number(p50_ms, 1, 9) + number(p99_ms, 1, 9)
    lines.push(
      `${titleOf(name).padEnd(38)}${number(rps, rps < 100 ? 1 : 0, 10)}${number(cpu_ms, 3, 12)}${busy}${latencies}`
    )
  }
  for (const [name, aim] of Object.entries(RATE_AIMS).filter(([name]) => figures[name])) {
    const reached = figures[name].rps >= aim ? "reached" : "not reached"
    lines.push("", `${name}, requests a second: aim ${aim}: ${reached}`)
  }
  if (ratios.length > 0) {
    lines.push("", `${"ratios (median of the rounds' own)".padEnd(60)}by req/s  by CPU`)
  }
  for (const { of, by, aim, rps, cpu } of ratios) {
    const digits = rps < 10 ? 2 : 1
    const verdict = aim === null ? "" : `   aim ${aim} by CPU: ${cpu >= aim ? "reached" : "not reached"}`
    lines.push(`${`${of} : ${titleOf(by)}`.padEnd(58)}${number(rps, digits, 10)}${number(cpu, digits, 8)}${verdict}`)
  }
  return lines.join("\n")
}

/** The tables that a plan reads as a whole. */
export function scannedIn(plan) {
  return [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table)
}

/**
 * The plans of the hot statements, and a warning for those that read a whole table. `empty`: tables without a row, which
 * PostgreSQL reads as a whole because that is the cheapest.
 */
export function planReport(plans, empty = []) {
  const scanning = Object.keys(plans).filter((name) => scannedIn(plans[name]).some((table) => !empty.includes(table)))
  const lines = Object.entries(plans).map(([name, plan]) => `${name}\n${plan.replace(/^/gm, "    ")}`)
  const verdict =
    scanning.length > 0
      ? `These read a whole table: ${scanning.join(", ")}`
      : "Every one of these uses indexes only, but for tables without a row."
  return {
    text: ["", "plans of the gateway's statements under this load", "", ...lines, "", verdict].join("\n"),
    scanning,
  }
}
