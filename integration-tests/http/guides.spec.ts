import { execFile, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { SANDBOX_CARDS } from "../../src/modules/gateway/acquirers/sandbox-rules"
import { call, newMerchant, orderId, type ApiMerchant } from "../support/api"
import { addEmi } from "../support/emi"
import { ROOT, useStore } from "../support/store"
import { PLANS } from "../support/subscriptions"

/** Runs the samples of examples/api and the commands of the README, docs/guides and docs/operations.md as printed. */

// In this process: the programs send requests that a store in production mode would not find counted.
const store = useStore({ production: false })
const run = promisify(execFile)
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const SAMPLES = join(ROOT, "examples/api")
const PROGRAMS: Record<string, string> = { ".sh": "bash", ".mjs": process.execPath, ".php": "php", ".py": "python3" }
const OUTPUTS: Record<string, RegExp> = {
  createCheckout: /\/pay\/ses_/,
  verifyTransaction: /SUCCESS/,
  createRefund: /rfd_/,
  createPlan: /^\d+$|"id":\d+/,
  createSubscription: /[0-9a-f]{8}-[0-9a-f]{4}-/,
}
const has = (program: string) => spawnSync(program, ["--version"]).status === 0

/** What a reader has who runs the sample: a key, a payment and a plan. */
async function readersEnvironment(merchant: ApiMerchant): Promise<NodeJS.ProcessEnv> {
  const { session_id, transaction_id } = await merchant.open()
  await merchant.pay(session_id)
  const plan = { plan_name: "Tea club", amount: "500.00", interval_count: 1, interval_unit: "MONTH" }
  const { id } = (await merchant.call("POST", PLANS, plan)).body as unknown as { id: number }
  return {
    ...process.env,
    NODE_OPTIONS: "",
    GATEWAY_URL: `${store.url}/api/v2`,
    GATEWAY_KEY: merchant.key,
    TRANSACTION_ID: transaction_id,
    PLAN_ID: String(id),
  }
}

describe("examples/api", () => {
  const samples = readdirSync(SAMPLES).sort()

  it("has each operation in each language", () => {
    const wanted = Object.keys(OUTPUTS).flatMap((name) => Object.keys(PROGRAMS).map((kind) => `${name}${kind}`))
    expect(samples).toEqual(wanted.sort())
  })

  it.each(samples)("%s does what it says, and says why when it is refused", async (name) => {
    const program = PROGRAMS[extname(name)]
    if (!has(program)) {
      return
    }
    const env = await readersEnvironment(await newMerchant(store))
    const { stdout, stderr } = await run(program, [join(SAMPLES, name)], { env })
    expect([stdout.trim(), stderr]).toEqual([expect.stringMatching(OUTPUTS[name.split(".")[0]]), ""])
    const refused = run(program, [join(SAMPLES, name)], { env: { ...env, GATEWAY_KEY: "whsec_of-a-webhook" } })
    const { code, ...output } = (await refused.catch((error) => error)) as {
      code: number
      stdout: string
      stderr: string
    }
    expect(code).toBeGreaterThan(0)
    expect(output.stdout + output.stderr).toMatch(/INVALID_API_KEY|UNAUTHORIZED/)
  })
})

describe("examples/api, when something else answers", () => {
  // As a proxy whose store is down; a success too, because a page to sign in is one.
  const proxy = createServer((request, response) => {
    response.writeHead(request.url?.startsWith("/bad") ? 502 : 200, { "Content-Type": "text/html" }).end("<html>")
  })
  beforeAll(() => new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done)))
  afterAll(() => new Promise((done) => proxy.close(done)))

  it.each(readdirSync(SAMPLES).filter((name) => !name.endsWith(".sh")))("%s fails", async (name) => {
    const program = PROGRAMS[extname(name)]
    if (!has(program)) {
      return
    }
    const { port } = proxy.address() as AddressInfo
    for (const path of ["bad", "good"]) {
      const url = `http://127.0.0.1:${port}/${path}`
      const env = { ...process.env, NODE_OPTIONS: "", GATEWAY_URL: url, GATEWAY_KEY: "sk_test_1" }
      const ran = run(program, [join(SAMPLES, name)], { env: { ...env, TRANSACTION_ID: "txn1", PLAN_ID: "1" } })
      const { code } = (await ran.catch((error) => error)) as { code?: number }
      expect([path, code]).toEqual([path, expect.any(Number)])
    }
  })
})

