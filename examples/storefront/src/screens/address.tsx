import { AddressFields, nameOf, type KnownAddress } from "../components/address-fields"
import { checkedForm } from "../components/form"
import { NoticeArea, showProblem, whileBusy } from "../components/notice"
import { Steps } from "../components/steps"
import { byId, fill, h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { Redirect, navigate, type Page } from "../lib/router"
import { loadCustomer } from "../store/account"
import { isSaved, listAddresses, saveToAccount } from "../store/addresses"
import { itemCount, loadCart, saveAddress, type Address } from "../store/cart"
import type { Cart, Customer, SavedAddress } from "../store/types"
import { t } from "../text"
import { FIELDS, readAddress, type FieldName } from "./address-rules"
import { requireAccount } from "./checkout-account"

export async function addressScreen(): Promise<Page> {
  const cart = await loadCart()
  if (!cart || itemCount(cart) === 0) {
    throw new Redirect("/cart")
  }
  await requireAccount(cart, "/checkout/address")
  const customer = await loadCustomer()
  const saved = customer ? await listAddresses() : []
  return {
    title: t.address.title,
    content: (
      <div class="narrow">
        <Steps current="address" />
        <h1>{t.address.title}</h1>
        <AddressForm cart={cart} customer={customer} saved={saved} />
      </div>
    ),
  }
}

type FormProps = { cart: Cart; customer: Customer | null; saved: SavedAddress[] }

function AddressForm({ cart, customer, saved }: FormProps): View {
  const email = cart.email ?? customer?.email ?? ""
  const typed = cart.shipping_address?.address_1 ? cart.shipping_address : null
  const first: KnownAddress = typed ?? saved[0] ?? { ...cart.shipping_address, ...named(cart, customer) }
  const fields = <div />
  const show = (known: KnownAddress, mail: string) => fill(fields, <AddressFields known={known} email={mail} />)
  show(first, email)

  const { onSubmit, onInput } = checkedForm<FieldName, ReturnType<typeof readAddress>>(
    () => form,
    () => ({
      fields: FIELDS,
      button,
      read: readAddress,
      onProblems: (count) => showProblem(problem, t.address.problems(count)),
      send: ({ address }) => save(address),
    })
  )
  const form = (
    <form novalidate onSubmit={onSubmit} onInput={onInput}>
      <NoticeArea id="address-problem" />
      {saved.length > 0 && (
        <Chooser
          saved={saved}
          isTyped={typed !== null}
          // What was typed as e-mail address stays.
          onChoose={(known) => show(known, byId<HTMLInputElement>(form, "email").value)}
        />
      )}
      {fields}
      {customer && <KeepField checked={saved.length === 0} />}
      <button class="button button-wide" id="save-address" type="submit">
        {t.address.next}
      </button>
    </form>
  ) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "save-address")
  const problem = byId(form, "address-problem")

  async function save({ email: mail, ...place }: Address) {
    problem.replaceChildren()
    const isKept = customer !== null && byId<HTMLInputElement>(form, "keep").checked && !isSaved(saved, place)
    try {
      await whileBusy(button, t.address.saving, async () => {
        await saveAddress(cart, { ...place, email: mail })
        if (isKept) {
          await saveToAccount({ ...place, is_default_shipping: saved.length === 0 }, null)
        }
      })
      navigate("/checkout/delivery")
    } catch (error) {
      showProblem(problem, describeError(error))
    }
  }

  return form
}

const named = ({ shipping_address }: Cart, customer: Customer | null): KnownAddress => {
  const { first_name, last_name } = shipping_address?.first_name ? shipping_address : (customer ?? {})
  return { first_name, last_name }
}

type ChooserProps = { saved: SavedAddress[]; isTyped: boolean; onChoose: (known: KnownAddress) => void }

/** Fills in what the account has saved. */
function Chooser({ saved, isTyped, onChoose }: ChooserProps): View {
  const choose = (event: Event) => {
    const id = (event.target as HTMLSelectElement).value
    onChoose(saved.find((one) => one.id === id) ?? {})
  }
  return (
    <div class="field">
      <label for="saved-address">{t.addresses.choose}</label>
      <select id="saved-address" onChange={choose}>
        <option value="" selected={isTyped}>
          {t.addresses.another}
        </option>
        {saved.map((one, index) => (
          <option value={one.id} selected={!isTyped && index === 0}>
            {[nameOf(one), one.address_1, one.city].filter(Boolean).join(", ")}
          </option>
        ))}
      </select>
    </div>
  )
}

function KeepField({ checked }: { checked: boolean }): View {
  return (
    <p>
      <label class="check">
        <input type="checkbox" id="keep" checked={checked} /> {t.addresses.keep}
      </label>
    </p>
  )
}
