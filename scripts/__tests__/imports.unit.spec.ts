import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const ROOT = resolve(__dirname, "../..")

/** Nothing compiles these programs before they run: a missing export would only show then. */
it("every program finds what it imports", () => {
  const programs = readdirSync(join(ROOT, "scripts"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => join("scripts", name))
  const folder = mkdtempSync(join(tmpdir(), "gateway-scripts-"))
  const args = [
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--packages=external",
    "--log-level=warning",
    `--outdir=${folder}`,
  ]
  try {
    const { status, stderr, error } = spawnSync(
      join(ROOT, "node_modules/esbuild/bin/esbuild"),
      [...programs, ...args],
      { cwd: ROOT, encoding: "utf8" }
    )
    expect({ error, stderr, status }).toEqual({ error: undefined, stderr: "", status: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  expect(programs.length).toBeGreaterThan(40)
})
