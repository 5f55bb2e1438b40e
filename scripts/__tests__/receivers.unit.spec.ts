import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { freePort } from "../../integration-tests/support/ports"
import { until } from "../../integration-tests/support/until"
import { sampleEvent } from "../../src/api/api/v2/webhooks/[test]/samples"
import { EVENT_TYPES } from "../../src/modules/gateway/kernel/database/events"
import { newWebhookSecret, signatureHeaders } from "../../src/modules/gateway/webhooks/signature"

/** Runs the receivers of docs/webhooks.md, docs/client.md and docs/guides/webhooks.md as they are printed there. */

const ROOT = resolve(__dirname, "../..")
const WEBHOOKS = readFileSync(join(ROOT, "docs/webhooks.md"), "utf8")
const BODY = JSON.stringify({
  event_id: "0b3c",
  event_type: "payment.succeeded",
  data: { transaction_id: "txn1", note: "ধন্যবাদ" },
})
const SECRET = newWebhookSecret()
const NOW = Math.floor(Date.now() / 1000)

const folder = mkdtempSync(join(tmpdir(), "receivers-"))
const running: ChildProcess[] = []
afterAll(() => {
  running.forEach((child) => child.kill("SIGKILL"))
  rmSync(folder, { recursive: true, force: true })
})

function snippet(language: string): string {
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(WEBHOOKS)
  if (found === null) {
    throw new Error(`docs/webhooks.md shows no receiver in ${language}`)
  }
  return found[1]
}

const nodeProgram = () => bundled(snippet("js"))

function clientProgram(): string[] {
  const found = /```js\n([^`]*createServer[\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/client.md"), "utf8"))
  return bundled(found?.[1] ?? "")
}

/** The guide's receiver reads its secret from a folder, and chooses its port itself. */
function guideProgram(): string[] {
  const guide = readFileSync(join(ROOT, "docs/guides/webhooks.md"), "utf8")
  const text = /<<'END'\n([\s\S]*?)\nEND\n/.exec(guide)?.[1] ?? ""
  const source = join(folder, "guide.mjs")
  writeFileSync(source, text.replace("listen(0, ", "listen(process.env.PORT, "))
  writeFileSync(join(folder, "secret"), `${SECRET}\n`)
  return [process.execPath, source, folder]
}

/** Resolves the package's name to its sources: what is published is built from them. */
function bundled(text: string): string[] {
  const source = join(folder, "receiver.mjs")
  writeFileSync(source, text)
  const aliases = [
    `--alias:medusa-payment-gateway/webhooks=${join(ROOT, "src/webhooks.ts")}`,
    `--alias:medusa-payment-gateway-client=${join(ROOT, "src/client/index.ts")}`,
  ]
  const built = join(folder, "built.mjs")
  const { status, stderr } = spawnSync(
    join(ROOT, "node_modules/esbuild/bin/esbuild"),
    [source, "--bundle", "--platform=node", "--format=esm", ...aliases, `--outfile=${built}`],
    { encoding: "utf8" }
  )
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("error")])
  return [process.execPath, built]
}

function phpProgram(port: number): string[] {
  const file = join(folder, "receiver.php")
  writeFileSync(file, snippet("php"))
  return ["php", "-S", `localhost:${port}`, file]
}

function pythonProgram(): string[] {
  const file = join(folder, "receiver.py")
  writeFileSync(file, snippet("python"))
  return ["python3", file]
}

const has = (program: string) => spawnSync(program, ["--version"]).status === 0

type Started = {
  post: (headers: Record<string, string>, body?: string) => Promise<number>
  /** Begins a request, sends a part of its body, and leaves. */
  breakOff: () => Promise<void>
  /** Resolves as soon as it has written all these texts; its output is in the error otherwise. */
  writes: (texts: readonly string[]) => Promise<string>
}

async function start(program: (port: number) => string[], secret = SECRET): Promise<Started> {
  const port = await freePort()
  const [command, ...args] = program(port)
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  running.push(child)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text))
  }
  const writes = async (texts: readonly string[]) => {
    const isWritten = () => texts.every((text) => output.includes(text))
    await until(`${command} writes ${texts.join(", ")}`, isWritten, { limitMs: 20_000 }).catch((error: Error) => {
      throw new Error(`${error.message} in:\n${output}`)
    })
    return output
  }
  const post = async (headers: Record<string, string>, body = BODY) =>
    (await fetch(`http://localhost:${port}/`, { method: "POST", headers, body })).status
  const breakOff = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(port, "localhost", () => {
        const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
        socket.write(`${head}{`, () => socket.destroy())
      })
      socket.once("close", () => done()).once("error", fail)
    })
  const answers = async () => (await post({}).catch(() => null)) !== null
  await until(`${command} answers`, answers, { everyMs: 50, limitMs: 20_000 })
  return { post, breakOff, writes }
}

