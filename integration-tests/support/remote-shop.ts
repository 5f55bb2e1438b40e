import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"
import { signatureHeaders } from "../../src/modules/gateway/webhooks/signature"
import { settleRemotePayments } from "../../src/store/remote/settle-due-payments"
import { CartShop, type Cart } from "./carts"
import { expectLoggedErrors } from "./logged-errors"
import { OtherDeployment } from "./other-deployment"
import { setStock } from "./stock"
import { useStore, type Store } from "./store"

export const REMOTE_PROVIDER = "pp_gateway_remote"

/** What a payment session of the remote provider shows. */
export interface RemoteData {
  session_id: string
  transaction_id: string
  order_id: string
  checkout_url: string
}

/** A cart whose checkout is open in the other deployment. */
export interface Opened {
  cart: Cart
  id: string
  data: RemoteData
}

/** A store whose gateway runs in another deployment: two real stores, each with its own database. */
export class RemoteShop {
  readonly other = new OtherDeployment()
  readonly store: Store
  webhookSecret!: string
  ipnSecret!: string
  shop!: CartShop
  payments!: IPaymentModuleService
  #shoppers = 0

  constructor() {
    this.store = useStore({
      container: true,
      shop: true,
      env: async ({ url }) => {
        await this.other.start()
        this.webhookSecret = await this.other.register(`${url}/hooks/payment/gateway_remote`)
        this.ipnSecret = await this.other.ipnSecret()
        return {
          GATEWAY_REMOTE_URL: `${this.other.way.url}/api/v2`,
          GATEWAY_REMOTE_API_KEY: this.other.key,
          GATEWAY_REMOTE_WEBHOOK_SECRET: this.webhookSecret,
          GATEWAY_REMOTE_IPN_SECRET: this.ipnSecret,
          TRUSTED_PROXIES: "127.0.0.1,::1",
        }
      },
      prepare: async (booted) => {
        this.shop = new CartShop(booted, REMOTE_PROVIDER)
        await this.shop.open()
        const update = { payment_providers: [REMOTE_PROVIDER, "pp_gateway_default"] }
        await updateRegionsWorkflow(booted.container).run({ input: { selector: { id: this.shop.regionId }, update } })
        this.payments = booted.container.resolve(Modules.PAYMENT)
      },
    })
    afterAll(() => this.other.close())
    afterEach(() => {
      this.other.way.shut = false
      this.other.way.cut = null
      this.other.way.answerless = 0
      this.other.way.remaining = null
      this.other.announces = false
    })
  }

  readonly newAddress = (): string => `203.0.${Math.floor(++this.#shoppers / 250)}.${(this.#shoppers % 250) + 1}`

  readonly open = async (requests?: Record<string, unknown>, items?: Record<string, number>): Promise<Opened> => {
    this.shop.address = this.newAddress()
    const { cart, session } = await this.shop.checkout(items, requests)
    return { cart, id: session.id, data: session.data as unknown as RemoteData }
  }

  /** Opens the address to which the other deployment sends the shopper, without following redirects. */
  readonly comeBack = ({ data }: Opened, from = this.newAddress()): Promise<Response> =>
    fetch(
      `${this.store.url}/gateway/remote/return?transaction_id=${data.transaction_id}&status=SUCCESS&order_id=${data.order_id}`,
      { redirect: "manual", headers: { "x-forwarded-for": from } }
    )

  /** What Medusa makes of a delivery, without its delay of five seconds. */
  readonly understood = (body: string, headers: Record<string, string>) =>
    this.payments.getWebhookActionAndData({
      provider: "gateway_remote",
      payload: { data: JSON.parse(body), rawData: Buffer.from(body), headers },
    })

  /** Makes payments so old that no notification will come any more, and due. */
  readonly letItBeLongAgo = async (...ids: string[]): Promise<void> => {
    const ago = new Date(Date.now() - 10 * 60_000)
    await this.store
      .db("gateway_remote_payment")
      .whereIn("payment_session_id", ids)
      .update({ created_at: ago, next_ask_at: ago })
  }

  /**
   * As if two minutes had gone by since Medusa began to make the cart's order, whose process was killed or whose rollback
   * did not happen: neither its lock nor its age protects it any more. True when there was such an order.
   */
  readonly letOrderBeLeft = async ({ cart, id }: Opened): Promise<boolean> => {
    const [left] = await this.shop.ordersOf(cart.id)
    if (left === undefined) {
      return false
    }
    const ago = (seconds: number) => ({ created_at: new Date(Date.now() - seconds * 1_000) })
    await this.store.db("payment").where({ payment_session_id: id }).update(ago(240))
    await this.store.db("order").where({ id: left }).update(ago(180))
    await this.store.container.resolve(Modules.LOCKING).release(cart.id)
    return true
  }

  /**
   * Tries to make the order while nothing is in stock. Medusa sometimes does not roll back on a busy machine
   * (docs/decisions/0014): then one of the worker's next runs does, as it would two minutes later.
   */
  readonly whileSoldOut = async (opened: Opened, tryIt: () => Promise<unknown>): Promise<void> => {
    await setStock(this.store, "CUSHION-40", 0)
    await tryIt()
    for (let left = 5; left > 0 && (await this.letOrderBeLeft(opened)); left--) {
      await this.letItBeLongAgo(opened.id)
      await settleRemotePayments(this.store.container)
    }
    await setStock(this.store, "CUSHION-40", 500)
  }

  readonly paymentOf = async ({ id }: Opened): Promise<string> => {
    const [payment] = await this.payments.listPayments({ payment_session_id: id })
    return payment.id
  }

  readonly refund = (payment_id: string, amount: number) => this.payments.refundPayment({ payment_id, amount })

  readonly onTheOtherSide = async ({ data }: { data: Pick<RemoteData, "transaction_id"> }): Promise<string> =>
    (await this.other.call("GET", `/payments/verify/${data.transaction_id}`)).body.data.status
}

export function signed(
  event: Record<string, unknown>,
  secret: string,
  at = Date.now()
): [string, Record<string, string>] {
  const body = JSON.stringify(event)
  return [
    body,
    signatureHeaders({ secrets: [secret], format: "hex", id: "event", timestamp: Math.floor(at / 1_000), body }),
  ]
}

export const succeeded = ({ data }: Opened) => ({
  event_id: "e",
  event_type: "payment.succeeded",
  data: { transaction_id: data.transaction_id, order_id: data.order_id },
})

expectLoggedErrors(
  /Error was thrown trying to authorize payment session/,
  /An error occurred while processing payment\./,
  /What the gateway has verified is not the payment of this cart/,
  /The amount of the payment session is not its checkout's/,
  /Could not delete all payment sessions/,
  /could not be settled with the payment gateway/,
  /The payment is being confirmed/,
  /trying to delete payment session/,
  // Medusa handles a delivery five seconds after it came: the last ones find the file's store closed.
  /Unable to acquire a connection/
)
