import { parseAmount, type Minor } from "../../../kernel/money"

const TEXT_MAX_CHARS = 200

/** `body` is null when the answer was no JSON object, such as the HTML of a proxy. */
export type Answer = { status: number; body: Readonly<Record<string, unknown>> | null }

/** A field as text; "" when it is missing or holds no text. */
export function text(answer: { body: Answer["body"] }, field: string): string {
  const value = answer.body?.[field]
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
}

/** An amount that the acquirer reports; null when it is missing or malformed. */
export function amountIn(answer: { body: Answer["body"] }, field: string): Minor | null {
  return parseAmount(answer.body?.[field])
}

/**
 * bKash refuses in three shapes, mostly with status 200: `statusCode`, `errorCode`, and for refunds `externalCode` with
 * `internalCode`. "" when there is none: then the answer comes from the front door, not from the payment service.
 */
export function codeOf(answer: Answer): string {
  return (
    ["errorCode", "externalCode", "internalCode", "statusCode"].map((name) => text(answer, name)).find(Boolean) ?? ""
  )
}

/** bKash's own sentence, for the record: one line, shortened. */
function sentenceOf(answer: Answer): string {
  const fields = ["errorMessage", "errorMessageEn", "statusMessage", "message", "msg"]
  const sentence = fields.map((name) => text(answer, name)).find(Boolean) ?? ""
  return sentence.replace(/\s+/g, " ").slice(0, TEXT_MAX_CHARS)
}

/** `bKash 2023: Insufficient Balance`; `says` speaks when bKash sent no sentence. */
export function messageOf(answer: Answer, says = "no readable answer"): string {
  const code = codeOf(answer)
  return `bKash ${code === "" ? `status ${answer.status}` : code}: ${sentenceOf(answer) || says}`
}

/** The front door turned the token down: the request got no further, so it may be sent again with a new one. */
export function rejectsToken(answer: Answer): boolean {
  return answer.status === 401
}
