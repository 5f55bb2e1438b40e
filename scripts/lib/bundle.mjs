import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import { basename, join } from "node:path"
import { Complaint, ROOT } from "./console.mjs"

/**
 * Bundles a TypeScript program with the project's sources into one file, in a folder of its own. Returns the file's
 * path.
 */
export function bundle(source) {
  const name = basename(source, ".ts")
  const folder = join(ROOT, ".test", `${name}-${process.pid}-${randomBytes(3).toString("hex")}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.cjs`)
  const program = join(ROOT, "node_modules/esbuild/bin/esbuild")
  const args = [
    source,
    "--bundle",
    "--platform=node",
    "--packages=external",
    "--target=node20",
    "--log-level=error",
    `--outfile=${file}`,
  ]
  const result = spawnSync(program, args, { encoding: "utf8", cwd: ROOT })
  if (result.status !== 0) {
    throw new Complaint(`${source} could not be bundled:\n${result.error?.message ?? result.stderr}`)
  }
  return file
}
