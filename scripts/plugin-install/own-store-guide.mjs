import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Complaint, ROOT } from "../lib/console.mjs"

/*
 * What docs/own-store.md prints, for the test that follows it. A block that is looked for and not there is a complaint:
 * the guide and the test change together.
 */

const GUIDE = readFileSync(join(ROOT, "docs/own-store.md"), "utf8")

/** The first block of a language below the heading of a step that contains a text. */
export function blockOf(step, language, text) {
  const section = GUIDE.split(/^## /m).find((one) => one.startsWith(`${step}. `)) ?? ""
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```/gms)]
  const found = blocks.find(([, kind, code]) => kind === language && code.includes(text))
  if (found === undefined) {
    throw new Complaint(`docs/own-store.md has no block of ${language} with "${text}" in step ${step}`)
  }
  return found[2]
}

/** Step 3's configuration, with the module for e-mails that step 7 adds. */
export function configuration() {
  const before = "    projectConfig: {\n"
  const shown = blockOf(3, "ts", "defineConfig(")
  if (!shown.includes(before)) {
    throw new Complaint("the configuration of docs/own-store.md has no projectConfig for step 7 to stand beside")
  }
  return shown.replace(before, `${blockOf(7, "ts", "modules: [")}${before}`)
}

/** Step 3's `.env`, filled in as its comments say, for this database and port. */
export function environmentFile({ databaseUrl, port }) {
  return blockOf(3, "sh", "DATABASE_URL=")
    .replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${databaseUrl}`)
    .replaceAll("localhost:9000", `localhost:${port}`)
    .replace(/^(.+=) *# openssl rand -hex 32$/gm, (_all, name) => `${name}${randomBytes(32).toString("hex")}`)
    .replace(/^(.+=k1:) *# and the output of: openssl rand -base64 32$/m, (_all, name) => {
      return `${name}${randomBytes(32).toString("base64")}`
    })
}

/** Step 6's commands of a deployed store: those that end, and the last one, which starts it. */
export function deployment() {
  const lines = blockOf(6, "sh", "npx medusa build").trim().split("\n")
  const start = lines.pop()
  if (start !== "NODE_ENV=production npx medusa start") {
    throw new Complaint(`docs/own-store.md starts a deployed store in another way than this test: ${start}`)
  }
  return lines.join("\n")
}
