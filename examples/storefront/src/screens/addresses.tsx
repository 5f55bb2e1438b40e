import { AddressFields, type KnownAddress } from "../components/address-fields"
import { openDialog } from "../components/dialog"
import { checkedForm } from "../components/form"
import { NoticeArea, showProblem, whileBusy } from "../components/notice"
import { titleOf } from "../components/subscription"
import { AddressText } from "../components/summary"
import { byId, h, type View } from "../lib/dom"
import { describeError, isNotFound, isSignedOut } from "../lib/errors"
import { href, navigate, replace, type Page, type ScreenRequest } from "../lib/router"
import { asCustomer, signInPath } from "../store/account"
import { findAddress, removeAddress, saveToAccount } from "../store/addresses"
import { findSubscription, moveSubscription } from "../store/subscriptions"
import type { Place } from "../store/cart"
import type { SavedAddress } from "../store/types"
import { t } from "../text"
import { PLACE_FIELDS, readPlace, type FieldName } from "./address-rules"
import { notFoundScreen } from "./messages"
import { subscriptionPath } from "./subscription"

const ACCOUNT = "/account"
const NEW = "/account/addresses/new"
const pathOf = ({ id }: { id: string }) => `/account/addresses/${encodeURIComponent(id)}`

/** The signed-in shopper's addresses, each with its ways to change and remove it. */
export function AddressList({ addresses }: { addresses: SavedAddress[] }): View {
  const none = (
    <p class="muted" hidden={addresses.length > 0}>
      {t.addresses.none}
    </p>
  ) as HTMLElement
  const onRemoved = (row: Element) => {
    row.remove()
    none.hidden = list.children.length > 0
  }
  const rows = addresses.map((one) => <AddressRow address={one} onRemoved={onRemoved} />)
  const list = <ul class="subscriptions">{rows}</ul>
  return (
    <section id="addresses">
      <h2 class="section-title">{t.addresses.title}</h2>
      {none}
      {list}
      <p class="add-address">
        <a class="button button-quiet" href={href(NEW)}>
          {t.addresses.add}
        </a>
      </p>
    </section>
  )
}

type RowProps = { address: SavedAddress; onRemoved: (row: Element) => void }

function AddressRow({ address, onRemoved }: RowProps): View {
  const name = [address.address_1, address.city].filter(Boolean).join(", ")
  const row = (
    <li class="panel panel-row address-row">
      <div>
        {address.is_default_shipping && <span class="status status-active">{t.addresses.isDefault}</span>}
        <AddressText address={address} />
      </div>
      <p class="row-actions">
        <a href={href(pathOf(address))} aria-label={t.addresses.changeOf(name)}>
          {t.addresses.change}
        </a>
        <button class="text-button" type="button" aria-label={t.addresses.removeOf(name)} onClick={ask}>
          {t.addresses.remove}
        </button>
      </p>
    </li>
  )

  function ask() {
    openDialog(row, {
      title: t.addresses.removeTitle,
      confirm: t.addresses.remove,
      busy: t.addresses.removing,
      dismiss: t.addresses.keepIt,
      children: <p>{name}</p>,
      onConfirm: remove,
    })
  }

  async function remove(_form: HTMLFormElement, problem: HTMLElement) {
    try {
      await removeAddress(address.id)
    } catch (error) {
      if (isSignedOut(error)) {
        replace(signInPath(ACCOUNT, "expired"))
        return
      }
      if (!isNotFound(error)) {
        showProblem(problem, describeError(error))
        throw error
      }
    }
    onRemoved(row)
  }

  return row
}

/** A new address, or the change of one. */
export async function addressBookScreen({ params }: ScreenRequest): Promise<Page> {
  const { id } = params
  const known = await asCustomer(id ? pathOf({ id }) : NEW, () => (id ? findAddress(id) : null))
  if (id && !known) {
    return notFoundScreen()
  }
  const suggested = (
    <input type="checkbox" id="default" checked={known?.is_default_shipping ?? false} />
  ) as HTMLInputElement
  return formPage(known ? t.addresses.changeTitle : t.addresses.addTitle, t.addresses.back, {
    known: known ?? {},
    choice: (
      <p>
        <label class="check">
          {suggested} {t.addresses.makeDefault}
        </label>
      </p>
    ),
    from: ACCOUNT,
    send: (place) => saveToAccount({ ...place, is_default_shipping: suggested.checked }, known?.id ?? null),
  })
}

/** Where the next deliveries of a subscription go. */
export async function deliveryAddressScreen({ params }: ScreenRequest): Promise<Page> {
  const id = params.id ?? ""
  const from = subscriptionPath(id)
  const subscription = await asCustomer(`${from}/address`, () => findSubscription(id))
  if (!subscription?.delivery_address) {
    return notFoundScreen()
  }
  return formPage(t.addresses.changeTitle, titleOf(subscription), {
    known: subscription.delivery_address,
    from,
    send: (place) => moveSubscription(id, place),
  })
}

type FormProps = {
  known: KnownAddress
  choice?: View
  /** The screen that the form was opened from, which follows it. */
  from: string
  send: (place: Place) => Promise<unknown>
}

function formPage(title: string, back: string, form: FormProps): Page {
  return {
    title,
    content: (
      <div class="narrow">
        <h1>{title}</h1>
        <AddressForm {...form} />
        <p class="after-form">
          <a href={href(form.from)}>← {back}</a>
        </p>
      </div>
    ),
  }
}

function AddressForm({ known, choice, from, send }: FormProps): View {
  const { onSubmit, onInput } = checkedForm<FieldName, ReturnType<typeof readPlace>>(
    () => form,
    () => ({
      fields: PLACE_FIELDS,
      button,
      read: readPlace,
      onProblems: (count) => showProblem(problem, t.address.problems(count)),
      send: ({ place }) => save(place),
    })
  )
  const form = (
    <form novalidate onSubmit={onSubmit} onInput={onInput}>
      <NoticeArea id="address-problem" />
      <AddressFields known={known} email={null} />
      {choice}
      <button class="button button-wide" id="save-address" type="submit">
        {t.addresses.save}
      </button>
    </form>
  ) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "save-address")
  const problem = byId(form, "address-problem")

  async function save(place: Place) {
    problem.replaceChildren()
    try {
      await whileBusy(button, t.address.saving, () => send(place))
      navigate(from)
    } catch (error) {
      if (isSignedOut(error)) {
        replace(signInPath(from, "expired"))
        return
      }
      showProblem(problem, describeError(error))
    }
  }

  return form
}
