import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createContext, runInContext } from "node:vm"
import { signatureHeaders } from "../../modules/gateway/webhooks/signature"

const ROOT = resolve(__dirname, "../../..")
const CONSUMER = join(__dirname, "consumer/consumer.mts")
const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

/** The compiler takes ten seconds of an idle core, and many times that on a busy machine. */
const COMPILE_TIMEOUT_MS = 300_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gateway-client-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program of node_modules; its output is the message of the error. */
function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(process.execPath, [join(ROOT, "node_modules", program), ...args], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: "pipe",
    })
  } catch (error) {
    throw new Error(`${program} failed:\n${(error as { stdout?: string }).stdout}`)
  }
}

/** What the compiler of TypeScript says about files in `folder`: nothing when all is well, else it throws. */
function compile(name: string, files: string[], options: object): string {
  const strict = { strict: true, skipLibCheck: false, noEmit: true, target: "es2022", exactOptionalPropertyTypes: true }
  const project = join(folder, `${name}.json`)
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...strict, ...options }, files }))
  return run("typescript/lib/tsc.js", "-p", project)
}

describe("for those who install the package", () => {
  beforeAll(() => {
    const installed = join(folder, "node_modules/medusa-payment-gateway")
    const entry = join(installed, ".medusa/server/src/client")
    const declared = {
      declaration: true,
      emitDeclarationOnly: true,
      outDir: entry,
      module: "node16",
      lib: ["es2022", "dom"],
      types: [],
    }
    expect(compile("declarations", [join(ROOT, "src/client/index.ts")], { noEmit: false, ...declared })).toBe("")
    // As scripts/lib/build-esm.mjs writes it.
    writeFileSync(join(entry, "index.d.mts"), 'export * from "./index.js"\n')
    copyFileSync(join(ROOT, "package.json"), join(installed, "package.json"))
    mkdirSync(join(folder, "node_modules/@types"))
    symlinkSync(join(ROOT, "node_modules/@types/node"), join(folder, "node_modules/@types/node"))
    symlinkSync(join(ROOT, "node_modules/undici-types"), join(folder, "node_modules/undici-types"))
    for (const name of ["esm.mts", "commonjs.cts", "bundled.ts"]) {
      copyFileSync(CONSUMER, join(folder, name))
    }
  }, COMPILE_TIMEOUT_MS)

  it(
    "the types compile strictly in Node as an ES module and as CommonJS, without the DOM's types",
    () => {
      const options = { module: "node16", moduleResolution: "node16", lib: ["es2022"], types: ["node"] }
      expect(compile("node16", ["esm.mts", "commonjs.cts"], options)).toBe("")
    },
    COMPILE_TIMEOUT_MS
  )

  it(
    "the types compile strictly for a bundler, without Node's types",
    () => {
      const options = { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] }
      expect(compile("bundler", ["bundled.ts"], options)).toBe("")
    },
    COMPILE_TIMEOUT_MS
  )
})

describe("the bundle in a world that has only what all platforms have", () => {
  const SECONDS = Math.floor(Date.now() / 1000)
  const BODY = '{"event_id":"e1","event_type":"payment.succeeded"}'
  const sent: { url: string; init: RequestInit }[] = []

  function client(): Record<string, (...args: never[]) => unknown> {
    const file = join(folder, "client.js")
    const options = ["--bundle", "--format=iife", "--global-name=client", "--platform=neutral", `--outfile=${file}`]
    execFileSync(join(ROOT, "node_modules/esbuild/bin/esbuild"), [join(ROOT, "src/client/index.ts"), ...options], {
      stdio: "pipe",
    })
    const answers = [new Response("", { status: 503, headers: { "Retry-After": "0" } }), Response.json({ data: {} })]
    const platform = {
      ...{ crypto, TextEncoder, TextDecoder, AbortController, Headers, URL, URLSearchParams, atob },
      ...{ setTimeout, clearTimeout },
      fetch: async (url: string, init: RequestInit) => {
        sent.push({ url, init })
        return answers[sent.length - 1]
      },
    }
    const context = createContext(platform)
    expect(runInContext("typeof process + typeof require + typeof Buffer + typeof module", context)).toBe(
      "undefined".repeat(4)
    )
    runInContext(readFileSync(file, "utf8"), context)
    return context.client as ReturnType<typeof client>
  }

  it("calls, repeats, verifies and reads", async () => {
    const { createGateway, verifyWebhook, parseEvent } = client() as unknown as typeof import("../index")
    const gateway = createGateway({ baseUrl: "https://shop.example.com/api/v2", apiKey: "sk_test_1" })
    expect(await gateway.restorePlan(1)).toEqual({ data: {} })
    expect(sent.map(({ url }) => url)).toEqual(
      Array(2).fill("https://shop.example.com/api/v2/payments/subscription-plans/1/restore")
    )
    const keys = sent.map(({ init }) => (init.headers as Headers).get("Idempotency-Key"))
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
    const headers = signatureHeaders({ secrets: [SECRET], format: "hex", id: "e1", timestamp: SECONDS, body: BODY })
    expect(await verifyWebhook(BODY, headers, SECRET)).toBe(true)
    const alone = { "x-webhook-signature": headers["x-webhook-signature"] }
    expect(await verifyWebhook(BODY, alone, SECRET)).toBe(false)
    expect(await verifyWebhook(BODY, alone, SECRET, { allowWithoutTimestamp: true })).toBe(true)
    expect(await verifyWebhook(`${BODY} `, headers, SECRET)).toBe(false)
    expect(parseEvent(BODY).type).toBe("payment.succeeded")
  })
})
