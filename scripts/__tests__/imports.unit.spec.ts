import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { load } from "./load.cjs"

const ROOT = resolve(__dirname, "../..")

const programsOf = (folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => join(folder, name))
  )

/** Nothing compiles these programs before they run: a missing export would only show then. */
it("every program finds what it imports", () => {
  const programs = programsOf(["scripts", "lab"])
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

/** A program that requires a file of the built store by its path. The bench builds `src/api/bench` itself. */
const BUILT = /const \{ ([^}]+) \} = \w+\("\.\/(src\/(?!api\/bench\/)[^"]+)\.js"\)/g

it("every program finds what it requires of the built store", () => {
  const required = programsOf(["scripts", "lab"]).flatMap((program) =>
    [...readFileSync(join(ROOT, program), "utf8").matchAll(BUILT)].map(([, names, path]) => ({ program, names, path }))
  )
  expect(required.length).toBeGreaterThan(8)
  for (const { program, names, path } of required) {
    const source = readFileSync(join(ROOT, `${path}.ts`), "utf8")
    for (const name of names.split(", ")) {
      const isThere = new RegExp(`^export .*\\b${name}\\b`, "m").test(source)
      expect([program, path, name, isThere]).toEqual([program, path, name, true])
    }
  }
})

it("the encryption of secret columns compiles on its own", async () => {
  const { readSecretBox } = await load<{
    readSecretBox(): Promise<{
      SEALED: Record<string, unknown>
      seal(text: string, column: unknown, id: string): string
    }>
  }>(join(ROOT, "scripts/lib/secret-box.mjs"))
  const { SEALED, seal } = await readSecretBox()
  expect(seal("secret", SEALED.acquirerCredentials, "gac_1")).toMatch(/^enc:v1:/)
})

/** A file in a group that no spec runs would not run at all. */
it("every group of test files has a file that runs it", () => {
  const tests = join(ROOT, "integration-tests")
  const groups = JSON.parse(readFileSync(join(tests, "groups.json"), "utf8")) as Record<string, string[]>
  const running = readdirSync(join(tests, "groups"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".spec.ts"))
    .map((name) => /^shareStore\("([^"]+)"/m.exec(readFileSync(join(tests, "groups", name), "utf8"))?.[1])
  expect(running.sort()).toEqual(Object.keys(groups).sort())
  const files = Object.values(groups).flat()
  expect(files.filter((file, at) => !existsSync(join(tests, `${file}.spec.ts`)) || files.indexOf(file) !== at)).toEqual(
    []
  )
})
