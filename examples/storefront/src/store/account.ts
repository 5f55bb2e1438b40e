import { isNotFound, isSignedOut } from "../lib/errors"
import { Redirect } from "../lib/router"
import { cartId, forgetCart } from "./cart"
import { closePayment } from "./payment"
import { dropToken, hasToken, openStore } from "./sdk"
import type { Customer } from "./types"

type AccountListener = (signedIn: boolean) => void
const listeners = new Set<AccountListener>()

/** Calls `listener` whenever somebody has signed in or out (the header shows it), and at once. */
export function onAccount(listener: AccountListener): void {
  listeners.add(listener)
  listener(hasToken())
}

const announce = (): void => listeners.forEach((listener) => listener(hasToken()))

/** Where a shopper signs in, and goes on afterwards. `why` is the reason the screen gives for asking. */
export function signInPath(next: string, why?: "subscription" | "expired"): string {
  return `/sign-in?${new URLSearchParams({ next, ...(why && { why }) })}`
}

/** A way within the shop, from an address that anybody may have typed: anything else leads to the account. */
export const nextPath = (next: string | null): string =>
  next && /^\/[\w\-/]*(\?[\w\-=&%.]*)?$/.test(next) ? next : "/account"

/** Who is signed in, as the store knows them; null when nobody is, or not any more. */
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

/** Runs `work` for a screen of the account; whoever is not signed in (any more) is led to sign in, and back to `here`. */
export async function asCustomer<T>(here: string, work: () => Promise<T>): Promise<T> {
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

/** Rejects with the store's 401 when e-mail and password do not fit, or the account was never finished. */
export async function signIn(credentials: Credentials): Promise<void> {
  const { sdk } = await openStore()
  dropToken()
  await sdk.auth.login("customer", "emailpass", credentials)
  try {
    await sdk.store.customer.retrieve()
  } catch (error) {
    // A second factor or a confirmation is missing: this shop asks for neither, and a half token is none.
    dropToken()
    throw error
  }
  await begin()
}

/**
 * Makes the account and signs in. Rejects with the store's 401 when there is one with this e-mail address; one whose
 * making was interrupted halfway is finished by whoever knows its password.
 */
export async function register(credentials: Credentials, person: Person): Promise<void> {
  const { sdk } = await openStore()
  dropToken()
  try {
    await sdk.auth.register("customer", "emailpass", credentials).catch(async (error) => {
      if (!isSignedOut(error) || !(await isUnfinished(credentials))) {
        throw error
      }
    })
    await sdk.store.customer.create({ email: credentials.email, ...person })
  } catch (error) {
    dropToken()
    throw error
  }
  await signIn(credentials)
}

/** An identity that has no customer yet; its token then stands where the one of a registration would. */
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

/** The cart becomes the customer's, so that what is bought belongs to the account. */
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

/** Leaves nothing of the shopper behind in this browser: the cart has their address. */
export function signOut(): void {
  forgetToken()
  forgetCart()
  closePayment()
}

function forgetToken(): void {
  dropToken()
  announce()
}
