import { clockNow } from "../../../modules/gateway/kernel/money/clock"
import { normalisePhone } from "../../../modules/gateway/kernel/text/phone"
import { parseAmount, type Minor } from "../../../modules/gateway/kernel/money/money"
import { TRANSACTION_ID } from "../../../modules/gateway/kernel/text/ids"
import { asciiDigits, typedAmount } from "../../../i18n/typed"
import type { LinkView } from "../../../modules/gateway/links/records"
import { amountOf, type Payer, statusOf } from "../../../modules/gateway/links/rules"
import type { Gateway } from "../../../modules/gateway/container"
import { email, text } from "../../v2-kit/validate"
import { csrfToken } from "../http/csrf"
import { textsOf } from "../../../i18n/translate"
import type { StoreWork } from "../../process-services"
import type { Visitor } from "../http/request"
import type { FormFields } from "../form/fields"
import {
  linkPage,
  OTHER_AMOUNT,
  type LinkField,
  type OrderStanding,
  type OwnPayment,
  type PayerField,
} from "../view/link"
import { isCode, unknownReply, type Reply } from "./states"

type Links = Pick<Gateway, "paymentLinks" | "orderBalances">
type Paid = Links & Pick<Gateway, "receipts" | "cartCompletions">
/** What a payment's return address says. It is no secret: it is stored, shown and passed on. */
type Return = { status: string | null; transaction_id: string | null; receipt: string | null }
type LinkVisit = { token: string; visitor: Visitor; balanceOf: StoreWork["balanceOf"] }
/** `standing` of a link of an order's balance: what stands in the way of paying it. */
type Visited = { link: LinkView; standing: OrderStanding | null }
type Shown = { failed: boolean; refused?: boolean; own?: OwnPayment | null }
type Entered = { fields: FormFields; wrong: readonly LinkField[] }

const NAME_MAX_CHARS = 255
const NAME = text(NAME_MAX_CHARS)
const NOTHING: Entered = { fields: new Map(), wrong: [] }

function linkPath(token: string): string {
  return `/pay/link/${token}`
}

/** GET of a link's public page; of the payment's receipt with `receipt=pdf`. */
export async function showLink(gateway: Paid, visit: LinkVisit, back: Return): Promise<Reply> {
  const visited = await known(gateway, visit)
  if (visited === null) {
    return unknownReply(visit.visitor)
  }
  const { link } = visited
  const failed = back.status === "FAILED" || back.status === "EXPIRED"
  const { language } = visit.visitor
  const own = await ownPayment(gateway, link, back.transaction_id, visit.visitor)
  const receipt = own?.receipt ?? null
  if (receipt !== null && back.receipt === "pdf") {
    const of = { transaction_id: receipt.transaction_id, refund_id: null }
    const { name, bytes } = await gateway.receipts.pdf(link, of, language)
    return { status: 200, file: { name, type: "application/pdf", bytes } }
  }
  return pageReply(visited, visit, { ...NOTHING, failed, own })
}

/**
 * The payment that the address names, if it has taken money, or may have: null while it can be paid. Its receipt, with
 * the payer's address, is for the browser that has paid.
 */
async function ownPayment(
  gateway: Paid,
  link: LinkView,
  transaction_id: string | null,
  { language, receiptKey }: Visitor
): Promise<OwnPayment | null> {
  const isId = transaction_id !== null && TRANSACTION_ID.test(transaction_id)
  const found = isId ? await gateway.paymentLinks.livePayment(link.id, transaction_id) : null
  if (!isId || found === null || found.state === "OPEN") {
    return null
  }
  const { state, amount_minor, attempt_id } = found
  const isPaid = state === "SUCCESS" || state === "REFUNDED"
  const isPayer = attempt_id !== null && receiptKey !== null && gateway.receipts.isKeyOf(attempt_id, receiptKey)
  const receipt = isPaid && isPayer ? await gateway.receipts.shown(transaction_id, language) : null
  const isReturned = isPaid && link.store_order_id !== null && (await goesBack(gateway, transaction_id))
  return { transaction_id, isPaid, isReturned, amount_minor, receipt }
}

/** Whether a payment of an order's balance is not taken by the order: its money goes back. */
async function goesBack({ cartCompletions }: Paid, transaction_id: string): Promise<boolean> {
  const state = (await cartCompletions.find(transaction_id))?.state
  return state === "giving_back" || state === "given_back" || state === "needs_attention"
}

/**
 * POST of the Pay button: leads to a checkout, or shows on the page why not. A link without a customer takes the payer's
 * name, phone and, if there is one, e-mail address from the form.
 */
