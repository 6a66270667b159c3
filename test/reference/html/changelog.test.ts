import t from 'tap'
import { changelogHtml } from '../../../reference/html/changelog.ts'

t.test('every version is a section with an address', async (t) => {
  const text = '# Changelog of the <API>\n\nA line.\n\n## 1.1.0\n\n- Added: `a`.\n\n## 1.0.0\n\nThe first version.\n'
  const { contents, content } = changelogHtml(text, '../')
  t.match(contents.html, '<a href="../docs">API reference</a>')
  t.match(contents.html, '<li><a href="#1-1-0">1.1.0</a></li>\n<li><a href="#1-0-0">1.0.0</a></li>')
  t.match(content.html, '>Changelog of the &lt;API&gt;</h1>\n<p>A line.</p>')
  t.match(
    content.html,
    '<h2 id="1-1-0-heading"><a class="anchor" href="#1-1-0">1.1.0</a></h2>\n<ul>\n<li>Added: <code>a</code>.',
  )
})
