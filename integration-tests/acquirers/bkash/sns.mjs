import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto"

/**
 * Amazon SNS as bKash's webhook uses it: a certificate of its own, and messages signed with RSA-SHA1. Node.js makes no
 * certificates, so the few bytes of one are written here.
 */
const tlv = (tag, ...parts) => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts) => tlv(0x30, ...parts)
const SHA256_WITH_RSA = sequence(tlv(0x06, Buffer.from("2a864886f70d01010b", "hex")), tlv(0x05))
const name = (text) =>
  sequence(tlv(0x31, sequence(tlv(0x06, Buffer.from("550403", "hex")), tlv(0x0c, Buffer.from(text)))))
const utcTime = (date) => tlv(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`))

/** A self-signed certificate and its key. */
export function makeSigner(commonName = "sns.amazonaws.com") {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const now = Date.now()
  const body = sequence(
    tlv(0x02, Buffer.from([1])),
    SHA256_WITH_RSA,
    name(commonName),
    sequence(utcTime(new Date(now - 86_400_000)), utcTime(new Date(now + 365 * 86_400_000))),
    name(commonName),
    publicKey.export({ type: "spki", format: "der" })
  )
  const signature = createSign("RSA-SHA256").update(body).sign(privateKey)
  const der = sequence(body, SHA256_WITH_RSA, tlv(0x03, Buffer.from([0]), signature))
  const lines = der.toString("base64").match(/.{1,64}/g)
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    sign: (text) => createSign("RSA-SHA1").update(text, "utf8").sign(privateKey, "base64"),
  }
}

const HOST = "https://sns.ap-southeast-1.amazonaws.com"
const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
}

/** Keys take a while to make, so each process makes two: Amazon's, and a stranger's. */
const signers = new Map()
function signerOf(owner) {
  const signer = signers.get(owner) ?? makeSigner()
  signers.set(owner, signer)
  return signer
}

export class Sns {
  certificatePath = "/SimpleNotificationService-standin.pem"

  constructor(topic) {
    this.topic = topic
    this.tokens = new Set()
  }

  get certificate() {
    return signerOf("amazon").certificate
  }

  /** `asObject`: some messages have the payment itself where others have its JSON; what is signed is the same. */
  notification(payment, { topic = this.topic, forged = false, badHost = false, asObject = false } = {}) {
    return this.#signed(
      { Type: "Notification", Message: asObject ? payment : JSON.stringify(payment), TopicArn: topic },
      { forged, badHost, headers: { "x-amz-sns-message-type": "Notification" } }
    )
  }

  confirmation({ topic = this.topic, subscribeUrl, forged = false } = {}) {
    const Token = createHash("sha256").update(randomUUID()).digest("hex")
    this.tokens.add(Token)
    const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn: topic, Token })
    return this.#signed(
      {
        Type: "SubscriptionConfirmation",
        Token,
        Message: `You have chosen to subscribe to the topic ${topic}.`,
        SubscribeURL: subscribeUrl ?? `${HOST}/?${query}`,
        TopicArn: topic,
      },
      { forged, headers: { "x-amz-sns-message-type": "SubscriptionConfirmation" } }
    )
  }

  /** @returns {{ body: string, headers: Record<string, string> }} */
  #signed(fields, { forged = false, badHost = false, headers }) {
    const message = { ...fields, MessageId: randomUUID(), Timestamp: new Date().toISOString() }
    const text = SIGNED[message.Type]
      .filter((field) => message[field] !== undefined)
      .map((field) => [field, message[field]])
      .map(([field, value]) => `${field}\n${typeof value === "string" ? value : JSON.stringify(value)}\n`)
      .join("")
    const host = badHost ? "https://sns.ap-southeast-1.amazonaws.com.example.com" : HOST
    return {
      body: JSON.stringify({
        ...message,
        SignatureVersion: "1",
        Signature: signerOf(forged ? "stranger" : "amazon").sign(text),
        SigningCertURL: host + this.certificatePath,
        UnsubscribeURL: `${HOST}/?Action=Unsubscribe`,
      }),
      headers: { "content-type": "text/plain; charset=UTF-8", ...headers },
    }
  }
}
