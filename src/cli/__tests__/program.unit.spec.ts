import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { EventEmitter } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseDuration, printable, table } from "../output"
import { stopWithReader } from "../reader"
import { COMMANDS } from "../commands"
import { withEnvFiles } from "../environment"
import { Failure } from "../failure"
import { FAULTS, sentenceOf } from "../words/faults"
import { runIt } from "./support"

const KEY = `sk_test_${"a".repeat(43)}`
const SANDBOX = { GATEWAY_API_KEY: KEY, GATEWAY_PUBLIC_URL: "http://localhost:9" }

describe("help", () => {
  it.each(["", "--help", "-h", "help"])("%p lists every command, the variables and the exit codes", async (typed) => {
    const { code, out } = await runIt(typed)
    expect(code).toBe(0)
    COMMANDS.forEach(({ name }) => expect(out).toContain(`  ${name}`))
    expect(out).toContain("GATEWAY_API_KEY")
    expect(out).toContain("Exit codes: 0 done, 1 failed, 2 used wrongly.")
  })

  it.each(COMMANDS.map(({ name }) => name))("%s --help names its arguments and every option", async (name) => {
    const command = COMMANDS.find((one) => one.name === name)
    const { code, out } = await runIt(`${name} --help`)
    expect(code).toBe(0)
    expect(out).toContain(
      `Usage: npm exec --no -- medusa-payment-gateway ${[name, ...(command?.arguments ?? [])].join(" ")} [options]`
    )
    Object.keys(command?.options ?? {}).forEach((option) => expect(out).toContain(`--${option}`))
    expect(out.split("\n").filter((line) => line !== line.trimEnd())).toEqual([])
  })

  it("a group's help lists its commands", async () => {
    const { code, out } = await runIt("events --help")
    expect([code, out.includes("events resend EVENT_ID"), out.includes("payments")]).toEqual([0, true, false])
  })
})

describe("exit code 2: what is written wrongly, with the way out", () => {
  it.each([
    ["nonsense", {}, "COMMAND_UNKNOWN"],
    ["events", {}, "COMMAND_UNKNOWN"],
    ["events nonsense", {}, "COMMAND_UNKNOWN"],
    ["payments --nonsense", SANDBOX, "OPTIONS_WRONG"],
    ["payments --status", SANDBOX, "OPTIONS_WRONG"],
    ["payments --from yesterday", SANDBOX, "MOMENT_WRONG"],
    ["payments extra", SANDBOX, "ARGUMENT_UNEXPECTED"],
    ["payments --url ftp://example.com", SANDBOX, "URL_WRONG"],
    ["clock advance", SANDBOX, "ARGUMENT_MISSING"],
    ["clock advance soon", SANDBOX, "DURATION_WRONG"],
    ["trigger payment.paid", SANDBOX, "EVENT_UNKNOWN"],
    ["trigger", SANDBOX, "ARGUMENT_MISSING"],
    ["events resend", SANDBOX, "ARGUMENT_MISSING"],
    ["listen --forward-to localhost:3000", SANDBOX, "URL_WRONG"],
    ["listen --events payment.paid", SANDBOX, "EVENT_UNKNOWN"],
    ["keys create --environment live", {}, "OPTIONS_WRONG"],
    ["keys create --scopes=", {}, "OPTIONS_WRONG"],
    ["keys create --merchant=", {}, "OPTIONS_WRONG"],
    ["keys create --environment=", {}, "OPTIONS_WRONG"],
    ["payments --status=", SANDBOX, "OPTIONS_WRONG"],
    ["payments --url=", SANDBOX, "OPTIONS_WRONG"],
    ["payments --directory=", SANDBOX, "OPTIONS_WRONG"],
    ["payments --url http://user:hidden@localhost:9", SANDBOX, "URL_WITH_PASSWORD"],
    ["payments --url user:hidden@localhost", SANDBOX, "URL_WRONG"],
  ])("%s", async (typed, env, code) => {
    const ran = await runIt(`${typed} --json`, env)
    expect([ran.code, JSON.parse(ran.out).error.code]).toEqual([2, code])
    const forPeople = await runIt(typed, env)
    expect([forPeople.code, forPeople.out]).toEqual([2, ""])
    expect(forPeople.err).toContain(JSON.parse(ran.out).error.fix)
    expect(ran.out + forPeople.err.replace(typed, "")).not.toContain("hidden")
  })

  it.each([
    ["payments --stauts=SUCCESS", "There is no option --stauts."],
    ["payments -x", "There is no option -x."],
    ["payments --constructor=a", "There is no option --constructor."],
    ["payments --status", "--status needs a value."],
    ["payments --status -h", "--status needs a value."],
    ["payments --help=yes", "--help takes no value."],
  ])("%s: the option is named in words of our own", async (typed, message) => {
    const { code, err } = await runIt(typed, SANDBOX)
    expect([code, err]).toEqual([
      2,
      `error ${message}\nRun \`npm exec --no -- medusa-payment-gateway payments --help\`.\n`,
    ])
  })

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    "%s: no option may be empty",
    async (_, command) => {
      const rest = (command.arguments ?? []).map(() => "3d")
      for (const [option, { type }] of Object.entries(command.options ?? {}).filter(
        ([, { type }]) => type === "string"
      )) {
        const line = [command.name, ...rest, `--${option}=`, "--json"].join(" ")
        const { code, out } = await runIt(line, SANDBOX)
        expect([type, code, JSON.parse(out).error.message]).toEqual(["string", 2, `--${option} is empty.`])
      }
    }
  )

  it("an empty argument is missing: the list of all events is no event", async () => {
    const { code, out } = await runIt("events resend  --json", SANDBOX)
    expect([code, JSON.parse(out).error.code]).toEqual([2, "ARGUMENT_MISSING"])
  })

  it("listen prints an error as one line, like everything else", async () => {
    const { out } = await runIt("listen --json --nonsense", SANDBOX)
    expect(out.trimEnd().split("\n")).toHaveLength(1)
    expect(JSON.parse(out).error.message).not.toBe("")
  })

  it("an unknown event: the names of all events", async () => {
    const { err } = await runIt("trigger payment.paid", SANDBOX)
    expect(err).toContain("payment.succeeded, payment.failed")
    expect(err).toContain("dispute.closed")
  })
})

