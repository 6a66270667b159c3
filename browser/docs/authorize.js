// The box for the API key as a dialog of the browser: it traps the focus, and Escape closes it. The key is not shown.

export const authorize = ({ React: { createElement } }) => ({
  wrapComponents: {
    authorizationPopup: (Original) => (props) =>
      createElement(
        'dialog',
        {
          'aria-label': 'Authorize',
          ref: (dialog) => dialog && !dialog.open && open(dialog),
          onClose: () => props.authActions.showDefinitions(false),
        },
        createElement(Original, props),
      ),
    Input: (Original) => (props) =>
      createElement(Original, props.id === 'auth-bearer-value' ? { ...props, ...keyInput } : props),
  },
})

const keyInput = {
  type: 'password',
  autoComplete: 'off',
  spellCheck: false,
  placeholder: 'API key',
  'aria-label': 'API key',
}

function open(dialog) {
  dialog.showModal()
  dialog.querySelector('.close-modal').setAttribute('aria-label', 'Close')
  dialog.querySelector('input')?.focus()
}
