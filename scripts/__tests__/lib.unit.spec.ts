import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { load } from "./load.cjs"

const lib = <T>(name: string) => load<T>(join(__dirname, "..", name))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gateway-scripts-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("whether dependencies are installed", () => {
  const wanted = {
    "": { name: "root" },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/other-platform": { version: "1.0.0", optional: true },
  }

  async function isInstalled(present: unknown): Promise<boolean> {
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: wanted }))
    if (present) {
      mkdirSync(join(folder, "node_modules"))
      writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: present }))
    }
    return (await lib<{ isInstalled(root: string): boolean }>("lib/install.mjs")).isInstalled(folder)
  }

  it.each([
    ["no node_modules", undefined, false],
    ["the same version", { "node_modules/a": { version: "1.0.0" } }, true],
    ["another version", { "node_modules/a": { version: "1.0.1" } }, false],
    ["only another package", { "node_modules/b": { version: "1.0.0" } }, false],
  ])("%s", async (_name, present, expected) => {
    expect(await isInstalled(present)).toBe(expected)
  })
})

describe("ports", () => {
  it("a taken port is passed over", async () => {
    const { isFree, nextFreePort } = await lib<{
      isFree(port: number): Promise<boolean>
      nextFreePort(port: number): Promise<number>
    }>("lib/ports.mjs")
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    expect(await isFree(port)).toBe(false)
    expect(await nextFreePort(port)).toBeGreaterThan(port)
    await new Promise((done) => server.close(done))
    expect(await isFree(port)).toBe(true)
  })
})

describe("any free port", () => {
  it("is free, and none that an outgoing connection or a process of the cluster gets", async () => {
    const { anyFreePort, isFree, LOWEST } = await lib<{
      LOWEST: number
      anyFreePort(): Promise<number>
      isFree(port: number): Promise<boolean>
    }>("lib/ports.mjs")
    const ports = await Promise.all(Array.from({ length: 20 }, anyFreePort))
    expect(LOWEST).toBeGreaterThan(10_080)
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(LOWEST)
    expect(Math.max(...ports)).toBeLessThan(20_000)
    expect(new Set(ports).size).toBeGreaterThan(1)
    expect(await Promise.all(ports.map(isFree))).toEqual(ports.map(() => true))
  })
})

describe("programs", () => {
  it("the first installed one is found; a file that cannot be run is none", async () => {
    const { findProgram } = await lib<{ findProgram(names: string[]): string | null }>("lib/programs.mjs")
    const program = join(folder, "program")
    writeFileSync(program, "")
    expect(findProgram([program])).toBeNull()
    chmodSync(program, 0o755)
    expect(findProgram([join(folder, "missing"), program])).toBe(program)
  })
})

describe("the server's log", () => {
  it("hides keys, secrets, sessions, tokens and passwords in addresses", async () => {
    const { redact } = await lib<{ redact(line: string, secrets?: string[]): string }>("demo/store-process.mjs")
    expect(redact("key sk_test_abcdefgh12345 and whsec_abcdefgh12345=")).toBe("key sk_[hidden] and whsec_[hidden]")
    expect(redact("GET /pay/ses_abcdefgh-12345 200")).toBe("GET /pay/ses_[hidden] 200")
    expect(redact("postgres://user:pass@localhost/x")).toBe("postgres://user:[hidden]@localhost/x")
    expect(redact("token eyJhbGci.eyJzdWIi.c2ln and own-secret", ["own-secret", ""])).toBe(
      "token [hidden] and [hidden]"
    )
  })
})

describe("withOrigin", () => {
  it.each([
    [undefined, "http://localhost:9000"],
    ["", "http://localhost:9000"],
    ["http://localhost:8000", "http://localhost:9000,http://localhost:8000"],
    ["http://localhost:8000 , http://localhost:9000", "http://localhost:9000,http://localhost:8000"],
  ])("adds to %p", async (list, expected) => {
    const { withOrigin } = await lib<{ withOrigin(list: string | undefined, origin: string): string }>(
      "lib/origins.mjs"
    )
    expect(withOrigin(list, "http://localhost:9000")).toBe(expected)
  })
})

