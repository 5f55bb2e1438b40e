import { notifyDisabledEndpoints } from "../../src/store/notifications"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { mailProviderOf, notificationsOf } from "../support/mails"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"

/** In this process: the tests replace the mail provider and read what Medusa's notification module received. */
const store = useStore({ production: false })
const receiver = useReceiver()

const notifications = () => notificationsOf(store)
const provider = () => mailProviderOf(store)

describe("the merchant of a disabled endpoint is notified by e-mail (decisions: Webhooks)", () => {
  type Endpoint = { id: number; uuid: string }
  const register = async (merchant: ApiMerchant): Promise<Endpoint> => {
    const answer = await merchant.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/gone`,
      event_types: ["*"],
    })
    return answer.body.data as unknown as Endpoint
  }
  const pay = async (merchant: ApiMerchant) => merchant.pay((await merchant.open()).session_id)
  const TEMPLATE = "gateway-webhook-endpoint-disabled"

  async function disabled(email?: string): Promise<{ merchant: ApiMerchant; endpoint: Endpoint }> {
    const merchant = await newMerchant(store)
    await gatewayOf(store).merchants.update(merchant.id, { email })
    const endpoint = await register(merchant)
    receiver.answer = (response) => response.writeHead(410).end()
    await pay(merchant)
    await merchant.advance(1)
    return { merchant, endpoint }
  }

  const mails = (to: string) => notifications().listNotifications({ to })
  const notifiedAt = async ({ uuid }: Endpoint) =>
    (await store.db("gateway_webhook_endpoint").where({ uuid }).first("disabled_notified_at")).disabled_notified_at

  it("once, through Medusa's notification module; and again when it is disabled again", async () => {
    const to = "once@merchant.example"
    const { merchant, endpoint } = await disabled(to)
    await notifyDisabledEndpoints(store.container)
    await notifyDisabledEndpoints(store.container)
    expect(await mails(to)).toMatchObject([
      {
        channel: "email",
        template: TEMPLATE,
        status: "success",
        data: {
          endpoint_url: `${receiver.url}/gone`,
          reason: "The receiver answered 410 Gone",
          environment: "sandbox",
          merchant_name: expect.any(String),
        },
      },
    ])
    // The process died after sending and before the update: the same e-mail is not sent twice.
    await store.db("gateway_webhook_endpoint").where({ uuid: endpoint.uuid }).update({ disabled_notified_at: null })
    await notifyDisabledEndpoints(store.container)
    expect(await mails(to)).toHaveLength(1)
    await merchant.call("PATCH", `/merchants/webhooks/${endpoint.id}`, { is_active: true })
    await pay(merchant)
    await merchant.advance(1)
    await notifyDisabledEndpoints(store.container)
    expect(await mails(to)).toHaveLength(2)
  })

  it("not when the merchant switched it off itself, and a merchant without an address is not asked about for ever", async () => {
    const merchant = await newMerchant(store)
    await gatewayOf(store).merchants.update(merchant.id, { email: "self@merchant.example" })
    const own = await register(merchant)
    await merchant.call("PATCH", `/merchants/webhooks/${own.id}`, { is_active: false })
    const { endpoint } = await disabled()
    await notifyDisabledEndpoints(store.container)
    expect(await mails("self@merchant.example")).toHaveLength(0)
    expect([await notifiedAt(own), await notifiedAt(endpoint)]).toEqual([null, expect.any(Date)])
  })

  it("later, when the e-mail could not be sent at first; the others are notified meanwhile", async () => {
    const [first, second] = [await disabled("first@merchant.example"), await disabled("second@merchant.example")]
    const working = provider().send.bind(provider())
    let isAway = true
    // Several go out at the same time, in no order.
    const send = jest.spyOn(provider(), "send").mockImplementation((id, mail) => {
      const fails = isAway && mail.to === "first@merchant.example"
      isAway &&= !fails
      return fails ? Promise.reject(new Error("the mail server is away")) : working(id, mail)
    })
    await notifyDisabledEndpoints(store.container)
    expect([await notifiedAt(first.endpoint), await notifiedAt(second.endpoint)]).toEqual([null, expect.any(Date)])
    await store
      .db("gateway_webhook_endpoint")
      .where({ uuid: first.endpoint.uuid })
      .update({ locked_until: new Date(0) })
    await notifyDisabledEndpoints(store.container)
    expect(await notifiedAt(first.endpoint)).toEqual(expect.any(Date))
    expect(send).toHaveBeenCalledTimes(3)
    send.mockRestore()
  })
})
