import { Redirect } from "../lib/router"
import { loadCustomer, signInPath } from "../store/account"
import { plansOfItems, type Plans } from "../store/plans"
import type { Cart } from "../store/types"

/**
 * The subscriptions in a cart. A guest who has one in the cart is sent to sign in, and back to `here`: the store would
 * refuse the payment anyway, but only at the last step.
 */
export async function requireAccount(cart: Cart, here: string): Promise<Plans> {
  const plans = await plansOfItems(cart.items)
  if (plans.size > 0 && !(await loadCustomer())) {
    throw new Redirect(signInPath(here, "subscription"))
  }
  return plans
}
