import { createVerify, X509Certificate } from "node:crypto"
import { httpCall, jsonObject } from "../http-call"
import type { AcquirerContext, Hint, Incoming, Notification } from "../port"
import { textOf } from "../../kernel/text/text"
import { keyIn } from "./answers"

/** Reads a page of Amazon's notification service; anything but status 200 is a throw. */
export type FetchText = (url: string) => Promise<string>

/** SNS in a region by its exact name: anybody may own `sns.s3-us-west-2.amazonaws.com`, a bucket of Amazon's storage. */
const SNS_HOSTS = [
  /^sns\.(?!cn-)[a-z]{2}(?:-gov)?-(?:central|east|west|(?:north|south)(?:east|west)?)-\d{1,2}\.amazonaws\.com$/,
  /^sns\.cn-(?:north|northwest)-\d{1,2}\.amazonaws\.com\.cn$/,
]
/** Payments by the API; the others are payments that customers start themselves, at the till for example. */
const API_PAYMENT = "10002294"
const REFERENCE = /^[A-Za-z0-9]{1,64}$/
const BODY_MAX_BYTES = 262_144
/** Amazon renews its certificate about once a year. */
const CERTIFICATES_MAX = 4

/** What is signed, in this order. */
const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const
type MessageType = keyof typeof SIGNED

/** A stand-in cannot own Amazon's host: where one is configured, it answers for Amazon below /sns. */
export function snsFetch(context: AcquirerContext): FetchText {
  return async (url) => {
    const { pathname, search } = new URL(url)
    const target = context.base_url === undefined ? url : `${context.base_url}/sns${pathname}${search}`
    const answer = await httpCall({ method: "GET", url: target })
    if (answer.status !== 200) {
      throw new Error(`GET ${pathname}: status ${answer.status}`)
    }
    return answer.text
  }
}

/**
 * bKash's webhook: messages of Amazon SNS, signed by Amazon. Anybody can have Amazon sign messages of their own topic,
 * so only messages of the topic that the merchant has registered count.
 */
export class BkashNotifications {
  private readonly certificates = new Map<string, string>()

  constructor(
    private readonly context: AcquirerContext,
    private readonly fetchText: FetchText
  ) {}

  async read({ body }: Incoming): Promise<Notification> {
    const envelope = body.length > BODY_MAX_BYTES ? null : jsonObject(body.toString("utf8"))
    const message = envelope === null ? null : withText(envelope)
    if (message === null) {
      return forged("The body is no message of Amazon SNS")
    }
    const type = message.Type
    if (type !== "Notification" && type !== "SubscriptionConfirmation" && type !== "UnsubscribeConfirmation") {
      return forged("The type of the message is unknown")
    }
    const why = await this.whyForged(message, type)
    if (why !== null) {
      return forged(why)
    }
    if (type === "Notification") {
      return hintOf(message)
    }
    if (type === "SubscriptionConfirmation") {
      await this.subscribe(message)
    } else {
      this.context.logger.warn("bKash: the webhook's subscription was ended")
    }
    return { result: "irrelevant" }
  }

  private async whyForged(message: Record<string, unknown>, type: MessageType): Promise<string | null> {
    const { topic_arn } = this.context.credentials
    if (topic_arn === undefined || topic_arn === "") {
      return "No topic is registered"
    }
    if (message.TopicArn !== topic_arn) {
      return "The message is of another topic"
    }
    if (message.SignatureVersion !== "1" || typeof message.Signature !== "string") {
      return "The message has no signature of version 1"
    }
    const url = amazonUrl(message.SigningCertURL)
    if (url === null || !url.pathname.endsWith(".pem")) {
      return "The certificate is not Amazon's"
    }
    const text = canonicalText(message, type)
    const certificate = await this.certificate(url.href)
    const isSigned =
      text !== null && createVerify("RSA-SHA1").update(text, "utf8").verify(certificate, message.Signature, "base64")
    return isSigned ? null : "The signature is wrong"
  }

  /** Throws when the certificate cannot be had: then the message is not called forged, and Amazon sends it again. */
  private async certificate(url: string): Promise<string> {
    const known = this.certificates.get(url)
    if (known !== undefined) {
      return known
    }
    const key = new X509Certificate(await this.fetchText(url)).publicKey
    const pem = key.export({ type: "spki", format: "pem" }).toString()
    if (this.certificates.size >= CERTIFICATES_MAX) {
      this.certificates.clear()
    }
    this.certificates.set(url, pem)
    return pem
  }

  private async subscribe(message: Record<string, unknown>): Promise<void> {
    const url = amazonUrl(message.SubscribeURL)
    if (url === null) {
      this.context.logger.warn("bKash: a subscription was not confirmed, because its address is not Amazon's")
      return
    }
    await this.fetchText(url.href)
  }
}

function amazonUrl(value: unknown): URL | null {
  if (typeof value !== "string" || !URL.canParse(value)) {
    return null
  }
  const url = new URL(value)
  const isAmazons = SNS_HOSTS.some((host) => host.test(url.hostname))
  return isAmazons && url.protocol === "https:" && url.port + url.username + url.password === "" ? url : null
}

/** Some messages have the payment as an object. Amazon signs text only: the JSON that the object was made of. */
function withText(message: Record<string, unknown>): Record<string, unknown> {
  const { Message } = message
  return typeof Message === "object" && Message !== null ? { ...message, Message: JSON.stringify(Message) } : message
}

/** "Key\nvalue\n" for each signed field that is there; null when one of them is no text. */
function canonicalText(message: Record<string, unknown>, type: MessageType): string | null {
  const present = SIGNED[type].filter((name) => message[name] !== undefined)
  return present.every((name) => typeof message[name] === "string")
    ? present.map((name) => `${name}\n${textOf(message[name])}\n`).join("")
    : null
}

function hintOf(message: Record<string, unknown>): Notification {
  const payment = jsonObject(textOf(message.Message))
  const key = keyIn(textOf(payment?.merchantInvoiceNumber))
  const trxID = textOf(payment?.trxID)
  const isOurs = textOf(payment?.transactionType ?? API_PAYMENT) === API_PAYMENT
  if (payment === null || !isOurs || key === null) {
    return { result: "irrelevant" }
  }
  const hint: Hint = {
    about: "payment",
    key,
    claims: payment.transactionStatus === "Completed" ? "paid" : "unclear",
  }
  return { result: "hint", hint: REFERENCE.test(trxID) ? { ...hint, references: { trxID } } : hint }
}

const forged = (why: string): Notification => ({ result: "forged", why })