describe("what a report of jest says about failures", () => {
  const failuresIn = async (testResults: object[]) =>
    (await lib<{ failuresIn(report: object, root: string): string[] }>("lib/test-report.mjs")).failuresIn(
      { testResults },
      "/root"
    )
  const test = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  })

  it("nothing when all passed", async () => {
    const passed = { name: "/root/a.spec.ts", status: "passed", message: "", assertionResults: [test("A", "passed")] }
    expect(await failuresIn([passed])).toEqual([])
  })

  it("names tests, the beginning of their messages without colours, and files last", async () => {
    const message = "\u001b[31mexpected 1\u001b[39m\n\n  received 2\n3\n4\n5\n6\n7"
    const assertionResults = [test("A adds", "failed", message), test("A takes", "passed")]
    const failed = { name: "/root/a.spec.ts", status: "failed", message: "", assertionResults }
    const broken = { name: "/root/b.spec.ts", status: "failed", message: "Cannot find x", assertionResults: [] }
    expect(await failuresIn([failed, broken])).toEqual([
      "Failed:",
      "  a.spec.ts: A adds",
      ...["expected 1", "  received 2", "3", "4", "5", "6"].map((line) => `      ${line}`),
      "  b.spec.ts",
      "      Cannot find x",
      "Files:",
      "  a.spec.ts: 1",
      "  b.spec.ts: could not run",
    ])
  })

  it("at most 15 tests, the rest as a number", async () => {
    const assertionResults = Array.from({ length: 20 }, (_, index) => test(`A ${index}`, "failed", "no"))
    const lines = await failuresIn([{ name: "/root/a.spec.ts", status: "failed", message: "", assertionResults }])
    expect(lines.filter((line) => line.includes(": A "))).toHaveLength(15)
    expect(lines.slice(-3)).toEqual(["  ... and 5 more", "Files:", "  a.spec.ts: 20"])
  })
})

describe("what a run of the tests says while it runs", () => {
  type Reporter = {
    onRunStart(run: object): void
    onTestFileStart(test: object): void
    onTestFileResult(test: object, result: object): void
    onRunComplete(): void
  }
  type ReporterClass = new (config: object, options: object, parts: object) => Reporter
  let written: string
  let now: number
  let reporter: Reporter

  beforeEach(async () => {
    jest.useFakeTimers()
    written = ""
    now = 0
    const { default: Progress } = await lib<{ default: ReporterClass }>("../integration-tests/support/jest/progress.js")
    const write = (text: string) => void (written += text)
    reporter = new Progress({ rootDir: "/root" }, {}, { write, now: () => now })
    reporter.onRunStart({ numTotalTestSuites: 2 })
    reporter.onTestFileStart({ path: "/root/http/a.spec.ts" })
  })
  afterEach(() => {
    reporter.onRunComplete()
    jest.useRealTimers()
  })

  it("names each file as it ends, its tests, what it printed, and how many files are left", () => {
    now = 65_000
    const result = { numPassingTests: 3, numFailingTests: 0, perfStats: { start: 0, end: 1_500 } }
    reporter.onTestFileResult({ path: "/root/http/a.spec.ts" }, { ...result, console: [{ message: "printed" }] })
    expect(written).toBe(" 0:00 [0/2] 2 test files\n 1:05 [1/2] pass http/a: 3 passed in 1.5 s\nprinted\n")
  })

  it("shows at once why tests failed, and why a file could not run", () => {
    const perfStats = { start: 0, end: 0 }
    const path = "/root/http/a.spec.ts"
    reporter.onTestFileResult({ path }, { numPassingTests: 1, numFailingTests: 1, failureMessage: "no", perfStats })
    const broken = { numPassingTests: 0, numFailingTests: 0, failureMessage: "Cannot find x", testExecError: {} }
    reporter.onTestFileResult({ path: "/root/b.spec.ts" }, { ...broken, perfStats })
    reporter.onRunComplete()
    expect(written.split("\n").slice(1, 6)).toEqual([
      " 0:00 [1/2] FAIL http/a: 1 passed, 1 failed in 0.0 s",
      "no",
      " 0:00 [2/2] FAIL b: 0 passed in 0.0 s",
      "Cannot find x",
      " 0:00 [2/2] all files have ended: 1 tests passed, 1 failed",
    ])
  })

  it("names the files that run when none ends for half a minute", () => {
    jest.advanceTimersByTime(60_000)
    expect(written.match(/still running: http\/a\n/g)).toHaveLength(2)
  })
})

it("says what takes long, for how long and what it does just now, in lines that a pipe can carry", async () => {
  const program = join(folder, "program.mjs")
  writeFileSync(
    program,
    `import { during, say } from ${JSON.stringify(pathToFileURL(join(__dirname, "../lib/console.mjs")).href)}
let next
const work = () => new Promise((done) => (next = done))
let said = 0
const ended = during("building", work, { detail: () => (said++ < 2 ? "the admin" : next("built") ?? ""), everyMs: 20 })
say(await ended)
`
  )
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  const lines = stdout.trimEnd().split("\n")
  expect(lines.map((line) => line.replace(/^ *[0-9.]+s {2}/, ""))).toEqual([
    "building ...",
    'still building: 0 s, now "the admin"',
    'still building: 0 s, now "the admin"',
    "still building: 0 s",
    "built",
  ])
})