export async function payLink(gateway: Links, visit: LinkVisit, fields: FormFields): Promise<Reply> {
  const visited = await known(gateway, visit)
  if (visited === null) {
    return unknownReply(visit.visitor)
  }
  const { link, standing } = visited
  if (standing !== null) {
    return pageReply(visited, visit, { ...NOTHING, failed: false, refused: true })
  }
  const { payer, wrong: wrongPayer } = link.customer === null ? readPayer(fields) : { payer: null, wrong: [] }
  const amount = isOfOrder(link) ? outstandingOf(link) : amountOf(link, readAmount(fields))
  const wrong: LinkField[] = [...(amount === null ? (["amount"] as const) : []), ...wrongPayer]
  if (wrong.length > 0) {
    return pageReply(visited, visit, { fields, wrong, failed: false })
  }
  try {
    const { language, publicUrl } = visit.visitor
    const { session_id } = await gateway.paymentLinks.pay(visit.token, { payer, amount, language }, publicUrl)
    return { status: 303, location: `/pay/${session_id}` }
  } catch (error) {
    if (
      isCode(error, "INVALID_STATE_TRANSITION") ||
      isCode(error, "SERVICE_NOT_ENABLED") ||
      isCode(error, "MERCHANT_SUSPENDED")
    ) {
      const current = (await known(gateway, visit)) ?? visited
      return pageReply(current, visit, { ...NOTHING, failed: false, refused: true })
    }
    throw error
  }
}

/** The amount that is chosen; the field counts when it is another one, or none is chosen. */
function readAmount(fields: FormFields): Minor | null {
  const choice = fields.get("choice") ?? OTHER_AMOUNT
  return parseAmount(typedAmount(choice === OTHER_AMOUNT ? (fields.get("amount") ?? "") : choice))
}

function readPayer(fields: FormFields): { payer: Payer | null; wrong: PayerField[] } {
  const value = (name: PayerField) => (fields.get(name) ?? "").trim()
  const phone = asciiDigits(value("phone"))
  const phone_e164 = normalisePhone(phone)
  const isWrong: Record<PayerField, boolean> = {
    name: value("name") === "" || !NAME.safeParse(value("name")).success,
    email: value("email") !== "" && !email.safeParse(value("email")).success,
    phone: phone_e164 === null,
  }
  const wrong = (["name", "email", "phone"] as const).filter((name) => isWrong[name])
  const payer =
    wrong.length > 0 || phone_e164 === null ? null : { name: value("name"), email: value("email"), phone, phone_e164 }
  return { payer, wrong }
}

function pageReply(
  { link, standing }: Visited,
  { token, visitor }: LinkVisit,
  { fields, wrong, failed, refused = false, own = null }: Entered & Shown
): Reply {
  const now = clockNow(new Date(), link.clock_offset_seconds)
  const linkStatus = statusOf(link, now)
  const isPayable = linkStatus === "open" && standing === null
  const body = linkPage({
    link,
    linkStatus,
    standing,
    language: visitor.language,
    path: linkPath(token),
    csrfToken: csrfToken(visitor.secret, token),
    entered: fields,
    wrong,
    own,
    notice: isPayable && refused ? "refused" : isPayable && failed ? "failed" : null,
  })
  return { status: wrong.length > 0 ? 422 : refused ? 409 : 200, body }
}

/** The link; one of an order asks for what is outstanding of it now. Null: there is none. */
async function known(gateway: Links, visit: LinkVisit): Promise<Visited | null> {
  try {
    const link = await gateway.paymentLinks.byToken(visit.token)
    return link.store_order_id === null
      ? { link, standing: null }
      : await ofOrder(gateway, link, link.store_order_id, visit)
  } catch (error) {
    if (isCode(error, "LINK_NOT_FOUND")) {
      return null
    }
    throw error
  }
}

async function ofOrder(
  { orderBalances }: Links,
  link: LinkView,
  order_id: string,
  { balanceOf, visitor: { language } }: LinkVisit
): Promise<Visited> {
  // Asked first: what is outstanding afterwards has every payment that is not waited for.
  const isSettling = await orderBalances.isSettling(order_id)
  const balance = await balanceOf(order_id)
  const standing = isSettling ? "settling" : balance === null ? "closed" : balance.due <= 0n ? "settled" : null
  // The amount that was asked for last is shown no more: it may be paid by now.
  const amount_minor = standing === null ? Number(balance?.due) : null
  const description =
    balance === null ? link.description : textsOf("link", language)("order", { number: balance.number })
  return { link: { ...link, amount_minor, description }, standing }
}

function isOfOrder({ store_order_id }: LinkView): boolean {
  return store_order_id !== null
}

function outstandingOf({ amount_minor }: LinkView): Minor | null {
  return amount_minor === null ? null : BigInt(amount_minor)
}