type Block = { code: string; output: string | null }

/** A folder with a merchant's credentials where the demo writes them. */
function demoFolder(merchant: ApiMerchant): string {
  const folder = mkdtempSync(join(tmpdir(), "guide-"))
  folders.push(folder)
  mkdirSync(join(folder, ".demo"))
  const credentials = { base_url: `${store.url}/api/v2`, api_key: merchant.key }
  writeFileSync(join(folder, ".demo/credentials.json"), JSON.stringify(credentials))
  return folder
}

/** The commands of a guide, each with the output that the guide prints below it. */
function blocksOf(guide: string): Block[] {
  const text = readFileSync(join(ROOT, guide), "utf8")
  const found = [...text.matchAll(/```(sh|text)\n([\s\S]*?)```/g)]
  return found.flatMap(([, kind, code], index) => {
    const next = found[index + 1]
    return kind === "sh" ? [{ code, output: next?.[1] === "text" ? next[2].trim() : null }] : []
  })
}

describe("docs/guides", () => {
  it.each(readdirSync(join(ROOT, "docs/guides")))(
    "%s: its commands print what it says",
    async (guide) => {
      const merchant = await newMerchant(store)
      await addEmi(store, merchant.id)
      const folder = demoFolder(merchant)
      const blocks = blocksOf(join("docs/guides", guide))
      const script = blocks.map(({ code }, index) => `${code}\necho "@@${index}"\n`).join("")
      const env = { ...process.env, NODE_OPTIONS: "" }
      const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, env })
      const outputs = stdout.split(/@@\d+\n/)
      expect(blocks.filter(({ output }) => output !== null).length).toBeGreaterThan(0)
      for (const [index, { code, output }] of blocks.entries()) {
        const printed = outputs[index].trim()
        expect([code, printed]).toEqual([code, output === null ? printed : expect.stringMatching(endOf(output))])
      }
      expect(blocks.at(-1)?.output ?? blocks.at(-2)?.output).toBeTruthy()
    },
    120_000
  )
})

