import { execFile, execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { createContext, runInContext } from "node:vm"
import * as client from "../index"
import { signatureHeaders } from "../../modules/gateway/webhooks/signature"

const ROOT = resolve(__dirname, "../../..")
const CONSUMER = join(__dirname, "consumer/consumer.mts")
const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

/** The compiler takes ten seconds of an idle core, and many times that on a busy machine. */
const COMPILE_TIMEOUT_MS = 300_000

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "gateway-client-"))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

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
  fs.writeFileSync(project, JSON.stringify({ compilerOptions: { ...strict, ...options }, files }))
  return run("typescript/lib/tsc.js", "-p", project)
}

/** As a project of its own runs it: nothing of the npm that runs the tests. */
function npm(cwd: string, ...args: string[]): void {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")))
  const program = process.env.npm_execpath
  const [command, first] = program ? [process.execPath, [program]] : ["npm", []]
  execFileSync(command, [...first, ...args, "--offline", "--no-audit", "--no-fund"], { cwd, env, stdio: "pipe" })
}

/** What a program that is compiled for Node finds beside the package. */
function installNodeTypes(): void {
  fs.mkdirSync(join(folder, "node_modules/@types"), { recursive: true })
  fs.symlinkSync(join(ROOT, "node_modules/@types/node"), join(folder, "node_modules/@types/node"))
  fs.symlinkSync(join(ROOT, "node_modules/undici-types"), join(folder, "node_modules/undici-types"))
}

const NODE16 = { module: "node16", moduleResolution: "node16", lib: ["es2022"], types: ["node"] }
const BUNDLER = { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] }

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
    fs.writeFileSync(join(entry, "index.d.mts"), 'export * from "./index.js"\n')
    fs.copyFileSync(join(ROOT, "package.json"), join(installed, "package.json"))
    installNodeTypes()
    for (const name of ["esm.mts", "commonjs.cts", "bundled.ts"]) {
      fs.copyFileSync(CONSUMER, join(folder, name))
    }
  }, COMPILE_TIMEOUT_MS)

  it(
    "the types compile strictly in Node as an ES module and as CommonJS, without the DOM's types",
    () => {
      expect(compile("node16", ["esm.mts", "commonjs.cts"], NODE16)).toBe("")
    },
    COMPILE_TIMEOUT_MS
  )

  it(
    "the types compile strictly for a bundler, without Node's types",
    () => {
      expect(compile("bundler", ["bundled.ts"], BUNDLER)).toBe("")
    },
    COMPILE_TIMEOUT_MS
  )
})

describe("for other systems, which install the client's own package alone and without a network", () => {
  const NAME = "medusa-payment-gateway-client"
  type Manifest = { name: string; version: string; license: string; dependencies?: object }
  const manifestOf = (path: string) => JSON.parse(fs.readFileSync(join(path, "package.json"), "utf8")) as Manifest
  let project: string
  let installed: string

  beforeAll(() => {
    project = join(folder, "other-system")
    installed = join(project, "node_modules", NAME)
    fs.mkdirSync(project)
    fs.writeFileSync(join(project, "package.json"), '{ "private": true }')
    npm(ROOT, "pack", "./packages/client", "--pack-destination", project)
    npm(project, "install", join(project, `${NAME}-${manifestOf(ROOT).version}.tgz`))
  }, COMPILE_TIMEOUT_MS)

  it("comes with the plugin's version and licence, and brings no other package", () => {
    const { name, version, license, dependencies } = manifestOf(installed)
    expect([name, dependencies]).toEqual([NAME, undefined])
    expect({ version, license }).toEqual({ version: manifestOf(ROOT).version, license: manifestOf(ROOT).license })
    const licence = (path: string) => fs.readFileSync(join(path, "LICENSE"), "utf8")
    expect(licence(installed)).toBe(licence(ROOT))
    expect(fs.readdirSync(join(project, "node_modules")).filter((each) => !each.startsWith("."))).toEqual([NAME])
  })

  it(
    "the types compile strictly: as an ES module, as CommonJS and for a bundler",
    () => {
      const consumer = fs.readFileSync(CONSUMER, "utf8").replaceAll("medusa-payment-gateway/client", NAME)
      const [esm, commonjs, bundled] = ["esm.mts", "commonjs.cts", "bundled.ts"].map((name) => join(project, name))
      for (const path of [esm, commonjs, bundled]) {
        fs.writeFileSync(path, consumer)
      }
      expect(compile("alone-node16", [esm, commonjs], NODE16)).toBe("")
      expect(compile("alone-bundler", [bundled], BUNDLER)).toBe("")
    },
    COMPILE_TIMEOUT_MS
  )

  it("the program of its README makes a checkout and verifies it", async () => {
    const [, program] = /```js\n([\s\S]*?)```/.exec(fs.readFileSync(join(installed, "README.md"), "utf8")) ?? []
    fs.writeFileSync(join(project, "pay.mjs"), program ?? "")
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      asked.push([request.method, request.url, request.headers["x-merchant-api-key"]])
      const checkout = { session_id: "ses_1", transaction_id: "txn1", checkout_url: "http://localhost/pay/ses_1" }
      const data = request.method === "POST" ? checkout : { verified: true, status: "SUCCESS" }
      request.resume().on("end", () => response.end(JSON.stringify({ success: true, data })))
    })
    await new Promise<void>((done) => server.listen(0, "localhost", done))
    try {
      const GATEWAY_URL = `http://localhost:${(server.address() as AddressInfo).port}/api/v2`
      const env = { ...process.env, GATEWAY_URL, GATEWAY_API_KEY: "sk_test_1" }
      const { stdout } = await promisify(execFile)(process.execPath, ["pay.mjs"], { cwd: project, env })
      expect(stdout).toBe("send the customer to http://localhost/pay/ses_1\npaid\n")
      expect(asked).toEqual([
        ["POST", "/api/v2/payments/checkout", "sk_test_1"],
        ["GET", "/api/v2/payments/verify/txn1", "sk_test_1"],
      ])
    } finally {
      await new Promise((done) => server.close(done))
    }
  })

  it("loads as CommonJS too, with the names of the sources", () => {
    const loaded = createRequire(join(project, "package.json"))(NAME) as object
    expect(Object.keys(loaded).sort()).toEqual(Object.keys(client).sort())
  })
})

describe("the bundle in a world that has only what all platforms have", () => {
  const SECONDS = Math.floor(Date.now() / 1000)
  const BODY = '{"event_id":"e1","event_type":"payment.succeeded"}'
  const sent: { url: string; init: RequestInit }[] = []

  function bundled(): Record<string, (...args: never[]) => unknown> {
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
    runInContext(fs.readFileSync(file, "utf8"), context)
    return context.client as ReturnType<typeof bundled>
  }

  it("calls, repeats, verifies and reads", async () => {
    const { createGateway, verifyWebhook, parseEvent } = bundled() as unknown as typeof import("../index")
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
