import { Notice, NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { Steps } from "../components/steps"
import { AddressText } from "../components/summary"
import { byId, h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { taka } from "../lib/format"
import { Redirect, href, navigate, type Page } from "../lib/router"
import { chooseShipping, itemCount, listShippingOptions, loadCart, missingStep } from "../store/cart"
import type { Cart, ShippingOption } from "../store/types"
import { t } from "../text"

export async function deliveryScreen(): Promise<Page> {
  const cart = await loadCart()
  if (!cart || itemCount(cart) === 0) {
    throw new Redirect("/cart")
  }
  if (missingStep(cart) === "address") {
    throw new Redirect("/checkout/address")
  }
  const options = await listShippingOptions(cart)
  return {
    title: t.delivery.title,
    content: (
      <div class="narrow">
        <Steps current="delivery" />
        <h1>{t.delivery.title}</h1>
        {cart.shipping_address && (
          <div class="panel panel-row">
            <AddressText address={cart.shipping_address} />
            <a href={href("/checkout/address")} aria-label={t.delivery.changeAddress}>
              {t.delivery.change}
            </a>
          </div>
        )}
        {options.length === 0 ? (
          <Notice kind="problem">{t.delivery.none}</Notice>
        ) : (
          <DeliveryForm cart={cart} options={options} />
        )}
      </div>
    ),
  }
}

function DeliveryForm({ cart, options }: { cart: Cart; options: ShippingOption[] }): View {
  const present = cart.shipping_methods?.[0]?.shipping_option_id
  const preselected = options.find(({ id }) => id === present) ?? options[0]

  const form = (
    <form novalidate onSubmit={submit}>
      <NoticeArea id="delivery-problem" />
      <fieldset class="options">
        <legend class="visually-hidden">{t.delivery.title}</legend>
        {options.map((option) => (
          <label class="option">
            <input type="radio" name="option" value={option.id} checked={option === preselected} />
            <span class="option-text">
              <span class="option-title">{option.name}</span>
              {option.type?.description && <span class="muted small">{option.type.description}</span>}
            </span>
            <span class="amount">{option.amount === 0 ? t.delivery.free : taka(option.amount)}</span>
          </label>
        ))}
      </fieldset>
      <button class="button button-wide" id="save-delivery" type="submit">
        {t.delivery.next}
      </button>
    </form>
  ) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "save-delivery")

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy(button)) {
      return
    }
    const problem = byId(form, "delivery-problem")
    problem.replaceChildren()
    const chosen = new FormData(form).get("option")
    if (typeof chosen !== "string") {
      showProblem(problem, t.delivery.choose)
      return
    }
    try {
      await whileBusy(button, t.delivery.saving, () => chooseShipping(cart, chosen))
      navigate("/checkout/pay")
    } catch (error) {
      showProblem(problem, describeError(error))
    }
  }

  return form
}