describe("docs/guides/from-woocommerce-or-whmcs.md", () => {
  /** What WordPress and the module have around the callback; the order is the one of the checkout. */
  const around = (callback: string) => `<?php
function wp_unslash($value) { return $value; }
function sanitize_text_field($value) { return $value; }
function wp_remote_get($url, $options) {
  $header = 'X-Merchant-API-Key: ' . $options['headers']['X-Merchant-API-Key'];
  return @file_get_contents($url, false, stream_context_create(['http' => ['header' => $header]]));
}
function wp_remote_retrieve_body($answer) { return (string) $answer; }
function status_header($status) { echo "status $status"; }
function wp_safe_redirect($url) { echo "to $url"; }
class Order {
  public function __construct(private $order) {}
  public function get_order_number() { return $this->order['order_id']; }
  public function get_currency() { return 'BDT'; }
  public function get_total() { return $this->order['order_amount']; }
  public function is_paid() { return $this->order['is_paid']; }
  public function payment_complete($id) { echo "paid by $id, "; }
  public function get_checkout_payment_url() { return 'pay'; }
}
class Module {
  public $api_key;
  public function get_return_url($order) { return 'thanks'; }
  public function callback($order) { ${callback} }
}
parse_str($argv[1], $_GET);
$module = new Module();
$module->api_key = getenv('KEY');
$module->callback(new Order(json_decode($argv[2], true)));`

  it("its callback completes an order for its own, whole payment alone", async () => {
    if (!has("php")) {
      return
    }
    const guide = readFileSync(join(ROOT, "docs/guides/from-woocommerce-or-whmcs.md"), "utf8")
    const [, printed] = /```php\n([\s\S]*?)```/.exec(guide) as RegExpExecArray
    expect(printed).toContain("https://store.example.com")
    const merchant = await newMerchant(store)
    const ask = async (url: string, query: string, order: object) => {
      const code = around(printed.replace("https://store.example.com", url)).replace("<?php", "")
      const env = { ...process.env, KEY: merchant.key }
      return (await run("php", ["-r", code, query, JSON.stringify({ is_paid: false, ...order })], { env })).stdout
    }
    const begin = async (order_amount: string) => {
      const order = { order_id: orderId(), order_amount }
      const opened = await merchant.open(order)
      await merchant.pay(opened.session_id)
      return { order, id: opened.transaction_id, query: `transaction_id=${opened.transaction_id}&status=SUCCESS` }
    }
    const paid = await begin("640.10")
    const declined = await begin("300.00")
    expect([
      await ask(store.url, paid.query, paid.order),
      await ask(store.url, `${paid.query}&ipn=1`, paid.order),
      await ask(store.url, paid.query, { ...paid.order, is_paid: true }),
      await ask(store.url, declined.query, declined.order),
      await ask(store.url, `${declined.query}&ipn=1`, declined.order),
      await ask(store.url, paid.query, declined.order),
      await ask(store.url, paid.query, { ...paid.order, order_amount: "640.20" }),
      await ask(store.url, "status=SUCCESS", paid.order),
      await ask("http://127.0.0.1:9", `${paid.query}&ipn=1`, paid.order),
    ]).toEqual([
      `paid by ${paid.id}, to thanks`,
      `paid by ${paid.id}, status 200`,
      "to thanks",
      "to pay",
      "status 200",
      "to pay",
      "to pay",
      "to pay",
      "status 503",
    ])
  })
})

describe("README.md", () => {
  it("its lines pay and verify a first payment, and register an endpoint", async () => {
    const scripts = ["/payments/checkout", "/merchants/webhooks"].map((path) => {
      const found = blocksOf("README.md").filter(({ code }) => code.includes(path))
      expect(found).toHaveLength(1)
      return found[0].code
    })
    const env = { ...process.env, NODE_OPTIONS: "" }
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", scripts.join("")], {
      cwd: demoFolder(await newMerchant(store)),
      env,
    })
    const answers = stdout.split(/(?=\{"success")/).map((text) => (JSON.parse(text) as { data: object }).data)
    expect(answers.slice(-2)).toMatchObject([
      { verified: true, status: "SUCCESS", amount: "1250.5000" },
      { is_active: true, secret: expect.stringMatching(/^whsec_/) },
    ])
  })
})

describe("docs/operations.md", () => {
  const text = readFileSync(join(ROOT, "docs/operations.md"), "utf8")
  const queries = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query]) => query.trim())

  it.each(queries)("%s", async (query) => {
    await expect(store.db.raw(query)).resolves.toBeDefined()
  })
})

const endOf = (text: string) => new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)

describe("GET /api/v2/sandbox", () => {
  it("lists every test card without a key, and is not sent twice to who has it", async () => {
    const answer = await call(store.url, "GET", "/sandbox")
    expect(answer.status).toBe(200)
    const { cards, amounts } = answer.body.data as unknown as { cards: { number: string }[]; amounts: unknown[] }
    expect(cards.map(({ number }) => number)).toEqual(SANDBOX_CARDS.map(({ number }) => number))
    expect(amounts).toContainEqual({
      amount: "200.00",
      currency: "BDT",
      outcome: "INSUFFICIENT_FUNDS",
      refund: "standard",
    })
    const again = await call(store.url, "GET", "/sandbox", undefined, {
      headers: { "If-None-Match": answer.headers.get("etag") as string },
    })
    expect([again.status, again.text]).toEqual([304, ""])
  })
})
