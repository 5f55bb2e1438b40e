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
  return bundled(basename(source, ".ts"), { args: [source] })
}

/** The same of a program that is not in a file. It imports from the project's root. */
export function bundleText(name, input) {
  return bundled(name, { args: ["--loader=ts"], input })
}

function bundled(name, { args: own, input }) {
  const folder = join(ROOT, ".test", `${name}-${process.pid}-${randomBytes(3).toString("hex")}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.cjs`)
  const program = join(ROOT, "node_modules/esbuild/bin/esbuild")
  const args = [
    ...own,
    "--bundle",
    "--platform=node",
    "--packages=external",
    "--target=node20",
    "--log-level=error",
    `--outfile=${file}`,
  ]
  const result = spawnSync(program, args, { encoding: "utf8", cwd: ROOT, input })
  if (result.status !== 0) {
    throw new Complaint(`${name} could not be bundled:\n${result.error?.message ?? result.stderr}`)
  }
  return file
}
