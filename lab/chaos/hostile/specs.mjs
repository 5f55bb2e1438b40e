import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { ROOT } from "../../../scripts/lib/console.mjs"

/** What needs a store, an acquirer or a disk of its own is attacked by test files, each named by its path's end. */
const SPECS = {
  "a log that cannot be written": ["http/unwritable-logs"],
  "events that overtake each other, and a reader of them": ["http/events-cursor"],
  "claims of due work over their limit, and items that never end": ["http/workflows", "kernel/__tests__/due-work"],
  "an encryption key replaced under its id": ["http/production.spec"],
  "a wallet's PIN, and a forged return": ["http/acquirer-bkash"],
  "a cart changed while it is paid": ["http/store-guard"],
  "a receiver's 100 Continue": ["delivery/__tests__/send"],
  "log-in links for known and unknown addresses": ["http/portal-links"],
  "formulas in CSV files": ["kernel/__tests__/small-rules"],
  "hosts of forged certificates": ["bkash/__tests__/notifications"],
}
const FAILED = /^ {2}(\S+\.spec\.ts: .+)$/gm
const TAIL = 3_000

/** Runs these files in production mode, each with a store of its own. */
export async function specs({ report, say }) {
  const files = Object.values(SPECS).flat()
  say(Object.keys(SPECS).join(", "))
  const child = spawn(process.execPath, [join(ROOT, "scripts/test.mjs"), "unit", "http", ...files], {
    env: { ...process.env, TEST_MODE: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  const [code] = await once(child, "close")
  if (code !== 0) {
    const failed = [...output.matchAll(FAILED)].map(([, name]) => name)
    for (const name of failed.length > 0 ? failed : ["the test files ended with an error"]) {
      report({ what: name, detail: output.slice(-TAIL) })
    }
  }
  return { files: files.length, result: output.match(/^\d+ passed, \d+ failed/gm)?.at(-1) }
}
