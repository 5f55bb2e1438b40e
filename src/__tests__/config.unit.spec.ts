import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { GatewayError, said } from "../acquirers"
import type {
  Absent,
  Acquirer,
  AcquirerSetting,
  AttemptRequest,
  DisputeFound,
  Done,
  Hint,
  Incoming,
  Instrument,
  Notification,
  PaymentRequest,
  Redirect,
  RefundRequest,
  Refused,
  Unknown,
} from "../acquirers"
import { withPaymentGateway } from "../config"

const ROOT = resolve(__dirname, "../..")

const PROVIDER = { resolve: "medusa-payment-gateway/providers/gateway-payment", id: "default" }
const CASH = { resolve: "medusa-payment-gateway/providers/gateway-cod", id: "cod" }
const PAYMENT = {
  resolve: "@medusajs/medusa/payment",
  dependencies: ["gateway", "query"],
  options: { providers: [PROVIDER, CASH] },
}

describe("withPaymentGateway", () => {
  it("adds the plugin with its options and the payment provider to an empty configuration", () => {
    const options = { storeMerchantName: "Nakshi House" }
    expect(withPaymentGateway({}, options)).toEqual({
      plugins: [{ resolve: "medusa-payment-gateway", options }],
      modules: [PAYMENT],
    })
  })

  it("keeps what the host has: plugins, modules, other payment providers and their options", () => {
    const other = { resolve: "@example/provider", id: "other", options: { apiKey: "k" } }
    const config = {
      projectConfig: { databaseUrl: "postgres://localhost/shop" },
      plugins: ["@example/plugin"],
      modules: [
        { resolve: "@example/module" },
        {
          resolve: "@medusajs/medusa/payment",
          dependencies: ["logger"],
          options: { providers: [other], webhook_delay: 5 },
        },
      ],
    }
    expect(withPaymentGateway(config as never)).toEqual({
      projectConfig: config.projectConfig,
      plugins: ["@example/plugin", { resolve: "medusa-payment-gateway", options: {} }],
      modules: [
        { resolve: "@example/module" },
        {
          resolve: "@medusajs/medusa/payment",
          dependencies: ["logger", "gateway", "query"],
          options: { providers: [other, PROVIDER, CASH], webhook_delay: 5 },
        },
      ],
    })
    expect(config.modules).toHaveLength(2)
    expect(config.plugins).toHaveLength(1)
  })

  it("understands modules by key, and a payment module that is only switched on", () => {
    const { modules } = withPaymentGateway({ modules: { payment: true, cache: false } } as never)
    expect(modules).toEqual({ payment: PAYMENT, cache: false })
  })
})

describe("what a host imports", () => {
  it("every export of the package is compiled from a source; the admin's is built by Medusa", () => {
    const { exports } = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8"))
    const targets = Object.values(exports).filter(
      (target) => typeof target === "string" && /server\/src\/[^*]*$/.test(target)
    )
    const sources = targets.map((target) => String(target).replace("./.medusa/server/", "").replace(/js$/, "ts"))
    expect(sources).toEqual(expect.arrayContaining(["src/workflows/index.ts", "src/acquirer-tests/index.ts"]))
    expect(sources.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([])
  })
})

/** An acquirer as a host writes it, with nothing but what `medusa-payment-gateway/acquirers` exports. */
class MyBank implements Acquirer {
  readonly id = "my_bank"
  readonly flow = "redirect"

  check({ method }: Instrument): void {
    if (method !== "card") {
      throw new GatewayError("VALIDATION_ERROR", said("The bank takes cards alone"), { field: "payment_method" })
    }
  }

  async start({ key, amount }: PaymentRequest): Promise<Done | Refused | Unknown | Redirect> {
    return { result: "redirect", url: `https://bank.example/${key}/${amount}` }
  }

  async query({ key, amount, currency }: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    return { result: "done", reference: key, amount, currency }
  }

  async refund({ payment }: RefundRequest): Promise<Done | Refused | Unknown> {
    return { result: "refused", code: "REFUND_NOT_ALLOWED", message: payment.reference }
  }

  async refundStatus(): Promise<Done | Refused | Unknown | Absent> {
    return { result: "absent" }
  }

  async dispute(): Promise<DisputeFound | Absent | Unknown> {
    return { result: "unknown", message: "asked by hand" }
  }

  readReturn({ target }: Incoming): Hint {
    return { about: "payment", claims: target.endsWith("paid") ? "paid" : "unclear" }
  }

  async readNotification(): Promise<Notification> {
    return { result: "irrelevant" }
  }
}

describe("docs/acquirers.md: an adapter of a host's own", () => {
  const read = (path: string) => readFileSync(resolve(ROOT, path), "utf8")

  it("is written with what the documented path exports, and configured", () => {
    const setting: AcquirerSetting = { environment: "production", services: ["CARD"], create: () => new MyBank() }
    expect(withPaymentGateway({}, { acquirers: [setting] })).toMatchObject({
      plugins: [{ resolve: "medusa-payment-gateway", options: { acquirers: [setting] } }],
    })
    let refusal: unknown
    try {
      setting.create().check({ method: "wallet" })
    } catch (error) {
      refusal = error
    }
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", field: "payment_method", status: 422 })
    expect((refusal as Error).message).toBe("The bank takes cards alone")
  })

  it("finds there every type that the port names", () => {
    const { exports } = JSON.parse(read("package.json")) as { exports: Record<string, string> }
    expect([exports["./acquirers"], exports["./*"]]).toEqual([undefined, "./.medusa/server/src/*.js"])
    expect(read("docs/acquirers.md")).toContain('from "medusa-payment-gateway/acquirers"')
    const published = read("src/acquirers.ts")
    for (const name of ["port", "dispute-port", "authorization-port", "settlement-port"]) {
      expect(published).toContain(`export type * from "./modules/gateway/acquirers/${name}"`)
    }
    const port = read("src/modules/gateway/acquirers/port.ts")
    const imported = [
      ...port.matchAll(/^import type \{ (.+) \} from "\.(?!\/(?:dispute|authorization|settlement)-port)/gm),
    ]
    const names = imported.flatMap(([, list]) => list.split(", "))
    expect(names).toEqual(expect.arrayContaining(["CustomerDetails", "OrderItem", "PaymentMethod"]))
    const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(published))
    expect(missing).toEqual([])
  })
})
