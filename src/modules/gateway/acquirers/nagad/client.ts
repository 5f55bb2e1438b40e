import { httpCall, jsonObject, NoAnswer, NotReached, ownAddress } from "../http-call"
import type { AcquirerContext, Refused, Trouble } from "../port"
import { faultOf, type Fault } from "./codes"
import { Envelope } from "./envelope"
import { apiOf } from "./host-rules"
import { privateKeyOf, publicKeyOf } from "./keys"

const MESSAGE_MAX_CHARS = 200

/**
 * What moves money is sent this soon after the core's call, or not at all: after 30 seconds the core gives a call up,
 * and may then decide that nothing was sent.
 */
export const SEND_WITHIN_MS = 15_000

/** `body` is null when the answer was no JSON object; `isEmpty`: it was nothing at all, or `null`. */
export type Answer = { status: number; body: Readonly<Record<string, unknown>> | null; isEmpty: boolean }

type Call = { body?: Readonly<Record<string, unknown>>; query?: Readonly<Record<string, string>> }

/** Sends Nagad's requests, each once. Throws NotReached (nothing was sent) or NoAnswer (it may have acted). */
export class NagadClient {
  readonly merchantId: string
  private readonly base: string
  private readonly address: string
  private keys: Envelope | undefined

  constructor(private readonly context: AcquirerContext) {
    this.base = apiOf(context)
    this.merchantId = context.credentials.merchant_id
    this.address = context.credentials.server_ip ?? ownAddress()
  }

  /** Throws when the account's keys cannot be read, which is checked when they are entered. */
  get envelope(): Envelope {
    if (this.keys === undefined) {
      const own = privateKeyOf(this.context.credentials.private_key)
      const nagads = publicKeyOf(this.context.credentials.public_key)
      if (own === null || nagads === null) {
        throw new Error("The keys of the account at Nagad cannot be read")
      }
      this.keys = new Envelope(own, nagads)
    }
    return this.keys
  }

  async get(path: string): Promise<Answer> {
    return this.send("GET", path, {})
  }

  async post(path: string, call: Call): Promise<Answer> {
    return this.send("POST", path, call)
  }

  /** Why nothing came back, for whoever reads the message: Nagad answers nothing to addresses that it does not know. */
  messageOf(answer: Answer): string {
    if (answer.isEmpty) {
      return `Nagad answered nothing: it must register the address ${this.address} of this server, and the callback`
    }
    const reason = textOf(answer, "reason")
    const sentence = textOf(answer, "message") || textOf(answer, "devMessage") || "no readable answer"
    const code = reason === "" ? `HTTP ${answer.status}` : reason
    return `Nagad ${code}: ${sentence}`.replace(/\s+/g, " ").slice(0, MESSAGE_MAX_CHARS)
  }

  private async send(method: "GET" | "POST", path: string, { body, query }: Call): Promise<Answer> {
    const url = new URL(this.base + path)
    Object.entries(query ?? {}).forEach(([name, value]) => url.searchParams.set(name, value))
    try {
      const { status, text } = await httpCall({
        method,
        url: url.href,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "x-km-api-version": "v-0.2.0",
          "x-km-ip-v4": this.address,
          "x-km-mc-id": this.merchantId,
          "x-km-client-type": "PC_WEB",
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const trimmed = text.trim()
      return { status, body: jsonObject(trimmed), isEmpty: trimmed === "" || trimmed === "null" }
    } catch (error) {
      throw withoutReference(error, path)
    }
  }
}

/** Whoever knows a payment's reference can ask for the payment: it stays out of messages. */
function withoutReference(error: unknown, path: string): unknown {
  const call = path.split("/").slice(0, 2).join("/")
  if (error instanceof NotReached) {
    return new NotReached(`Nagad was not reached: ${call}`)
  }
  return error instanceof NoAnswer ? new NoAnswer(`Nagad gave no answer: ${call}`) : error
}

/** A field as text; "" when it is missing or holds no text. */
export function textOf({ body }: Pick<Answer, "body">, field: string): string {
  const value = body?.[field]
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
}

/** What Nagad complains about; undefined: it does not complain, or not in a way that is known. */
export function complaintOf(answer: Answer): Fault | undefined {
  const [reason, message, devMessage] = ["reason", "message", "devMessage"].map((field) => textOf(answer, field))
  return answer.status === 200 && reason === "" ? undefined : faultOf(reason, `${message} ${devMessage}`)
}

/** Whether Nagad has done what it was asked for. */
export function isAccepted(answer: Answer): boolean {
  return answer.status === 200 && answer.body !== null && textOf(answer, "reason") === ""
}

/** The trouble of an answer that is none. */
export function troubleOf(answer: Answer): Trouble {
  const complaint = complaintOf(answer)
  if (answer.isEmpty || complaint === "credentials" || answer.status === 401 || answer.status === 403) {
    return "credentials"
  }
  if (answer.status === 429) {
    return "rate_limited"
  }
  return answer.body === null || answer.status >= 500 || complaint === "server" ? "maintenance" : "bad_request"
}

/** Nobody has a page on which the payment could be paid. `retry`: it may be tried again, under another order number. */
export function notStarted(message: string, trouble: Trouble, retry = false): Refused {
  return { result: "refused", code: "NETWORK_ERROR", message, trouble, ...(retry && { retry }) }
}
