// The head of the page: the title, and the document's description with its sections.

export const overview = ({ React: { createElement } }) => ({
  components: {
    info: ({ info, getComponent }) => {
      const [title, version, description, license] = ['title', 'version', 'description', 'license'].map((name) =>
        info.get(name),
      )
      return createElement(
        'section',
        { className: 'info', 'aria-label': 'Guide' },
        createElement('h1', null, title, ' ', createElement('small', null, version)),
        createElement(getComponent('Markdown', true), { source: description }),
        license &&
          createElement('p', null, 'License: ', createElement('a', { href: license.get('url') }, license.get('name'))),
      )
    },
  },
})
