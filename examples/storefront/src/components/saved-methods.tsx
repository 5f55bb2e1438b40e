import { h, type View } from "../lib/dom"
import { describeError, isConflict, isNotFound, isSignedOut } from "../lib/errors"
import { replace } from "../lib/router"
import { signInPath } from "../store/account"
import { removePaymentMethod, type PaymentMethod } from "../store/payment-methods"
import { t } from "../text"
import { openDialog } from "./dialog"
import { Notice, showProblem } from "./notice"
import { methodText } from "./subscription"

/** What the shopper has saved to pay with, each with a button that removes it. */
export function SavedMethods({ methods }: { methods: PaymentMethod[] }): View {
  const status = <div role="status" />
  const list = <ul class="subscriptions" id="saved-methods" />
  const section = (
    <section>
      <h2 class="section-title">{t.saved.title}</h2>
      {status}
      {list}
    </section>
  )
  const empty = () => list.append(<li class="muted">{t.saved.none}</li>)
  const onRemoved = (row: Element, name: string) => {
    row.remove()
    status.replaceChildren(<Notice kind="success">{t.saved.removed(name)}</Notice>)
    if (list.children.length === 0) {
      empty()
    }
  }
  methods.forEach((one) => list.append(<SavedMethod saved={one} onRemoved={onRemoved} />))
  if (methods.length === 0) {
    empty()
  }
  return section
}

type SavedMethodProps = { saved: PaymentMethod; onRemoved: (row: Element, name: string) => void }

function SavedMethod({ saved, onRemoved }: SavedMethodProps): View {
  const name = methodText(saved)
  const { expiry_month: month, expiry_year: year } = saved
  const row = (
    <li class="panel panel-row">
      <p>
        <strong>{name}</strong>
        {month !== null && year !== null && (
          <span class="muted small saved-detail">{t.saved.expires(String(month).padStart(2, "0"), String(year))}</span>
        )}
        {saved.used_by_subscription && <span class="muted small saved-detail">{t.saved.used}</span>}
      </p>
      {!saved.used_by_subscription && (
        <button class="text-button" type="button" aria-label={t.saved.removeOf(name)} onClick={ask}>
          {t.saved.remove}
        </button>
      )}
    </li>
  )

  function ask() {
    openDialog(row as Element, {
      title: t.saved.removeTitle,
      confirm: t.saved.remove,
      busy: t.saved.removing,
      dismiss: t.saved.keep,
      children: <p>{t.saved.removeText(name)}</p>,
      onConfirm: remove,
    })
  }

  async function remove(_form: HTMLFormElement, problem: HTMLElement) {
    try {
      await removePaymentMethod(saved.id)
    } catch (error) {
      if (isSignedOut(error)) {
        replace(signInPath("/account", "expired"))
        return
      }
      if (!isNotFound(error)) {
        showProblem(problem, isConflict(error) ? t.saved.inUse : describeError(error))
        throw error
      }
    }
    onRemoved(row as Element, name)
  }

  return row
}
