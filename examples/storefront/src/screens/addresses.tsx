import { AddressFields } from "../components/address-fields"
import { openDialog } from "../components/dialog"
import { checkedForm } from "../components/form"
import { NoticeArea, showProblem, whileBusy } from "../components/notice"
import { AddressText } from "../components/summary"
import { byId, h, type View } from "../lib/dom"
import { describeError, isNotFound, isSignedOut } from "../lib/errors"
import { href, navigate, replace, type Page, type ScreenRequest } from "../lib/router"
import { asCustomer, signInPath } from "../store/account"
import { findAddress, removeAddress, saveToAccount } from "../store/addresses"
import type { SavedAddress } from "../store/types"
import { t } from "../text"
import { PLACE_FIELDS, readPlace, type FieldName } from "./address-rules"
import { notFoundScreen } from "./messages"

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
    <li class="panel panel-row">
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
  const title = known ? t.addresses.changeTitle : t.addresses.addTitle
  return {
    title,
    content: (
      <div class="narrow">
        <h1>{title}</h1>
        <AddressForm known={known} />
        <p class="after-form">
          <a href={href(ACCOUNT)}>{t.addresses.back}</a>
        </p>
      </div>
    ),
  }
}

function AddressForm({ known }: { known: SavedAddress | null }): View {
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
      <AddressFields known={known ?? {}} email={null} />
      <p>
        <label class="check">
          <input type="checkbox" id="default" checked={known?.is_default_shipping ?? false} /> {t.addresses.makeDefault}
        </label>
      </p>
      <button class="button button-wide" id="save-address" type="submit">
        {t.addresses.save}
      </button>
    </form>
  ) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "save-address")
  const problem = byId(form, "address-problem")

  async function save(place: ReturnType<typeof readPlace>["place"]) {
    problem.replaceChildren()
    const draft = { ...place, is_default_shipping: byId<HTMLInputElement>(form, "default").checked }
    try {
      await whileBusy(button, t.address.saving, () => saveToAccount(draft, known?.id ?? null))
      navigate(ACCOUNT)
    } catch (error) {
      if (isSignedOut(error)) {
        replace(signInPath(ACCOUNT, "expired"))
        return
      }
      showProblem(problem, describeError(error))
    }
  }

  return form
}
