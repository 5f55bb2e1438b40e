import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const ROOT = join(__dirname, "../..")
const GUIDE = join(ROOT, "docs/acquirers.md")
/** The paths as the package publishes them, from the sources that it is built from. */
export const PUBLISHED = {
  "medusa-payment-gateway/acquirers": join(ROOT, "src/acquirers.ts"),
  "medusa-payment-gateway/acquirer-tests": join(ROOT, "src/acquirer-tests/index.ts"),
}

/** The lines of docs/acquirers.md that begin with the name of a file, by that name. */
export function documentedFiles(): Record<string, string> {
  const blocks = readFileSync(GUIDE, "utf8").matchAll(/```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)```/g)
  return Object.fromEntries([...blocks].map(([, path, text]) => [path, text]))
}

/** Writes the example of the guide as a host has it. */
export function writeExample(folder: string): void {
  const files = Object.entries(documentedFiles()).filter(([path]) => path.includes("toy-bank"))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const paths = Object.fromEntries(Object.entries(PUBLISHED).map(([name, path]) => [name, [path]]))
  const compilerOptions = {
    rootDir: "/",
    noEmit: true,
    typeRoots: [join(ROOT, "node_modules/@types")],
    types: ["node"],
    paths,
  }
  const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["src", "tests"], exclude: [] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
}

/** One file of the example with all that it imports, as JavaScript. */
export function bundled(folder: string, path: string): string {
  const built = join(folder, "built", path.replace(/\.ts$/, ".cjs"))
  const aliases = Object.entries(PUBLISHED).map(([name, source]) => `--alias:${name}=${source}`)
  const options = ["--bundle", "--platform=node", "--format=cjs", ...aliases, `--outfile=${built}`]
  const { status, stderr } = spawnSync(
    join(ROOT, "node_modules/esbuild/bin/esbuild"),
    [join(folder, path), ...options],
    { encoding: "utf8" }
  )
  if (status !== 0) {
    throw new Error(stderr)
  }
  return built
}
