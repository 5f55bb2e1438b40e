import { Emi } from "../components/emi"
import { Notice, NoticeArea, showProblem } from "../components/notice"
import { PlanOf, Thumbnail, Totals, itemTitle, variantLabel } from "../components/summary"
import { byId, fill, h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { taka, whole } from "../lib/format"
import { href, type Page } from "../lib/router"
import { loadCustomer, signInPath } from "../store/account"
import { loadCart, setQuantity } from "../store/cart"
import { chooseEmi, chosenEmi, findEmi, optionOf, type EmiOffers } from "../store/emi"
import { plansOfItems, type Plans } from "../store/plans"
import type { Cart, CartItem, Customer } from "../store/types"
import { t } from "../text"

export async function cartScreen(): Promise<Page> {
  const body = <div />
  const screen = (
    <div class="narrow">
      <h1>{t.cart.title}</h1>
      <NoticeArea id="cart-problem" />
      <p class="visually-hidden" id="cart-status" role="status" />
      {body}
    </div>
  )
  const [initial, customer] = await Promise.all([loadCart(), loadCustomer()])
  show(initial, await plansOfItems(initial?.items))

  function show(cart: Cart | null, plans: Plans) {
    const items = cart?.items ?? []
    if (!cart || items.length === 0) {
      fill(body, <EmptyCart />)
      return
    }
    fill(
      body,
      <ul class="items cart-items">
        {items.map((item) => (
          <CartLine
            item={item}
            plans={plans}
            onQuantity={(quantity, control) => change(cart, item, quantity, control)}
          />
        ))}
      </ul>,
      <Totals of={cart} withDelivery={Boolean(cart.shipping_methods?.length)} />,
      !cart.shipping_methods?.length && <p class="muted small">{t.cart.deliveryLater}</p>,
      <EmiChoice cart={cart} />,
      <Checkout cart={cart} plans={plans} customer={customer} />
    )
  }

  /**
   * One change at a time: the store answers with the whole cart, and an older answer must not overwrite a newer one.
   */
  async function change(cart: Cart, item: CartItem, quantity: number, control: string) {
    if (body.hasAttribute("inert")) {
      return
    }
    body.setAttribute("inert", "")
    const problem = byId(screen as HTMLElement, "cart-problem")
    problem.replaceChildren()
    try {
      await setQuantity(cart, item.id, quantity)
    } catch (error) {
      showProblem(problem, describeError(error))
    }
    try {
      const changed = await loadCart()
      show(changed, await plansOfItems(changed?.items))
      fill(
        byId(screen as HTMLElement, "cart-status"),
        changed ? t.cart.updated(taka(changed.item_subtotal ?? 0)) : t.cart.empty
      )
    } catch (error) {
      showProblem(problem, describeError(error))
    }
    body.removeAttribute("inert")
    // The pressed button was rendered again: moves the focus to the new one, or to the heading when the line is gone.
    const successor = document.getElementById(control) ?? document.querySelector<HTMLElement>("#main h1")
    successor?.focus()
  }

  return { title: t.cart.title, content: screen }
}

/** Lets the shopper choose instalments; the choice is passed on to the checkout. */
function EmiChoice({ cart }: { cart: Cart }): View {
  const place = <div id="emi" />
  void findEmi({ cart_id: cart.id }).then((offers) => offers && show(offers))

  function show(offers: EmiOffers, open = false) {
    const chosen = optionOf(offers, chosenEmi())
    const hasDelivery = Boolean(cart.shipping_methods?.length)
    const choice = { hasDelivery, onChoose: (uuid: string | null) => choose(offers, uuid) }
    fill(place, <Emi offers={offers} chosen={chosen} open={open} cart={choice} />)
  }

  function choose(offers: EmiOffers, uuid: string | null) {
    chooseEmi(uuid)
    show(offers, true)
    place.querySelector<HTMLInputElement>("input:checked")?.focus()
  }

  return place
}

function EmptyCart(): View {
  return (
    <div class="empty">
      <p class="lead">{t.cart.empty}</p>
      <p>
        <a class="button" href={href("/")}>
          {t.cart.browse}
        </a>
      </p>
    </div>
  )
}

/** A subscription needs an account: a guest learns this here, not at the last step. */
function Checkout({ cart, plans, customer }: { cart: Cart; plans: Plans; customer: Customer | null }): View {
  const planned = (cart.items ?? []).filter(({ variant_id }) => plans.has(variant_id ?? ""))
  if (planned.length === 0 || customer) {
    return (
      <p>
        <a class="button button-wide" href={href("/checkout/address")}>
          {t.cart.checkout}
        </a>
      </p>
    )
  }
  const titles = [...new Set(planned.map(itemTitle))].join(", ")
  return (
    <div class="sign-in-first">
      <Notice kind="info" title={t.plan.signInTitle}>
        {t.plan.signIn(titles)}
      </Notice>
      <p>
        <a class="button button-wide" href={href(signInPath("/checkout/address", "subscription"))}>
          {t.plan.signInButton}
        </a>
      </p>
    </div>
  )
}

type CartLineProps = { item: CartItem; plans: Plans; onQuantity: (quantity: number, control: string) => void }

function CartLine({ item, plans, onQuantity }: CartLineProps): View {
  const title = itemTitle(item)
  const fewer = `fewer-${item.id}`
  const more = `more-${item.id}`
  return (
    <li class="item">
      <Thumbnail src={item.thumbnail} />
      <div class="item-text">
        <p class="item-title">
          <a href={href(`/products/${encodeURIComponent(item.product_handle ?? "")}`)}>{title}</a>
        </p>
        {variantLabel(item) && <p class="muted small">{variantLabel(item)}</p>}
        {item.quantity > 1 && <p class="muted small">{t.cart.each(taka(item.unit_price))}</p>}
        <PlanOf item={item} plans={plans} />
        <div class="stepper">
          <button
            id={fewer}
            type="button"
            aria-label={t.cart.fewer(title)}
            aria-disabled={item.quantity <= 1 ? "true" : null}
            onClick={() => item.quantity > 1 && onQuantity(item.quantity - 1, fewer)}
          >
            −
          </button>
          <span class="count">
            <span class="visually-hidden">{t.cart.quantityOf(title)}: </span>
            {whole(item.quantity)}
          </span>
          <button
            id={more}
            type="button"
            aria-label={t.cart.more(title)}
            onClick={() => onQuantity(item.quantity + 1, more)}
          >
            +
          </button>
          <button
            class="text-button"
            type="button"
            aria-label={t.cart.removeItem(title)}
            onClick={() => onQuantity(0, "")}
          >
            {t.cart.remove}
          </button>
        </div>
      </div>
      <p class="amount">{taka(item.subtotal ?? item.unit_price * item.quantity)}</p>
    </li>
  )
}