const signed = (changes: Partial<Parameters<typeof signatureHeaders>[0]> = {}) =>
  signatureHeaders({ secrets: [SECRET], format: "hex", id: "0b3c", timestamp: NOW, body: BODY, ...changes })

const receivers: [string, string, (port: number) => string[]][] = [
  ["Node", process.execPath, nodeProgram],
  ["PHP", "php", phpProgram],
  ["Python", "python3", pythonProgram],
]

const ABORTED = "aborted"
const breakable: [string, string, (port: number) => string[], string[]][] = [
  ["the page's receiver in Node", process.execPath, nodeProgram, [ABORTED]],
  ["the page's receiver in PHP", "php", phpProgram, []],
  ["the page's receiver in Python", "python3", pythonProgram, []],
  ["the client's receiver", process.execPath, clientProgram, [ABORTED]],
  ["the guide's receiver", process.execPath, guideProgram, [ABORTED]],
]

test.each(breakable)(
  "%s goes on after a request that breaks off",
  async (_name, command, program, logged) => {
    if (!has(command)) {
      return
    }
    const { post, breakOff, writes } = await start(program)
    await breakOff()
    await writes(logged)
    expect(await post(signed())).toBe(200)
    expect(await post({ "x-webhook-signature": signed()["x-webhook-signature"] })).toBe(401)
    expect(await post(signed({ timestamp: NOW - 400 }))).toBe(401)
  },
  180_000
)

// In Python such a secret ends the program at its start.
test.each(receivers.slice(0, 2))(
  "the page's receiver in %s takes nothing with an empty key",
  async (_, command, program) => {
    if (!has(command)) {
      return
    }
    const { post } = await start(program, "whsec_")
    expect(await post(signed({ secrets: ["whsec_"] }))).toBeGreaterThan(400)
  },
  180_000
)

describe.each(receivers)("the page's receiver in %s", (_language, command, program) => {
  const test = has(command) ? it : it.skip

  test("takes what is genuine, with a rotated secret too, and nothing else", async () => {
    const { post } = await start(program)
    const other = newWebhookSecret()
    const genuine = [
      signed(),
      signed({ secrets: [other, SECRET] }),
      signed({ format: "prefixed" }),
      signed({ timestamp: NOW - 200 }),
    ]
    for (const headers of genuine) {
      expect(await post(headers)).toBe(200)
    }
    const forged = [
      {},
      signed({ secrets: [other] }),
      signed({ body: `${BODY} ` }),
      signed({ timestamp: NOW - 400 }),
      signed({ timestamp: NOW + 400 }),
      { ...signed(), "webhook-id": "0b3d" },
      { ...signed(), "webhook-timestamp": String(NOW - 1) },
      { ...signed(), "webhook-signature": "v1," },
    ]
    for (const headers of forged) {
      expect([headers, await post(headers)]).toEqual([headers, 401])
    }
  }, 180_000)

  test("decisions: Found by real clients: names the type and the subject of every event, refunds and IPNs too", async () => {
    const { post, writes } = await start(program)
    const scope = { now: new Date(), merchant_number: 1 }
    const ipn = {
      event_id: "ipn-1",
      transaction_id: "txn-of-ipn",
      order_id: "o",
      session_id: "ses",
      status: "REFUNDED",
    }
    const events = EVENT_TYPES.map((type) => {
      const { event_id, body } = sampleEvent(type, scope)
      const { data } = JSON.parse(body) as { data: Record<string, string> }
      return {
        event_id,
        body,
        line: `${type} ${event_id} ${data.transaction_id ?? data.subscription_uuid ?? data.cash_order_id}`,
      }
    })
    events.push({ event_id: "ipn-1", body: JSON.stringify(ipn), line: "ipn.REFUNDED ipn-1 txn-of-ipn" })
    for (const { event_id, body, line } of events) {
      expect([line, await post(signed({ id: event_id, body }), body)]).toEqual([line, 200])
    }
    const output = await writes(events.map(({ line }) => line))
    expect(output).not.toMatch(/undefined|KeyError|Traceback|Warning|Notice/)
  }, 180_000)
})
