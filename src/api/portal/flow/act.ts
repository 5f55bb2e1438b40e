import type { Gateway } from "../../../modules/gateway/container"
import type { Origin } from "../../../modules/gateway/kernel/database/audit"
import { LIMITS } from "../../../modules/gateway/kernel/limits"
import { PORTAL_TOKEN } from "../../../modules/gateway/kernel/text/ids"
import type { SubscriptionState } from "../../../modules/gateway/subscriptions/states"
import { type Reply, isCode, mayNotCharge } from "../../pay/flow/states"
import type { FormFields } from "../../pay/form/fields"
import { portalCookie } from "../../pay/http/csrf"
import type { Visitor } from "../../pay/http/request"
import { chosenLanguage, statusPage } from "../view/parts"
import { type Notice } from "../view/page"
import { confirmRemovePage } from "../view/subscription"
import type { PortalVisit } from "../view/page"
import { showSubscription } from "./show"

type Accounts = Pick<Gateway, "portalAccounts" | "portalSessions" | "invoices">
/** `state`: that of a subscription for which it is done already; without one, doing it again is no error. */
type Change = { make(): Promise<void>; done: Notice; state?: SubscriptionState }

/** POST of a subscription's page: its buttons say what is wanted. */
export async function changeSubscription(
  gateway: Accounts,
  visit: PortalVisit,
  id: string,
  fields: FormFields
): Promise<Reply> {
  const { portalAccounts: accounts } = gateway
  const origin = originOf(visit)
  switch (fields.get("action")) {
    case "pause":
      return changed(gateway, visit, id, {
        make: () => accounts.pause(visit.session, id, origin),
        done: "paused",
        state: "PAUSED",
      })
    case "resume":
      return changed(gateway, visit, id, {
        make: () => accounts.resume(visit.session, id, origin),
        done: "resumed",
        state: "ACTIVE",
      })
    case "uncancel":
      return changed(gateway, visit, id, {
        make: () => accounts.uncancel(visit.session, id, origin),
        done: "uncancelled",
      })
    case "keep_plan":
      return changed(gateway, visit, id, {
        make: () => accounts.keepPlan(visit.session, id, origin),
        done: "kept",
      })
    case "method":
      return changeMethod(gateway, visit, id)
    default:
      return showSubscription(gateway, visit, id, { notice: null, refusal: "notPossible" })
  }
}

/** POST of the question whether to cancel: with a reason and a note, or without. */
export function cancelSubscription(
  gateway: Accounts,
  visit: PortalVisit,
  id: string,
  fields: FormFields
): Promise<Reply> {
  const said = (name: string) => fields.get(name)?.trim().slice(0, LIMITS.cancellationReasonMaxChars) || null
  return changed(gateway, visit, id, {
    make: () =>
      gateway.portalAccounts.cancel(visit.session, id, { reason: said("reason"), note: said("note") }, originOf(visit)),
    done: "cancelled",
    state: "CANCELLED",
  })
}

/** Pressed twice, it is done once and says so both times; what the state does not allow leaves everything as it is. */
async function changed(
  gateway: Accounts,
  visit: PortalVisit,
  id: string,
  { make, done, state }: Change
): Promise<Reply> {
  try {
    await make()
  } catch (error) {
    if (!isCode(error, "INVALID_STATE_TRANSITION")) {
      throw error
    }
    const { status } = await gateway.portalAccounts.subscription(visit.session, id)
    if (status !== state) {
      return showSubscription(gateway, visit, id, { notice: null, refusal: "notPossible" })
    }
  }
  return { status: 303, location: `${visit.path}/subscriptions/${id}?done=${done}` }
}

/** Leads to the page on which the new method is entered; its outcome leads back to `/portal/return`. */
async function changeMethod(gateway: Accounts, visit: PortalVisit, id: string): Promise<Reply> {
  const { session, token, visitor } = visit
  const { publicUrl } = visitor
  try {
    const returnUrl = `${publicUrl}/portal/return`
    const { session_id } = await gateway.portalAccounts.changeMethod(session, id, { returnUrl, publicUrl })
    return {
      status: 303,
      location: `/pay/${session_id}${chosenLanguage(visitor)}`,
      cookie: portalCookie(visitor, token),
    }
  } catch (error) {
    if (mayNotCharge(error)) {
      return showSubscription(gateway, visit, id, { notice: null, refusal: "noPayments" })
    }
    if (isCode(error, "INVALID_STATE_TRANSITION")) {
      return showSubscription(gateway, visit, id, { notice: null, refusal: "notPossible" })
    }
    throw error
  }
}

/** POST of the question whether to remove a payment method. One that is gone already has been removed. */
export async function removeMethod(gateway: Accounts, visit: PortalVisit, id: string): Promise<Reply> {
  try {
    await gateway.portalAccounts.removeMethod(visit.session, id, originOf(visit))
  } catch (error) {
    if (isCode(error, "PAYMENT_METHOD_IN_USE")) {
      const saved = (await gateway.portalAccounts.listMethods(visit.session)).find((method) => method.id === id)
      return saved === undefined
        ? { status: 303, location: visit.path }
        : { status: 409, body: confirmRemovePage({ visit, saved: { ...saved, used_by_subscription: true } }) }
    }
    if (!isCode(error, "PAYMENT_METHOD_NOT_FOUND")) {
      throw error
    }
    return { status: 303, location: visit.path }
  }
  return { status: 303, location: `${visit.path}?done=removed` }
}

export async function signOut(gateway: Accounts, { session, path }: PortalVisit): Promise<Reply> {
  await gateway.portalSessions.end(session)
  return { status: 303, location: path }
}

export function originOf({ visitor }: PortalVisit): Origin {
  return { address: visitor.address, request_id: null }
}

/** What the status in a payment's return address means for the payment method; it proves nothing, and is only shown. */
const NOTICES: Readonly<Record<string, Notice>> = { SUCCESS: "changed", REFUNDED: "changed", PENDING: "confirming" }

/** Leads a browser that comes from the payment page back to its own portal. */
export function comeBack(visitor: Visitor, token: string | null, status: string | null): Reply {
  if (token === null || !PORTAL_TOKEN.test(token)) {
    const body = statusPage("returned", { language: visitor.language, merchant: null, way: "/portal" })
    return { status: 200, body }
  }
  const notice = Object.hasOwn(NOTICES, status ?? "") ? NOTICES[status ?? ""] : "unchanged"
  return { status: 303, location: `/portal/${token}?done=${notice}` }
}
