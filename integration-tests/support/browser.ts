import { readFileSync } from "node:fs"
import type Axe from "axe-core"
import { chromium, type Browser, type Page } from "playwright-core"

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")
const RULES: Axe.RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}

/** A real Chromium, without a window. `npm test` finds it and says where in CHROMIUM_PATH. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH || "/usr/bin/chromium", args: ARGUMENTS })
}

/** What axe-core finds wrong on the page as it is now, one line for each element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated by the browser's debugger, so the page's own CSP does not stand in the way.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate((rules) => (globalThis as unknown as { axe: typeof Axe }).axe.run(rules), RULES)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} (${node.failureSummary})`))
}
