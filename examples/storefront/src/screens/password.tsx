import { Field } from "../components/field"
import { checkedForm } from "../components/form"
import { Notice, NoticeArea, showProblem, whileBusy } from "../components/notice"
import { byId, fill, h, type Children, type View } from "../lib/dom"
import { describeError, isSignedOut } from "../lib/errors"
import { href, replace, type Page, type ScreenRequest } from "../lib/router"
import { choosePassword, forgetPassword } from "../store/account"
import { t } from "../text"
import { readEmail, readPassword } from "./account-rules"

/** Asks for the link by which a forgotten password can be chosen anew. */
export function forgottenScreen(): Page {
  const { onSubmit, onInput } = checkedForm<"email", ReturnType<typeof readEmail>>(
    () => form,
    () => ({ fields: ["email"], button, read: readEmail, send: ({ email }) => send(email) })
  )
  const form = (
    <form novalidate method="post" onSubmit={onSubmit} onInput={onInput}>
      <NoticeArea id="password-problem" />
      <p class="before-form">{t.account.forgottenText}</p>
      <Field
        id="email"
        label={t.account.email}
        type="email"
        inputmode="email"
        autocomplete="username"
        maxlength={254}
      />
      <button class="button button-wide" id="password-go" type="submit">
        {t.account.sendLink}
      </button>
    </form>
  ) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "password-go")
  const problem = byId(form, "password-problem")

  async function send(email: string) {
    problem.replaceChildren()
    try {
      await whileBusy(button, t.account.sendingLink, () => forgetPassword(email))
      fill(form, <Notice kind="success">{t.account.linkSent(email)}</Notice>)
    } catch (error) {
      showProblem(problem, describeError(error))
    }
  }

  return pageOf(t.account.forgottenTitle, form)
}

/** Where the link of the e-mail leads. Its token is after the `#`, which no browser sends to a server. */
export function choosePasswordScreen({ query }: ScreenRequest): Page {
  const link = { token: query.get("token") ?? "", email: query.get("email") ?? "" }
  const { onSubmit, onInput } = checkedForm<"password", ReturnType<typeof readPassword>>(
    () => form,
    () => ({ fields: ["password"], button, read: readPassword, send: ({ password }) => send(password) })
  )
  const form = (
    <form novalidate method="post" onSubmit={onSubmit} onInput={onInput}>
      <NoticeArea id="password-problem" />
      <input type="email" name="email" autocomplete="username" value={link.email} readonly hidden />
      <Field
        id="password"
        label={t.account.newPassword}
        hint={t.account.passwordHint}
        type="password"
        autocomplete="new-password"
        maxlength={128}
      />
      <button class="button button-wide" id="password-go" type="submit">
        {t.account.setPassword}
      </button>
    </form>
  ) as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "password-go")
  const problem = byId(form, "password-problem")

  async function send(password: string) {
    problem.replaceChildren()
    try {
      await whileBusy(button, t.account.settingPassword, () => choosePassword(link, password))
      replace("/account")
    } catch (error) {
      showProblem(problem, isSignedOut(error) ? linkOver() : describeError(error))
    }
  }

  return pageOf(t.account.choosePasswordTitle, form)
}

const linkOver = (): Children => [
  `${t.account.linkOver} `,
  <a href={href("/forgotten-password")}>{t.account.anotherLink}</a>,
]

function pageOf(title: string, form: View): Page {
  return {
    title,
    content: (
      <div class="narrow slim">
        <h1>{title}</h1>
        {form}
        <p>
          <a href={href("/sign-in")}>{t.account.backToSignIn}</a>
        </p>
      </div>
    ),
  }
}
