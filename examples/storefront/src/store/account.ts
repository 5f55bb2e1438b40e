import { isNotFound, isSignedOut } from "../lib/errors"
import { Redirect } from "../lib/router"
import { cartId, forgetBrowserKey, forgetCart } from "./cart"
import { closePayment } from "./payment"
import { dropToken, hasToken, onOtherTab, openStore, withDraftToken } from "./sdk"
import { locale } from "../text"
import type { Customer } from "./types"

type AccountListener = (signedIn: boolean) => void
const listeners = new Set<AccountListener>()

/** Calls `listener` whenever somebody has signed in or out (the header shows it), and once immediately. */
export function onAccount(listener: AccountListener): void {
  listeners.add(listener)
  listener(hasToken())
}

/** Signing in and out counts in every tab: one that shows an account must not go on showing it. */
export function followOtherTabs(showAgain: () => void): void {
  onOtherTab(() => {
    announce()
    showAgain()
  })
}

const announce = (): void => listeners.forEach((listener) => listener(hasToken()))

/** The sign-in page, which continues to `next`. `why` is the reason that the page shows. */
export function signInPath(next: string, why?: "subscription" | "expired"): string {
  return `/sign-in?${new URLSearchParams({ next, ...(why && { why }) })}`
}

/** A path within the shop, from an address that anybody may have typed; anything else becomes the account page. */
export const nextPath = (next: string | null): string =>
  next && /^\/[\w\-/]*(\?[\w\-=&%.]*)?$/.test(next) ? next : "/account"

/** The signed-in customer as the store knows them; null when nobody is signed in (any more). */
export async function loadCustomer(): Promise<Customer | null> {
  if (!hasToken()) {
    return null
  }
  const { sdk } = await openStore()
  try {
    return (await sdk.store.customer.retrieve()).customer
  } catch (error) {
    if (!isSignedOut(error)) {
      throw error
    }
    forgetToken()
    return null
  }
}

/** Runs `work` for a screen of the account; a visitor who is not signed in is sent to sign in, and back to `here`. */
export async function asCustomer<T>(here: string, work: () => Promise<T> | T): Promise<T> {
  if (!hasToken()) {
    throw new Redirect(signInPath(here))
  }
  try {
    return await work()
  } catch (error) {
    if (!isSignedOut(error)) {
      throw error
    }
    forgetToken()
    throw new Redirect(signInPath(here, "expired"))
  }
}

export type Credentials = { email: string; password: string }
export type Person = { first_name: string; last_name: string }

/** Rejects with the store's 401 when e-mail or password is wrong, or the registration was never completed. */
export async function signIn(credentials: Credentials): Promise<void> {
  const { sdk } = await openStore()
  dropToken()
  await withDraftToken(true, async () => {
    await sdk.auth.login("customer", "emailpass", credentials)
    // Rejects when a second factor or a confirmation is missing: this shop supports neither.
    await sdk.store.customer.retrieve()
  })
  await begin()
}

/**
 * Creates the account and signs in. Rejects with the store's 401 when the e-mail address has an account. An interrupted
 * registration can be completed by anybody who knows its password.
 */
export async function register(credentials: Credentials, person: Person): Promise<void> {
  const { sdk } = await openStore()
  dropToken()
  await withDraftToken(false, async () => {
    await sdk.auth.register("customer", "emailpass", credentials).catch(async (error) => {
      if (!isSignedOut(error) || !(await isUnfinished(credentials))) {
        throw error
      }
    })
    await sdk.store.customer.create({ email: credentials.email, ...person })
  })
  await signIn(credentials)
}

/**
 * Asks the store to send a link by which the password can be chosen anew. It answers the same for an address that has no
 * account: nobody learns who has one.
 */
export async function forgetPassword(email: string): Promise<void> {
  const { sdk } = await openStore()
  await sdk.auth.resetPassword("customer", "emailpass", { identifier: email, metadata: { locale } })
}

/**
 * Sets the password that the link of the e-mail allows to choose, and signs in. Rejects with the store's 401 when the
 * link has expired or was used already.
 */
export async function choosePassword(link: { token: string; email: string }, password: string): Promise<void> {
  const { sdk } = await openStore()
  dropToken()
  await sdk.auth.updateProvider("customer", "emailpass", { password }, link.token)
  await signIn({ email: link.email, password })
}

/** Whether the identity has no customer yet; its token then replaces the one of a registration. */
async function isUnfinished(credentials: Credentials): Promise<boolean> {
  const { sdk } = await openStore()
  try {
    await sdk.auth.login("customer", "emailpass", credentials)
    await sdk.store.customer.retrieve()
    return false
  } catch (error) {
    if (isSignedOut(error) || isNotFound(error)) {
      return hasToken()
    }
    throw error
  }
}

/** Assigns the cart to the customer, so that the order belongs to the account. */
async function begin(): Promise<void> {
  announce()
  const id = cartId()
  if (id) {
    const { sdk } = await openStore()
    await sdk.store.cart.transferCart(id).catch((error) => {
      if (!isNotFound(error)) {
        throw error
      }
    })
  }
}

/** Removes everything of the shopper from this browser, for every tab: the cart contains their address. */
export function signOut(): void {
  forgetToken()
  forgetCart()
  forgetBrowserKey()
  closePayment()
}

function forgetToken(): void {
  dropToken()
  announce()
}
