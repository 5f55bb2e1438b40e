import { Redirect } from "../lib/router"
import { loadCustomer, signInPath } from "../store/account"
import { plansOfItems, type Plans } from "../store/plans"
import type { Cart } from "../store/types"

/**
 * The subscriptions in a cart. Whoever has one in it and is not signed in is led to sign in, and back to `here`: the
 * store refuses such a payment anyway, but only at the last step.
 */
export async function requireAccount(cart: Cart, here: string): Promise<Plans> {
  const plans = await plansOfItems(cart.items)
  if (plans.size > 0 && !(await loadCustomer())) {
    throw new Redirect(signInPath(here, "subscription"))
  }
  return plans
}
