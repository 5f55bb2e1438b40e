import { Field, setFieldError } from "../components/field"
import { Notice, NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { byId, h, type Children, type View } from "../lib/dom"
import { describeError, isSignedOut } from "../lib/errors"
import { Redirect, href, replace, type Page, type ScreenRequest } from "../lib/router"
import { nextPath, register, signIn } from "../store/account"
import { hasToken } from "../store/sdk"
import { t } from "../text"
import { ACCOUNT_FIELDS, readAccount, type AccountField } from "./account-rules"

type Way = "sign-in" | "register"

export const signInScreen = ({ query }: ScreenRequest): Page => screenOf("sign-in", query)
export const registerScreen = ({ query }: ScreenRequest): Page => screenOf("register", query)

function screenOf(way: Way, query: URLSearchParams): Page {
  if (hasToken()) {
    // Another tab has signed in meanwhile.
    throw new Redirect(nextPath(query.get("next")))
  }
  const title = way === "sign-in" ? t.account.signInTitle : t.account.registerTitle
  const why = query.get("why")
  const other = (to: Way) => href(`/${to}?${query}`)
  return {
    title,
    content: (
      <div class="narrow slim">
        <h1>{title}</h1>
        {why === "subscription" && (
          <Notice kind="info" title={t.plan.signInTitle}>
            {t.account.whySubscription} <a href={href("/cart")}>{t.account.backToCart}</a>
          </Notice>
        )}
        {why === "expired" && <Notice kind="info">{t.account.whyExpired}</Notice>}
        <AccountForm way={way} next={nextPath(query.get("next"))} />
        {way === "sign-in" && (
          <p>
            <a href={href("/forgotten-password")}>{t.account.forgotten}</a>
          </p>
        )}
        {way === "sign-in" ? (
          <p>
            {t.account.noAccount} <a href={other("register")}>{t.account.toRegister}</a>
          </p>
        ) : (
          <p>
            {t.account.haveAccount} <a href={other("sign-in")}>{t.account.toSignIn}</a>
          </p>
        )}
      </div>
    ),
  }
}

function AccountForm({ way, next }: { way: Way; next: string }): View {
  const isNew = way === "register"
  const fields = ACCOUNT_FIELDS[way]
  const form = (<AccountFields isNew={isNew} onSubmit={submit} onInput={recheck} />) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "account-go")
  const problem = byId(form, "account-problem")
  const read = () => readAccount(way, (name) => byId<HTMLInputElement>(form, name).value)

  function recheck(event: Event) {
    const { id } = event.target as HTMLInputElement
    if (byId(form, id).hasAttribute("aria-invalid")) {
      setFieldError(form, id, read().problems.get(id as AccountField) ?? null)
    }
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy(button)) {
      return
    }
    problem.replaceChildren()
    const { credentials, person, problems } = read()
    fields.forEach((name) => setFieldError(form, name, problems.get(name) ?? null))
    const first = fields.find((name) => problems.has(name))
    if (first) {
      byId(form, first).focus()
      return
    }
    const work = () => (isNew ? register(credentials, person) : signIn(credentials))
    try {
      await whileBusy(button, isNew ? t.account.registering : t.account.signingIn, work)
      replace(next)
    } catch (error) {
      const known = isNew ? t.account.exists : t.account.wrong
      showProblem(problem, isSignedOut(error) ? known : describeError(error))
    }
  }

  return form
}

type FieldsProps = { isNew: boolean; onSubmit: (event: SubmitEvent) => void; onInput: (event: Event) => void }

function AccountFields({ isNew, onSubmit, onInput }: FieldsProps): View {
  const named: Children = isNew && <Field id="name" label={t.account.name} autocomplete="name" maxlength={100} />
  return (
    <form novalidate method="post" onSubmit={onSubmit} onInput={onInput}>
      <NoticeArea id="account-problem" />
      {named}
      <Field
        id="email"
        label={t.account.email}
        type="email"
        inputmode="email"
        autocomplete="username"
        maxlength={254}
      />
      <Field
        id="password"
        label={t.account.password}
        hint={isNew ? t.account.passwordHint : undefined}
        type="password"
        autocomplete={isNew ? "new-password" : "current-password"}
        maxlength={128}
      />
      <button class="button button-wide" id="account-go" type="submit">
        {isNew ? t.account.register : t.account.signIn}
      </button>
    </form>
  )
}
