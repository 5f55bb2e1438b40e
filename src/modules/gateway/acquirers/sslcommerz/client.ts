import { httpCall, jsonObject, NoAnswer, NotReached, type HttpCall } from "../http-call"
import type { Trouble } from "../port"
import type { Answer } from "./fields"

const CREATE = "/gwprocess/v4/api.php"
const VALIDATE = "/validator/api/validationserverAPI.php"
/** One address for four questions; SSLCommerz distinguishes them by the fields. */
const TRANSACTIONS = "/validator/api/merchantTransIDvalidationAPI.php"

/** `not_reached`: nothing was sent. `unclear`: it was sent, and what came back is no answer of SSLCommerz. */
export type Reply =
  | { kind: "answer"; body: Answer }
  | { kind: "not_reached"; message: string; trouble: Trouble }
  | { kind: "unclear"; message: string; trouble: Trouble }

/** `plain_http`: whether shoppers may be sent to that address over http. */
export type Account = { base_url: string; plain_http: boolean; store_id: string; store_passwd: string }

/**
 * The requests to SSLCommerz. There is no token: store_id and store_passwd go with each, for questions in the URL, which
 * therefore is never logged. No request is sent twice.
 */
export class SslcommerzClient {
  constructor(private readonly account: Account) {}

  create(fields: Readonly<Record<string, string>>): Promise<Reply> {
    return this.send({
      method: "POST",
      url: this.account.base_url + CREATE,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, ...this.credentials() }).toString(),
    })
  }

  validate(val_id: string): Promise<Reply> {
    return this.get(VALIDATE, { val_id, v: "1" })
  }

  transactions(tran_id: string): Promise<Reply> {
    return this.get(TRANSACTIONS, { tran_id })
  }

  refund(fields: Readonly<Record<string, string>>): Promise<Reply> {
    return this.get(TRANSACTIONS, fields)
  }

  refundStatus(refund_ref_id: string): Promise<Reply> {
    return this.get(TRANSACTIONS, { refund_ref_id })
  }

  private get(path: string, fields: Readonly<Record<string, string>>): Promise<Reply> {
    const query = new URLSearchParams({ ...fields, ...this.credentials(), format: "json" })
    return this.send({ method: "GET", url: `${this.account.base_url}${path}?${query}` })
  }

  private credentials(): Record<string, string> {
    return { store_id: this.account.store_id, store_passwd: this.account.store_passwd }
  }

  private async send(call: HttpCall): Promise<Reply> {
    try {
      const { status, text } = await httpCall({ ...call, secrets: [this.account.store_passwd] })
      const body = status === 200 ? jsonObject(text) : null
      if (body !== null) {
        return { kind: "answer", body }
      }
      const what = status === 200 ? "no JSON" : `HTTP ${status}`
      return { kind: "unclear", message: `SSLCommerz answered with ${what}`, trouble: troubleOf(status) }
    } catch (error) {
      if (error instanceof NotReached) {
        return { kind: "not_reached", message: `SSLCommerz was not reached: ${error.message}`, trouble: "network" }
      }
      if (error instanceof NoAnswer) {
        return { kind: "unclear", message: `SSLCommerz gave no answer: ${error.message}`, trouble: "network" }
      }
      throw error
    }
  }
}

/** A web page in place of JSON is what a site under maintenance shows, with 200 as well. */
function troubleOf(status: number): Trouble {
  switch (status) {
    case 200:
    case 503:
      return "maintenance"
    case 429:
      return "rate_limited"
    case 401:
    case 403:
      return "credentials"
    default:
      return "network"
  }
}

/**
 * `APIConnect` says whether the request itself was accepted; null when it was. Its words are documented, their exact
 * meaning is not, so nothing but DONE is an answer.
 */
export function notConnected(body: Answer): { message: string; trouble?: Trouble } | null {
  const word = body.APIConnect
  if (word === "DONE") {
    return null
  }
  const message = `SSLCommerz answered APIConnect ${typeof word === "string" ? word.slice(0, 30) : "(missing)"}`
  const trouble = typeof word === "string" ? API_CONNECT_TROUBLE.get(word) : undefined
  return trouble === undefined ? { message } : { message, trouble }
}

const API_CONNECT_TROUBLE: ReadonlyMap<string, Trouble> = new Map([
  ["FAILED", "credentials"],
  ["INACTIVE", "credentials"],
  ["INVALID_REQUEST", "bad_request"],
])
