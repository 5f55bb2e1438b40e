import { httpCall, jsonObject, NoAnswer, NotReached } from "../http-call"
import type { AcquirerContext, KeptToken, Refused, Trouble } from "../port"
import { SUCCESSFUL } from "./codes"
import { type Answer, codeOf, messageOf, rejectsToken, text } from "./answers"

const HOSTS = { sandbox: "https://tokenized.sandbox.bka.sh", production: "https://tokenized.pay.bka.sh" } as const
export const CHECKOUT = "/v1.2.0-beta/tokenized/checkout"
export const REFUND = "/v2/tokenized-checkout/refund/payment"

/**
 * What moves money is sent this soon after the core's call, or not at all: after 30 seconds the core gives a call up,
 * and may then decide that nothing was sent.
 */
export const SEND_WITHIN_MS = 15_000

/** bKash's tokens live 60 minutes; they are renewed after 50, so that none ends during a call. */
const TOKEN_MARGIN_SECONDS = 600
const TOKEN_LIFE_MAX_SECONDS = 3_600

/**
 * `before` runs when everything is ready to be sent, and a throw stops the request. After `sendBefore` (a moment of
 * `performance.now()`) nothing is sent any more.
 */
type Options = { before?: () => Promise<void>; sendBefore?: number }

/** Sends bKash's requests: JSON by POST with the shared token, which is renewed once when bKash turns it down. */
export class BkashClient {
  private readonly base: string

  constructor(private readonly context: AcquirerContext) {
    this.base = context.base_url ?? HOSTS[context.environment]
  }

  /**
   * Throws NotReached (nothing was sent, perhaps for want of a token), NoAnswer (it may have acted), or what `before`
   * throws.
   */
  async call(path: string, body: Readonly<Record<string, string>>, options: Options = {}): Promise<Answer> {
    const inTime = () => {
      if (options.sendBefore !== undefined && performance.now() > options.sendBefore) {
        throw new NotReached(`${path}: not sent, because getting there took too long`, "network", false)
      }
    }
    const token = await this.token()
    inTime()
    await options.before?.()
    inTime()
    const answer = await this.send(path, body, token)
    if (!rejectsToken(answer)) {
      return answer
    }
    const renewed = await this.token(token)
    inTime()
    return this.send(path, body, renewed)
  }

  /** A valid token; `refused` names one that bKash has just turned down. Throws NotReached. */
  private async token(refused?: string): Promise<string> {
    return this.context.tokens.get((previous) => this.issue(previous), refused)
  }

  /**
   * bKash is said to lock merchants that ask for more than two tokens an hour, so the refresh token is used while there
   * is one, and a new grant only when bKash clearly turns that down.
   */
  private async issue(previous: KeptToken | null): Promise<KeptToken> {
    if (previous?.refresh_token) {
      const answer = await this.askForToken("/token/refresh", { refresh_token: previous.refresh_token })
      const kept = keptToken(answer, previous.refresh_token)
      if (kept !== null) {
        return kept
      }
      if (isUnavailable(answer)) {
        throw noToken(answer)
      }
    }
    const answer = await this.askForToken("/token/grant")
    const kept = keptToken(answer, null)
    if (kept === null) {
      throw noToken(answer)
    }
    return kept
  }

  private async askForToken(path: string, more: Record<string, string> = {}): Promise<Answer> {
    const { app_key, app_secret, username, password } = this.context.credentials
    try {
      return await this.post(CHECKOUT + path, { app_key, app_secret, ...more }, { username, password })
    } catch (error) {
      if (error instanceof NotReached || error instanceof NoAnswer) {
        throw new NotReached(error.message, "network", false)
      }
      throw error
    }
  }

  private send(path: string, body: Readonly<Record<string, string>>, token: string): Promise<Answer> {
    // The token stands alone: bKash refuses it behind "Bearer".
    return this.post(path, body, { authorization: token, "x-app-key": this.context.credentials.app_key })
  }

  private async post(
    path: string,
    body: Readonly<Record<string, string>>,
    headers: Record<string, string>
  ): Promise<Answer> {
    const { app_secret, password } = this.context.credentials
    const answer = await httpCall({
      method: "POST",
      url: this.base + path,
      headers: { ...headers, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      secrets: [app_secret, password, headers.authorization ?? ""],
    })
    return { status: answer.status, body: jsonObject(answer.text) }
  }
}

function keptToken(answer: Answer, refresh_token: string | null): KeptToken | null {
  const token = text(answer, "id_token")
  const code = codeOf(answer)
  if (answer.status !== 200 || token === "" || (code !== "" && code !== SUCCESSFUL)) {
    return null
  }
  const life = Math.min(Number(text(answer, "expires_in")) || TOKEN_LIFE_MAX_SECONDS, TOKEN_LIFE_MAX_SECONDS)
  return {
    token,
    refresh_token: text(answer, "refresh_token") || refresh_token,
    expires_at: new Date(Date.now() + Math.max(life - TOKEN_MARGIN_SECONDS, 0) * 1_000),
  }
}

/** bKash did not decide about the request, so asking for another token would only count against the limit. */
const isUnavailable = (answer: Answer) => answer.status >= 500 || answer.status === 429 || answer.body === null

function noToken(answer: Answer): NotReached {
  const trouble: Trouble =
    answer.status === 429
      ? "rate_limited"
      : isUnavailable(answer) || codeOf(answer) === "503"
        ? "maintenance"
        : "credentials"
  return new NotReached(`No token: ${messageOf(answer)}`, trouble, false)
}

/**
 * For a call that moves money: a refusal, because nothing reached bKash, so nothing has moved. Rethrows errors that do
 * not prove that.
 */
export function unsent(error: unknown): Refused {
  if (!(error instanceof NotReached)) {
    throw error
  }
  const { message, trouble, mayRepeat } = error
  return { result: "refused", code: "NETWORK_ERROR", message, trouble, ...(mayRepeat && { retry: true }) }
}
