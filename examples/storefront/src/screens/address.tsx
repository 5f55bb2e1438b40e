import { Field, FieldFrame, describedBy, setFieldError } from "../components/field"
import { NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { Steps } from "../components/steps"
import { byId, h, type View } from "../lib/dom"
import { DIVISIONS } from "../lib/districts"
import { describeError } from "../lib/errors"
import { Redirect, navigate, type Page } from "../lib/router"
import { loadCustomer } from "../store/account"
import { itemCount, loadCart, saveAddress } from "../store/cart"
import type { Cart, Customer } from "../store/types"
import { language, t } from "../text"
import { FIELDS, readAddress, type FieldName } from "./address-rules"
import { requireAccount } from "./checkout-account"

export async function addressScreen(): Promise<Page> {
  const cart = await loadCart()
  if (!cart || itemCount(cart) === 0) {
    throw new Redirect("/cart")
  }
  await requireAccount(cart, "/checkout/address")
  const customer = await loadCustomer()
  return {
    title: t.address.title,
    content: (
      <div class="narrow">
        <Steps current="address" />
        <h1>{t.address.title}</h1>
        <AddressForm cart={cart} customer={customer} />
      </div>
    ),
  }
}

function AddressForm({ cart, customer }: { cart: Cart; customer: Customer | null }): View {
  const form = (
    <AddressFields cart={cart} customer={customer} onSubmit={submit} onInput={recheck} />
  ) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "save-address")
  const problem = byId(form, "address-problem")

  const read = () => readAddress((name) => byId<HTMLInputElement>(form, name).value)

  /** Updates a shown problem while the shopper types; shows no new one. */
  function recheck(event: Event) {
    const { id } = event.target as HTMLInputElement
    if (byId(form, id).hasAttribute("aria-invalid")) {
      setFieldError(form, id, read().problems.get(id as FieldName) ?? null)
    }
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy(button)) {
      return
    }
    problem.replaceChildren()
    const { address, problems } = read()
    for (const name of FIELDS) {
      setFieldError(form, name, problems.get(name) ?? null)
    }
    const first = FIELDS.find((name) => problems.has(name))
    if (first) {
      showProblem(problem, t.address.problems(problems.size))
      byId(form, first).focus()
      return
    }
    try {
      await whileBusy(button, t.address.saving, () => saveAddress(cart, address))
      navigate("/checkout/delivery")
    } catch (error) {
      showProblem(problem, describeError(error))
    }
  }

  return form
}

type FieldsProps = {
  cart: Cart
  customer: Customer | null
  onSubmit: (event: SubmitEvent) => void
  onInput: (event: Event) => void
}

function AddressFields({ cart, customer, onSubmit, onInput }: FieldsProps): View {
  const known = cart.shipping_address
  const named = known?.first_name ? known : customer
  const name = [named?.first_name, named?.last_name].filter(Boolean).join(" ")
  return (
    <form novalidate onSubmit={onSubmit} onInput={onInput}>
      <NoticeArea id="address-problem" />
      <Field id="name" label={t.address.name} value={name} autocomplete="name" maxlength={100} />
      <Field
        id="phone"
        label={t.address.phone}
        hint={t.address.phoneHint}
        value={known?.phone}
        type="tel"
        inputmode="tel"
        autocomplete="tel"
        maxlength={20}
      />
      <Field
        id="email"
        label={t.address.email}
        hint={t.address.emailHint}
        value={cart.email ?? customer?.email}
        type="email"
        inputmode="email"
        autocomplete="email"
        maxlength={254}
      />
      <Field
        id="street"
        label={t.address.street}
        hint={t.address.streetHint}
        value={known?.address_1}
        autocomplete="address-line1"
        maxlength={200}
      />
      <Field
        id="area"
        label={t.address.area}
        value={known?.address_2}
        autocomplete="address-line2"
        maxlength={100}
        required={false}
      />
      <div class="field-row">
        <DistrictField chosen={known?.city} />
        <Field
          id="postcode"
          label={t.address.postcode}
          value={known?.postal_code}
          inputmode="numeric"
          autocomplete="postal-code"
          maxlength={8}
        />
      </div>
      <button class="button button-wide" id="save-address" type="submit">
        {t.address.next}
      </button>
    </form>
  )
}

function DistrictField({ chosen }: { chosen?: string | null }): View {
  return (
    <FieldFrame id="district" label={t.address.district}>
      <select
        id="district"
        name="district"
        autocomplete="address-level2"
        aria-required="true"
        aria-describedby={describedBy("district")}
      >
        <option value="">{t.address.districtChoose}</option>
        {DIVISIONS.map((division) => (
          <optgroup label={language === "bn" ? division.bangla : division.name}>
            {division.districts.map(([name, bangla]) => (
              <option value={name} selected={name === chosen}>
                {language === "bn" ? bangla : name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </FieldFrame>
  )
}
