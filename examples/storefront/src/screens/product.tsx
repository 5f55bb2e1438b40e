import { Emi } from "../components/emi"
import { Notice, NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { PlanOffer } from "../components/plan"
import { byId, fill, h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { taka, whole } from "../lib/format"
import { href, type Page, type ScreenRequest } from "../lib/router"
import { addToCart } from "../store/cart"
import { findEmi } from "../store/emi"
import { findPlans, renewalOf, type Plan, type Plans } from "../store/plans"
import { canBuy, choicesOf, findProduct, priceOf, priceRange, stockOf, valueOf, variantFor } from "../store/products"
import type { Product, Variant } from "../store/types"
import { t } from "../text"
import { notFoundScreen } from "./messages"

const MOST_AT_ONCE = 10
const FEW = 5

export async function productScreen({ params }: ScreenRequest): Promise<Page> {
  const product = await findProduct(params.handle ?? "")
  if (!product) {
    return notFoundScreen()
  }
  const plans = await findPlans(product.variants?.map(({ id }) => id) ?? [])
  const picture = product.images?.[0]?.url ?? product.thumbnail
  return {
    title: product.title,
    content: (
      <div class="product">
        <div class="picture">{picture && <img src={picture} alt={product.title} width="640" height="640" />}</div>
        <div class="product-text">
          <h1>{product.title}</h1>
          <BuyForm product={product} plans={plans} />
          {product.description && <p class="description">{product.description}</p>}
        </div>
      </div>
    ),
  }
}

type ChoiceProps = { id: string; title: string; values: string[]; chosen?: string; onChoose: (value: string) => void }

function ChoiceField({ id, title, values, chosen, onChoose }: ChoiceProps): View {
  return (
    <fieldset class="choice">
      <legend>{title}</legend>
      <div class="pills">
        {values.map((value) => (
          <label class="pill">
            <input type="radio" name={id} value={value} checked={value === chosen} onChange={() => onChoose(value)} />
            <span>{value}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The number of pieces and the button; both are filled by `BuyForm`, which knows the stock. */
function AddToCart(): View {
  return (
    <div class="buy-row">
      <label for="quantity" class="visually-hidden">
        {t.product.quantity}
      </label>
      <select id="quantity" name="quantity" />
      <button class="button" id="add" type="submit">
        {t.product.add}
      </button>
    </div>
  )
}

/** By option: the values of a variant that can be bought, if there is one. */
function firstChoices(product: Product, choices: ReturnType<typeof choicesOf>): Map<string, string> {
  const preferred = product.variants?.find(canBuy) ?? product.variants?.[0]
  return new Map(choices.map(({ id, values }) => [id, (preferred && valueOf(preferred, id)) ?? values[0] ?? ""]))
}

function BuyForm({ product, plans }: { product: Product; plans: Plans }): View {
  const choices = choicesOf(product)
  const chosen = firstChoices(product, choices)
  const form = (
    <form class="buy" novalidate onSubmit={submit}>
      <p class="price" id="price" aria-live="polite" />
      {choices.map((choice) => (
        <ChoiceField {...choice} chosen={chosen.get(choice.id)} onChoose={(value) => choose(choice.id, value)} />
      ))}
      <div id="plan" aria-live="polite" />
      <p class="stock small" id="stock" aria-live="polite" />
      <div id="emi" />
      <AddToCart />
      <NoticeArea id="buy-result" />
    </form>
  )
  const button = byId<HTMLButtonElement>(form, "add")
  const quantity = byId<HTMLSelectElement>(form, "quantity")
  const result = byId(form, "buy-result")
  show()

  function choose(optionId: string, value: string) {
    chosen.set(optionId, value)
    result.replaceChildren()
    show()
  }

  function show() {
    const variant = variantFor(product, chosen)
    const plan = variant && plans.get(variant.id)
    const price = variant ? priceOf(variant) : null
    const buyable = variant !== undefined && canBuy(variant) && plan?.is_sold !== false
    fill(byId(form, "price"), plan?.trial_refused ? taka(renewalOf(plan, 1)) : priceText(product, variant))
    fill(byId(form, "plan"), plan?.is_sold && price !== null && <PlanOffer plan={plan} price={price} />)
    fill(byId(form, "stock"), stockText(variant, plan))
    fill(
      quantity,
      quantitiesOf(variant).map((count) => <option value={count}>{whole(count)}</option>)
    )
    quantity.disabled = !buyable
    button.disabled = !buyable
    void showEmi(byId(form, "emi"), variant)
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const variant = variantFor(product, chosen)
    if (!variant || isBusy(button)) {
      return
    }
    result.replaceChildren()
    try {
      await whileBusy(button, t.product.adding, () => addToCart(variant.id, Number(quantity.value)))
      fill(
        result,
        <Notice kind="success">
          {t.product.added(product.title)} <a href={href("/cart")}>{t.product.toCart}</a>
        </Notice>
      )
    } catch (error) {
      showProblem(result, describeError(error))
    }
  }

  return form
}

/** Loads after the price, which is shown first and is the same without it. */
async function showEmi(place: HTMLElement, variant: Variant | undefined): Promise<void> {
  const wanted = variant?.id ?? ""
  const wasOpen = place.querySelector("details")?.open ?? false
  place.dataset.variant = wanted
  const offers = variant && priceOf(variant) !== null ? await findEmi({ variant_id: variant.id }) : null
  // Another variant may have been chosen meanwhile.
  if (place.dataset.variant === wanted) {
    fill(place, offers && <Emi offers={offers} open={wasOpen} />)
  }
}

function priceText(product: Product, variant: Variant | undefined): string {
  const price = variant ? priceOf(variant) : null
  if (price !== null) {
    return taka(price)
  }
  const range = priceRange(product)
  return range ? t.list.from(taka(range.from)) : ""
}

function stockText(variant: Variant | undefined, plan: Plan | undefined): string {
  if (!variant || priceOf(variant) === null) {
    return t.product.unavailable
  }
  if (plan?.is_sold === false) {
    return t.plan.notSold
  }
  const stock = stockOf(variant)
  if (stock === 0) {
    return t.product.soldOut
  }
  return stock <= FEW ? t.product.fewLeft(stock) : t.product.inStock
}

function quantitiesOf(variant: Variant | undefined): number[] {
  const most = variant ? Math.min(MOST_AT_ONCE, stockOf(variant)) : 1
  return Array.from({ length: Math.max(1, most) }, (_, index) => index + 1)
}