describe("exit code 1: what is not possible", () => {
  it.each([
    ["payments", {}, "URL_UNSET"],
    ["payments", { GATEWAY_PUBLIC_URL: "http://localhost:9000" }, "API_KEY_UNSET"],
    ["payments", { ...SANDBOX, GATEWAY_API_KEY: `${KEY}\u0001` }, "API_KEY_WRONG"],
    ["clock", { ...SANDBOX, GATEWAY_API_KEY: `sk_live_${"a".repeat(43)}` }, "API_KEY_NOT_SANDBOX"],
    ["listen", { ...SANDBOX, WEBHOOK_SECRET: "too-short" }, "WEBHOOK_SECRET_WRONG"],
    ["keys create", {}, "NOT_A_STORE"],
    ["rotate-secrets", {}, "NOT_A_STORE"],
    ["init --yes", {}, "NOT_A_STORE"],
  ])("%s: with %j", async (typed, env, code) => {
    const ran = await runIt(`${typed} --json`, env as Record<string, string>)
    expect([ran.code, JSON.parse(ran.out).error.code]).toEqual([1, code])
    expect(ran.out).not.toContain(KEY)
  })

  it.each(["keys create", "init --yes"])("%s outside a store: the folder, and the way out", async (typed) => {
    const { err } = await runIt(typed)
    expect(err).toContain("/nowhere is not the folder of a Medusa store: it has no medusa-config.")
    expect(err).toContain("--directory PATH")
  })

  it("keys create where Medusa is not installed", async () => {
    const directory = mkdtempSync(join(tmpdir(), "gateway-cli-"))
    try {
      writeFileSync(join(directory, "medusa-config.ts"), "")
      const { code, err } = await runIt("keys create", {}, { directory })
      expect([code, err]).toEqual([1, expect.stringContaining(`@medusajs/medusa is not installed in ${directory}`)])
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it("Ctrl-C in doctor: what was broken off is no finding", async () => {
    const { code, out } = await runIt("doctor --json", {}, { stop: AbortSignal.abort() })
    expect([code, JSON.parse(out).error.code]).toEqual([1, "STOPPED"])
  })

  it("a reader that leaves stops the command; another error of the output is thrown", () => {
    const stop = new AbortController()
    const output = new EventEmitter()
    stopWithReader(output, stop)
    expect(() => output.emit("error", Object.assign(new Error("full"), { code: "ENOSPC" }))).toThrow("full")
    expect(stop.signal.aborted).toBe(false)
    output.emit("error", Object.assign(new Error("left"), { code: "EPIPE" }))
    expect(stop.signal.aborted).toBe(true)
  })

  it("Ctrl-C: the command says that it has not done it", async () => {
    const { code, out } = await runIt("clock --json", SANDBOX, { stop: AbortSignal.abort() })
    expect([code, JSON.parse(out).error.code]).toEqual([1, "STOPPED"])
  })

  it("no key and no secret is ever an option", () => {
    const options = COMMANDS.flatMap((command) => Object.keys(command.options ?? {}))
    expect(options.filter((name) => /key|secret|password|token/.test(name))).toEqual([])
  })
})

describe("calls to the gateway", () => {
  let server: Server
  let url: string
  let requests: IncomingMessage[]
  let answers: { status: number; body: string; headers?: Record<string, string>; breaksOff?: true }[]

  beforeEach(async () => {
    requests = []
    answers = []
    server = createServer((request, response) => {
      requests.push(request)
      const { status, body, headers, breaksOff } = answers.shift() ?? { status: 500, body: "" }
      if (breaksOff === true) {
        response.writeHead(status, { "Content-Length": "1000" }).write(body, () => response.destroy())
        return
      }
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((done) => server.listen(0, "localhost", done))
    url = `http://localhost:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => new Promise((done) => server.close(done)))

  const list = JSON.stringify({ success: true, data: [], meta: { total: 0 } })
  const payments = (line = "payments") => runIt(`${line} --json`, { GATEWAY_API_KEY: KEY, GATEWAY_PUBLIC_URL: url })

  it("the key goes into the contract's header, the filters into the query", async () => {
    answers.push({ status: 200, body: list })
    const { code } = await payments("payments --status success --from 2026-01-31 --limit 5")
    expect(code).toBe(0)
    expect(requests[0].headers["x-merchant-api-key"]).toBe(KEY)
    expect(requests[0].url).toBe("/api/v2/payments?status=SUCCESS&from=2026-01-31T00%3A00%3A00.000Z&per_page=5")
  })

  it.each(["/", "/api/v2", "/api/v2/"])("the address may end in %p", async (end) => {
    answers.push({ status: 200, body: list })
    await payments(`payments --url ${url}${end}`)
    expect(requests[0].url).toBe("/api/v2/payments")
  })

  it("a refusal: the gateway's code, its request and what to do", async () => {
    const error = { code: "INVALID_API_KEY", message: "No such key", request_id: "r-1" }
    answers.push({ status: 401, body: JSON.stringify({ success: false, error }) })
    const { code, out } = await payments()
    expect(code).toBe(1)
    expect(JSON.parse(out).error).toMatchObject({
      code: "API_REFUSED",
      params: { api_code: "INVALID_API_KEY", status: 401, request_id: "r-1" },
      fix: expect.stringContaining("keys create"),
    })
    expect(out).not.toContain(KEY)
  })

  it("a refused rate is waited for once", async () => {
    answers.push({ status: 429, body: "{}", headers: { "Retry-After": "1" } }, { status: 200, body: list })
    expect((await payments()).code).toBe(0)
    expect(requests).toHaveLength(2)
  })

  it.each([
    ["HTML", 404, "<html>"],
    ["JSON of somebody else", 404, '{"type":"not_found"}'],
    ["a redirect", 301, ""],
    ["null", 200, "null"],
    ["a list", 200, "[]"],
    ["a success of somebody else", 200, '{"ok":true}'],
    ["an error of somebody else", 404, '{"error":"not found"}'],
    ["another error of somebody else", 404, '{"error":{"code":7}}'],
  ])("%s is not the gateway", async (_name, status, body) => {
    answers.push({ status, body })
    expect(JSON.parse((await payments()).out).error).toMatchObject({ code: "GATEWAY_NOT_THERE", params: { status } })
  })

  it.each([502, 503, 504])("a proxy's %i: the gateway behind it does not answer", async (status) => {
    answers.push({ status, body: "<html>" })
    expect(JSON.parse((await payments()).out).error).toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      params: { reason: `a proxy answers ${status}` },
    })
  })

  it("an answer that breaks off is no answer", async () => {
    answers.push({ status: 200, body: '{"data":', breaksOff: true })
    expect(JSON.parse((await payments()).out).error.code).toBe("GATEWAY_UNREACHABLE")
  })

  describe("clock advance", () => {
    const moved = JSON.stringify({ data: { now: "2026-02-01T00:00:00.000Z", offset_seconds: 1, processed: {} } })
    const inUse = JSON.stringify({ error: { code: "IDEMPOTENCY_KEY_IN_USE", message: "It still runs" } })

    it("asks again with the same key after a broken connection, until the first request is done", async () => {
      const broken = { status: 200, body: "{", breaksOff: true } as const
      answers.push(broken, { status: 409, body: inUse }, { status: 200, body: moved })
      const { code, out } = await payments("clock advance 30d")
      expect([code, JSON.parse(out).offset_seconds]).toEqual([0, 1])
      const keys = requests.map(({ headers }) => headers["idempotency-key"])
      expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([3, 1, "string"])
    })

    it("says that the clock may have moved when no answer shows it", async () => {
      answers.push(...[502, 504, 502].map((status) => ({ status, body: "" })))
      const { code, out } = await payments("clock advance 30d")
      expect([code, JSON.parse(out).error.code, requests.length]).toEqual([1, "CLOCK_UNKNOWN", 3])
    })

    it("Ctrl-C: says that the clock may have moved or still be moving, and how to look", async () => {
      const stop = new AbortController()
      server.once("request", () => stop.abort())
      const env = { GATEWAY_API_KEY: KEY, GATEWAY_PUBLIC_URL: url }
      const { code, err } = await runIt("clock advance 30d", env, { stop: stop.signal })
      expect([code, requests.length]).toEqual([1, 1])
      expect(err).toContain("has not said whether it has moved the clock: the command was stopped.")
      expect(err).toContain("Look with `npm exec --no -- medusa-payment-gateway clock`")
    })
  })

  describe("trigger with samples", () => {
    const event = "dispute.created"
    const endpoints = ["one", "two", "three"].map((name) => ({
      endpoint_url: `https://${name}.example.com/`,
      event_types: ["*"],
      is_active: true,
    }))
    const data = (value: unknown) => ({ status: 200, body: JSON.stringify({ success: true, data: value }) })
    const taken = data({ delivered: true, status_code: 200 })

    it("goes to every endpoint, shows who has it, and then fails for those that have not", async () => {
      const refusal = { status: 400, body: JSON.stringify({ error: { code: "INVALID_CALLBACK_URL", message: "No" } }) }
      answers.push(data(endpoints), data({ delivered: false, status_code: 500 }), refusal, taken)
      const { code, out } = await payments(`trigger ${event}`)
      const { receivers, error } = JSON.parse(out)
      expect([code, error.code]).toEqual([1, "SAMPLE_NOT_DELIVERED"])
      expect(receivers.map((one: { delivered: boolean }) => one.delivered)).toEqual([false, false, true])
      expect(error.params).toMatchObject({ failed: 2, count: 3, reasons: expect.stringContaining("it answered 500") })
    })

    it("shows what was sent before the gateway was gone", async () => {
      answers.push(data(endpoints), taken, { status: 502, body: "" })
      const env = { GATEWAY_API_KEY: KEY, GATEWAY_PUBLIC_URL: url }
      const { code, out, err } = await runIt(`trigger ${event}`, env)
      expect([code, out.split("\n").length]).toEqual([1, 2])
      expect(out).toContain("https://one.example.com/")
      expect(err).toContain("a proxy answers 502")
    })
  })

  it("events resend: what was sent before the gateway was gone is shown", async () => {
    const data = (value: unknown) => ({ status: 200, body: JSON.stringify({ success: true, data: value }) })
    const row = (id: number) => ({ id, url: `https://shop.example.com/${id}`, status: "pending" })
    const gone = {
      status: 409,
      body: JSON.stringify({ error: { code: "INVALID_STATE_TRANSITION", message: "It is off" } }),
    }
    const typed = "events resend e-1"
    const env = { GATEWAY_API_KEY: KEY, GATEWAY_PUBLIC_URL: url }
    const given = () => [
      data({ event_id: "e-1" }),
      data([row(1), row(2), row(3)]),
      gone,
      data(row(2)),
      { status: 502, body: "" },
    ]
    answers.push(...given())
    const { code, out } = await payments(typed)
    const { deliveries, refused, error } = JSON.parse(out)
    expect([code, error.code]).toEqual([1, "GATEWAY_UNREACHABLE"])
    expect([deliveries.length, refused.length]).toEqual([1, 1])
    answers.push(...given())
    const forPeople = await runIt(typed, env)
    expect(forPeople.out).toContain("https://shop.example.com/2")
    expect(forPeople.err).toMatch(/It is off[\s\S]*a proxy answers 502/)
  })

  it("events resend: a proxy's own 404 is no refusal of a delivery", async () => {
    const data = (data: unknown) => JSON.stringify({ success: true, data })
    answers.push(
      { status: 200, body: data({ event_id: "e-1" }) },
      { status: 200, body: data([{ id: 1, url: "https://shop.example.com/hook", status: "FAILED" }]) },
      { status: 404, body: "<html>" }
    )
    const { code, out } = await payments("events resend e-1")
    expect([code, JSON.parse(out).error.code]).toEqual([1, "GATEWAY_NOT_THERE"])
  })

  it("nobody answers: GATEWAY_UNREACHABLE", async () => {
    await new Promise((done) => server.close(done))
    expect(JSON.parse((await payments()).out).error.code).toBe("GATEWAY_UNREACHABLE")
    await new Promise<void>((done) => server.listen(0, "localhost", done))
  })

  it("rows for people: a short table, without colours where nobody looks", async () => {
    const payment = {
      transaction_id: "txn1",
      order_id: "A-\u001b[31m1",
      status: "FAILED",
      amount: "100.00",
      currency: "BDT",
      payment_method: "",
      error_code: "CARD_DECLINED",
      created_at: "2026-01-31T12:00:00.000Z",
    }
    answers.push({ status: 200, body: JSON.stringify({ success: true, data: [payment], meta: { total: 1 } }) })
    const { out } = await runIt("payments", { GATEWAY_API_KEY: KEY, GATEWAY_PUBLIC_URL: url })
    expect(out).toBe(
      "CREATED               STATUS                AMOUNT      METHOD  ORDER     TRANSACTION\n" +
        "2026-01-31T12:00:00Z  FAILED CARD_DECLINED  100.00 BDT  -       A- [31m1  txn1\n"
    )
  })
})

describe("lengths of time", () => {
  it.each([
    ["30s", 30],
    ["5m", 300],
    ["12h", 43_200],
    ["3d", 259_200],
    ["2w", 1_209_600],
    ["1d12h", 129_600],
  ])("%s", (text, seconds) => expect(parseDuration(text)).toBe(seconds))

  it.each(["", "0d", "3", "d", "-3d", "3 d", "1.5h", "3y", "3D", "9999999999d"])("%p is none", (text) => {
    expect(() => parseDuration(text)).toThrow(Failure)
  })
})

describe("variables", () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-env-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("the process wins over .env, and .env over .env.production; a missing file is no error", () => {
    writeFileSync(join(folder, ".env"), 'ONE=file\nTWO="of file"\n')
    writeFileSync(join(folder, ".env.production"), "TWO=named\nTHREE=named\n")
    const env = { NODE_ENV: "production", ONE: "", GONE: undefined }
    expect(withEnvFiles(env, folder)).toEqual({ NODE_ENV: "production", ONE: "", TWO: "of file", THREE: "named" })
    expect(withEnvFiles({ A: "1" }, join(folder, "nowhere"))).toEqual({ A: "1" })
  })

  it("$NAME stands for another variable where Medusa is installed, as for Medusa; elsewhere it is text", () => {
    const text =
      "DB_NAME=shop\nDATABASE_URL=postgres://localhost/${DB_NAME}\nPRICE=\\$5\nPORT_URL=http://localhost:$PORT\n"
    const parent = join(__dirname, "../../../.test")
    mkdirSync(parent, { recursive: true })
    const store = mkdtempSync(join(parent, "cli-env-"))
    for (const directory of [store, folder]) {
      writeFileSync(join(directory, ".env"), text)
    }
    const { DATABASE_URL, PRICE, PORT_URL } = withEnvFiles({ PORT: "9100" }, store)
    rmSync(store, { recursive: true })
    expect([DATABASE_URL, PRICE, PORT_URL]).toEqual(["postgres://localhost/shop", "$5", "http://localhost:9100"])
    expect(withEnvFiles({}, folder).DATABASE_URL).toBe("postgres://localhost/${DB_NAME}")
  })
})

describe("words", () => {
  it("every failure has a message and a way out", () => {
    for (const { message, fix } of Object.values(FAULTS)) {
      expect(message.length * fix.length).toBeGreaterThan(0)
    }
  })

  it("a sentence without its parameter is an error, not a hole", () => {
    expect(sentenceOf("{a} of {b}", { a: 1, b: "x" })).toBe("1 of x")
    expect(() => sentenceOf("{a}", {})).toThrow("needs a")
  })

  it("what others have written cannot move the cursor", () => {
    expect(printable("a\u001b[2Jb\nc\td\u0007")).toBe("a [2Jb c d ")
    expect(table(["A", "LONG"], [["1", "x"]])).toBe("A  LONG\n1  x\n")
    expect(table(["A", "B"], [])).toBe("A  B\n")
  })
})
