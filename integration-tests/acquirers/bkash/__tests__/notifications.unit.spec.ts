import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { BkashAcquirer } from "../../../../src/modules/gateway/acquirers/bkash/adapter"
import type { Incoming, Notification } from "../../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, Kept, loadStandIn, type StandIn } from "../stand-in"

describe("bKash: webhook (Amazon SNS)", () => {
  let standIn: StandIn
  let acquirer: BkashAcquirer
  let credentials: Record<string, string>
  let topic: string
  let logged: string[]

  beforeEach(async () => {
    const { startStandIn, CREDENTIALS, TOPIC } = await loadStandIn()
    standIn = await startStandIn()
    topic = TOPIC
    logged = []
    credentials = { ...CREDENTIALS, topic_arn: TOPIC }
    const logger = { warn: (text: string) => void logged.push(text), error: (text: string) => void logged.push(text) }
    acquirer = new BkashAcquirer(contextOf(standIn, credentials, { logger }))
  })
  afterEach(() => standIn.close())

  async function pay(): Promise<{ paymentID: string; key: string; trxID: string }> {
    const kept = new Kept()
    const request = paymentRequest({ service: "BKASH", save: kept.save })
    const started = await kept.of(acquirer.start(request))
    await standIn.shop(started.result === "redirect" ? started.url : "")
    await kept.of(acquirer.confirm({ ...request, references: kept.references }))
    return { paymentID: kept.references.paymentID, key: request.key, trxID: kept.references.trxID }
  }

  const incoming = ({ body, headers }: { body: string; headers: Record<string, string> }): Incoming => ({
    method: "POST",
    target: "/gateway/acquirers/bkash/notify/account",
    headers,
    body: Buffer.from(body),
  })
  const read = (message: { body: string; headers: Record<string, string> }) =>
    acquirer.readNotification(incoming(message))
  const altered = (message: { body: string; headers: Record<string, string> }, fields: Record<string, unknown>) => ({
    ...message,
    body: JSON.stringify({ ...JSON.parse(message.body), ...fields }),
  })

  test("Notification of a Completed payment: a hint that claims paid, by the invoice number", async () => {
    const { paymentID, key, trxID } = await pay()
    expect(await read(standIn.message(paymentID))).toEqual({
      result: "hint",
      hint: { about: "payment", key, references: { trxID }, claims: "paid" },
    })
  })

  test("the order's number before the key is none of the hint; a key that it contains is not taken for ours", async () => {
    const { paymentID, key } = await pay()
    const payload = standIn.book.payments.find((payment) => payment.paymentID === paymentID)
    for (const [invoice, hinted] of [
      [`N3C42XRB-${key}`, key],
      [`${"pay".padEnd(30, "0")}-${key}`, key],
      [`N3C42XRB${key}`, undefined],
      [`${key}-N3C42XRB`, undefined],
    ]) {
      Object.assign(payload ?? {}, { invoice })
      expect(await read(standIn.message(paymentID))).toMatchObject(
        hinted === undefined ? { result: "irrelevant" } : { result: "hint", hint: { key: hinted } }
      )
    }
  })

  test("the payment as an object, where others have its JSON: the same hint; one that was changed is forged", async () => {
    const { paymentID, key, trxID } = await pay()
    const message = standIn.message(paymentID, { asObject: true })
    const hint = { about: "payment", key, references: { trxID }, claims: "paid" }
    expect(await read(message)).toEqual({ result: "hint", hint })
    const { Message } = JSON.parse(message.body)
    expect(await read(altered(message, { Message: { ...Message, amount: "1.00" } }))).toMatchObject({
      result: "forged",
    })
  })

  test("the same message twice is the same hint, and its certificate is fetched once", async () => {
    const { paymentID } = await pay()
    const message = standIn.message(paymentID)
    const fetched: string[] = []
    const counting = new BkashAcquirer(contextOf(standIn, credentials), async (url) => {
      fetched.push(url)
      return (await fetch(`${standIn.url}/sns${new URL(url).pathname}`)).text()
    })
    const first = await counting.readNotification(incoming(message))
    expect(await counting.readNotification(incoming(message))).toEqual(first)
    expect(fetched).toEqual(["https://sns.ap-southeast-1.amazonaws.com/SimpleNotificationService-standin.pem"])
  })

  test("another amount in the message changes nothing in the hint: the core asks bKash", async () => {
    const { paymentID, key } = await pay()
    const answer = await read(standIn.message(paymentID, { fields: { amount: "1.00" } }))
    expect(answer).toMatchObject({ result: "hint", hint: { key, claims: "paid" } })
    expect(JSON.stringify(answer)).not.toContain("1.00")
  })

  test.each([
    ["another status", { transactionStatus: "Failed" }, "unclear"],
    ["no status", { transactionStatus: null }, "unclear"],
  ])("%s: %s", async (_, fields, claims) => {
    const { paymentID } = await pay()
    expect(await read(standIn.message(paymentID, { fields }))).toMatchObject({ result: "hint", hint: { claims } })
  })

  test.each([
    ["a payment at the till", { transactionType: "10003126" }],
    ["an older message without an invoice number", { merchantInvoiceNumber: null }],
    ["an invoice number of another system", { merchantInvoiceNumber: "INV-17" }],
  ])("%s: irrelevant", async (_, fields) => {
    const { paymentID } = await pay()
    expect(await read(standIn.message(paymentID, { fields }))).toEqual({ result: "irrelevant" })
  })

  test("a message of the topic that is no payment: irrelevant", async () => {
    expect(await read(standIn.sns.notification("hello"))).toEqual({ result: "irrelevant" })
  })

  describe("forged", () => {
    const why = async (message: { body: string; headers: Record<string, string> }) => {
      const answer: Notification = await read(message)
      return answer.result === "forged" ? answer.why : answer.result
    }

    test("signed by somebody else", async () => {
      const { paymentID } = await pay()
      expect(await why(standIn.message(paymentID, { forged: true }))).toBe("The signature is wrong")
    })

    test.each([
      ["the payment", { Message: JSON.stringify({ transactionStatus: "Completed" }) }],
      ["the time", { Timestamp: "2020-01-01T00:00:00.000Z" }],
      ["the id", { MessageId: "other" }],
      ["a subject", { Subject: "added" }],
      ["the type", { Type: "SubscriptionConfirmation", Token: "t", SubscribeURL: "https://example.com" }],
      ["a field that is no text", { Message: { transactionStatus: "Completed" } }],
      ["the signature", { Signature: "AAAA" }],
    ])("%s was changed", async (_, fields) => {
      const { paymentID } = await pay()
      expect(await why(altered(standIn.message(paymentID), fields))).toBe("The signature is wrong")
    })

    test("another topic, although Amazon signed it", async () => {
      const { paymentID } = await pay()
      expect(await why(standIn.message(paymentID, { topic: `${topic}x` }))).toBe("The message is of another topic")
    })

    test.each([
      ["another host", "https://sns.ap-southeast-1.amazonaws.com.example.com/a.pem"],
      ["a host of another service of Amazon", "https://sns.s3-us-west-2.amazonaws.com/a.pem"],
      ["a region of China outside China", "https://sns.ap-southeast-1.amazonaws.com.cn/a.pem"],
      ["a host of two letters", "https://sns.ap.amazonaws.com/a.pem"],
      ["a bucket of Amazon's storage", "https://sns.s3-us-west-2.amazonaws.com/a.pem"],
      ["a bucket of Amazon's storage in China", "https://sns.s3-cn-north-1.amazonaws.com.cn/a.pem"],
      ["a website in a bucket", "https://sns.s3-website-us-west-2.amazonaws.com/a.pem"],
      ["no region", "https://sns.anything.amazonaws.com/a.pem"],
      ["a region outside China there", "https://sns.ap-southeast-1.amazonaws.com.cn/a.pem"],
      ["a region of China elsewhere", "https://sns.cn-north-1.amazonaws.com/a.pem"],
      ["capital letters and a dot", "https://SNS.AP-SOUTHEAST-1.amazonaws.com./a.pem"],
      ["a host in front", "https://evil.sns.ap-southeast-1.amazonaws.com/a.pem"],
      ["http", "http://sns.ap-southeast-1.amazonaws.com/a.pem"],
      ["a port", "https://sns.ap-southeast-1.amazonaws.com:8443/a.pem"],
      ["a user", "https://sns.ap-southeast-1.amazonaws.com@example.com/a.pem"],
      ["no certificate", "https://sns.ap-southeast-1.amazonaws.com/a.txt"],
      ["pem only in the query", "https://sns.ap-southeast-1.amazonaws.com/a?b=.pem"],
      ["no URL", "sns"],
    ])("a certificate of %s is not even fetched", async (_, SigningCertURL) => {
      const { paymentID } = await pay()
      expect(await why(altered(standIn.message(paymentID), { SigningCertURL }))).toBe("The certificate is not Amazon's")
    })

    test.each([
      ["an unknown type", { Type: "Other" }, "The type of the message is unknown"],
      ["signature version 2", { SignatureVersion: "2" }, "The message has no signature of version 1"],
      ["no signature", { Signature: null }, "The message has no signature of version 1"],
    ])("%s", async (_, fields, expected) => {
      const { paymentID } = await pay()
      expect(await why(altered(standIn.message(paymentID), fields))).toBe(expected)
    })

    test("no JSON, and too much of it", async () => {
      expect(await why({ body: "a=b", headers: {} })).toBe("The body is no message of Amazon SNS")
      expect(await why({ body: JSON.stringify({ Type: "x".repeat(300_000) }), headers: {} })).toBe(
        "The body is no message of Amazon SNS"
      )
    })

    test("no topic is registered: nothing counts", async () => {
      const { paymentID } = await pay()
      const unregistered = new BkashAcquirer(contextOf(standIn, { ...credentials, topic_arn: "" }))
      expect(await unregistered.readNotification(incoming(standIn.message(paymentID)))).toEqual({
        result: "forged",
        why: "No topic is registered",
      })
    })
  })

  test("the certificate cannot be had: a throw, so that Amazon sends the message again", async () => {
    const { paymentID } = await pay()
    const message = standIn.message(paymentID)
    standIn.faults.add({ on: "certificate", kind: "http", status: 503 })
    await expect(read(message)).rejects.toThrow("status 503")
    expect(await read(message)).toMatchObject({ result: "hint" })
  })

  describe("SubscriptionConfirmation", () => {
    let server: Server
    let url: string
    let received: Notification[]

    /** The gateway's notification route, as far as this adapter is concerned. */
    beforeEach(async () => {
      received = []
      server = createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) {
          chunks.push(chunk as Buffer)
        }
        const { method = "", url: target = "", headers } = request
        received.push(await acquirer.readNotification({ method, target, headers, body: Buffer.concat(chunks) }))
        response.writeHead(200).end(JSON.stringify(received.at(-1)))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`
    })
    afterEach(() => new Promise((resolve) => server.close(resolve)))

    test("is confirmed, and payments are notified from then on", async () => {
      await pay()
      expect(standIn.book.notifications).toEqual([])
      expect(await standIn.subscribe(url)).toBe(200)
      expect(standIn.isSubscribed).toBe(true)
      standIn.faults.add({ on: "notification", kind: "before_answer" })
      await pay()
      expect(standIn.book.notifications.map(({ status }) => status)).toEqual([200, 200])
    })

    test.each([
      ["never", []],
      ["twice", ["hint", "hint"]],
      ["object", ["hint"]],
      ["forged", ["forged"]],
      ["bad_host", ["forged"]],
      ["other_topic", ["forged"]],
    ])("a notification that is sent %s: %j", async (kind, results) => {
      await standIn.subscribe(url)
      standIn.faults.add({ on: "notification", kind })
      const { paymentID } = await pay()
      await standIn.delivered()
      expect(received.slice(1).map(({ result }) => result)).toEqual(results)
      expect(standIn.movements()).toHaveLength(1)
      expect(standIn.book.payments[0].paymentID).toBe(paymentID)
    })

    test("of another topic, or not signed by Amazon: not confirmed", async () => {
      expect(await read(standIn.sns.confirmation({ topic: `${topic}x` }))).toMatchObject({ result: "forged" })
      expect(await read(standIn.sns.confirmation({ forged: true }))).toMatchObject({ result: "forged" })
      expect(standIn.isSubscribed).toBe(false)
    })

    test("an address that is not Amazon's is not visited, signed or not", async () => {
      const visited = jest.fn()
      const watched = new BkashAcquirer(contextOf(standIn, credentials), async (address) => {
        visited(new URL(address).hostname)
        return (await fetch(`${standIn.url}/sns${new URL(address).pathname}`)).text()
      })
      const message = standIn.sns.confirmation({ subscribeUrl: "https://169.254.169.254/latest" })
      expect(await watched.readNotification(incoming(message))).toEqual({ result: "irrelevant" })
      expect(visited.mock.calls).toEqual([["sns.ap-southeast-1.amazonaws.com"]])
    })
  })
})
