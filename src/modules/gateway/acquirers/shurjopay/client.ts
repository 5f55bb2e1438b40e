import type { Environment } from "../../kernel/money/clock"
import { fitted } from "../../kernel/text/text"
import { httpCall, isOwnPage, NoAnswer, NotReached } from "../http-call"
import type { AcquirerContext, KeptToken, Trouble } from "../port"
import { CODES, TOKEN_REFUSED } from "./codes"

const HOSTS: Readonly<Record<Environment, string>> = {
  sandbox: "https://sandbox.shurjopayment.com",
  production: "https://engine.shurjopayment.com",
}
const MESSAGE_MAX_CHARS = 200

/** Sources differ between 15 minutes and an hour. The store of tokens renews one a minute before its end. */
const TOKEN_LIFE_MAX_SECONDS = 900

export type Row = Readonly<Record<string, unknown>>
/** `row`: the object, or the only one of a list; null: the answer holds no such thing. */
export type Answer = { status: number; row: Row | null }
/** What a token came with, and is used with. */
export type Session = { token: string; store_id: string }

/**
 * Sends shurjoPay's requests: JSON by POST with the shared token, which is fetched anew once when shurjoPay turns it down.
 * The addresses that shurjoPay answers for its calls (`execute_url`) are not used: a token goes to known hosts only.
 */
export class ShurjopayClient {
  private readonly base: string

  constructor(private readonly context: AcquirerContext) {
    this.base = `${(context.base_url ?? HOSTS[context.environment]).replace(/\/+$/, "")}/api/`
  }

  /** Throws NotReached (nothing was sent, perhaps for want of a token) or NoAnswer (it may have acted). */
  async call(path: string, bodyOf: (session: Session) => Row): Promise<Answer> {
    const { tokens } = this.context
    const kept = await tokens.get(() => this.issue())
    const answer = await this.send(path, bodyOf, kept)
    return rejectsToken(answer) ? this.send(path, bodyOf, await tokens.get(() => this.issue(), kept)) : answer
  }

  /** Whether a shopper's browser may be sent to an address that shurjoPay has answered. */
  isOwnPage(address: string): boolean {
    const isShurjopays = ({ protocol, hostname, port }: URL) =>
      protocol === "https:" && port === "" && hostname.endsWith(".shurjopayment.com")
    return isOwnPage(address, this.context, isShurjopays)
  }

  private send(path: string, bodyOf: (session: Session) => Row, kept: string): Promise<Answer> {
    const session = sessionOf(kept)
    return this.post(path, bodyOf(session), { authorization: `Bearer ${session.token}` }, session.token)
  }

  private async issue(): Promise<KeptToken> {
    const { username, password } = this.context.credentials
    try {
      const answer = await this.post("get_token", { username, password }, {}, password)
      const [token, store_id] = [textIn(answer, "token"), textIn(answer, "store_id")]
      if (answer.status !== 200 || token === "" || store_id === "") {
        const trouble = troubleOf(answer)
        throw new NotReached(
          `No token: ${messageOf(answer)}`,
          trouble === "bad_request" ? "credentials" : trouble,
          false
        )
      }
      const life = Math.min(Number(textIn(answer, "expires_in")) || TOKEN_LIFE_MAX_SECONDS, TOKEN_LIFE_MAX_SECONDS)
      // A payment names the store that a token came with, so both are kept as one.
      const kept = `${store_id} ${token}`
      return { token: kept, refresh_token: null, expires_at: new Date(Date.now() + life * 1_000) }
    } catch (error) {
      // A token that may have been issued moves nothing.
      throw error instanceof NoAnswer ? new NotReached(error.message, "network", false) : error
    }
  }

  private async post(
    path: string,
    body: Row,
    headers: Readonly<Record<string, string>>,
    secret: string
  ): Promise<Answer> {
    const { status, text } = await httpCall({
      method: "POST",
      url: this.base + path,
      headers: { ...headers, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      secrets: [secret],
    })
    return { status, row: rowIn(text) }
  }
}

function sessionOf(kept: string): Session {
  const at = kept.indexOf(" ")
  return { store_id: kept.slice(0, at), token: kept.slice(at + 1) }
}

const rejectsToken = (answer: Answer) => answer.status === 401 || codeOf(answer) === TOKEN_REFUSED

/** shurjoPay answers a payment in a list of one, or as itself. */
function rowIn(text: string): Row | null {
  try {
    const value: unknown = JSON.parse(text)
    const rows: readonly unknown[] = Array.isArray(value) ? value : [value]
    const [row] = rows
    return rows.length === 1 && typeof row === "object" && row !== null && !Array.isArray(row) ? (row as Row) : null
  } catch {
    return null
  }
}

/** The first of the fields that holds something, as text; "": none does. Some fields have two spellings. */
export function textIn({ row }: Pick<Answer, "row">, ...names: string[]): string {
  const texts = names.map((name) => {
    const value = row?.[name]
    return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""
  })
  return texts.find((text) => text !== "") ?? ""
}

export const codeOf = (answer: Answer): string => textIn(answer, "sp_code")

export function messageOf(answer: Answer): string {
  const code = fitted(codeOf(answer), 20, `HTTP ${answer.status}`)
  const said = textIn(answer, "sp_message", "sp_massage", "message") || "no readable answer"
  return fitted(`shurjoPay ${code}: ${said}`, MESSAGE_MAX_CHARS)
}

/** The trouble of an answer that is none. */
export function troubleOf(answer: Answer): Trouble {
  const meaning = CODES.get(codeOf(answer))
  if (typeof meaning === "object" && "trouble" in meaning) {
    return meaning.trouble
  }
  if (answer.status === 401 || answer.status === 403) {
    return "credentials"
  }
  if (answer.status === 429) {
    return "rate_limited"
  }
  return answer.row === null || answer.status >= 500 ? "maintenance" : "bad_request"
}
